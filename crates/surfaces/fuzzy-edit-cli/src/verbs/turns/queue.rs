//! A queue of events of turns that are not yet recorded. The events are files, so that none is lost with a process.
//!
//! A hook writes its event to the queue and starts a process in a session of its own, which outlives the hook. That
//! process records the events of the queue in order, one process at a time; the hook waits for it until its deadline. A
//! verb that needs the turns waits for that process, too, and records the events of processes that have died.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fuzzy_checkpoint_store::now_ms;
use fuzzy_hosts::{Host, Moment, TurnEvent};
use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use fuzzy_system as sys;

use super::entry::Entry;
use super::record;

/// The age from which a prompt is too old for a checkpoint of the state before its turn, in milliseconds.
const LATE_MS: i64 = 60_000;

/// The events of some sessions, one file each, with names that begin with the time. Only sessions that share a queue
/// wait for each other.
struct Queue(PathBuf);

/// Writes an event to the queue and starts the process that records it. The process outlives this one.
///
/// # Errors
///
/// The event cannot be written, or the process cannot be started.
pub(crate) fn send(host: &Host, moment: Moment, event: TurnEvent) -> io::Result<Child> {
    let entry = Entry { host: host.name.to_owned(), moment, event, at: now_ms() };
    let name = sha256(entry.session().as_bytes())[..2].to_owned();
    let directory = Queue::named(&name).ok_or(ErrorKind::NotFound)?.0;
    sys::make_private(&directory)?;
    let stem = format!("{:015}-{}", entry.at, std::process::id());
    let (new, file) = (directory.join(format!("{stem}.new")), directory.join(format!("{stem}.json")));
    open_to_append(&new)?.write_all(&serde_json::to_vec(&entry)?)?;
    fs::rename(new, file)?;
    let mut worker = Command::new(std::env::current_exe()?);
    worker.args(["hook", "--record", &name]).current_dir("/");
    worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    sys::start_detached(&mut worker)
}

/// Records the events of a queue, then prunes after the end of a session. Errors are ignored.
pub(crate) fn work(name: &str) {
    sys::leave_session();
    if let Some(queue) = Queue::named(name)
        && let Ok((last, ended)) = queue.record()
    {
        // The host waits for this process only until its deadline, and the next one can record events meanwhile.
        last.iter().for_each(record::keep_all);
        ended.iter().for_each(record::prune);
    }
}

/// Waits for the processes that record events of a directory or below it, and records the remaining events.
///
/// # Errors
///
/// A lock cannot be taken.
pub(super) fn settle(root: &Path, mut waits: impl FnMut()) -> io::Result<()> {
    for queue in Queue::all() {
        let is_below = |entry: &Entry| sys::canonical(&entry.event.directory).is_ok_and(|path| path.starts_with(root));
        if queue.entries().iter().any(|(_, entry)| is_below(entry)) {
            if queue.is_busy() {
                waits();
            }
            queue.record()?;
        }
    }
    Ok(())
}

impl Queue {
    fn named(name: &str) -> Option<Self> {
        let is_name = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(Self(Self::folder()?.join(is_name.then_some(name)?)))
    }

    /// Returns the queues that exist.
    fn all() -> impl Iterator<Item = Self> {
        let entries = Self::folder().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        entries.filter_map(|entry| Self::named(entry.file_name().to_str()?))
    }

    fn folder() -> Option<PathBuf> {
        Some(State::lasting()?.join("turns"))
    }

    fn lock_file(&self) -> io::Result<File> {
        open_to_append(&self.0.join("lock"))
    }

    fn is_busy(&self) -> bool {
        self.lock_file().is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Returns the events with their files, the oldest first. Removes a file that cannot be parsed.
    fn entries(&self) -> Vec<(PathBuf, Entry)> {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|file| file.path());
        let is_event = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "json" || kind == "begun");
        let mut files: Vec<PathBuf> = files.filter(is_event).collect();
        files.sort();
        let read = |path: PathBuf| {
            let text = open_to_read(&path).and_then(io::read_to_string).ok()?;
            match serde_json::from_str(&text) {
                Ok(entry) => Some((path, entry)),
                Err(_) => fs::remove_file(path).ok().and(None),
            }
        };
        files.into_iter().filter_map(read).collect()
    }

    /// Records the events. Returns the last one, and those that may end a session.
    fn record(&self) -> io::Result<(Option<Entry>, Vec<Entry>)> {
        let lock = self.lock_file()?;
        lock.lock()?;
        let (mut last, mut ended) = (None, Vec::new());
        loop {
            let mut entries = self.entries().into_iter();
            let Some((path, entry)) = entries.next() else { return Ok((last, ended)) };
            let begun = path.with_extension("begun");
            let late = if begun == path {
                Some("its process was killed")
            } else if entries.any(|(_, later)| later.session() == entry.session()) {
                Some("the agent continued before it could be taken")
            } else if now_ms().saturating_sub(entry.at) > LATE_MS {
                Some("it could not be taken in time")
            } else {
                None
            };
            if begun != path {
                fs::rename(&path, &begun)?;
            }
            // An event whose recording fails is removed: a later attempt would capture changed files.
            let recorded = record::apply(&entry, late);
            fs::remove_file(&begun)?;
            if recorded.is_ok() {
                last = Some(entry.clone());
            }
            if recorded.is_ok() && entry.moment != Moment::Begin {
                ended.push(entry);
            }
        }
    }
}
