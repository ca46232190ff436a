//! A queue of events of turns that are not yet recorded. The events are files, so that none is lost with a process.
//!
//! A hook writes its event to the queue and starts a process in a session of its own, which outlives the hook. That
//! process records the events of the queue in order, one process at a time; the hook waits for it until its deadline. A
//! verb that needs the turns waits for that process, too, and records the events of processes that have died. An event that
//! cannot be recorded is kept as a failed one, and tried again if the cause may pass.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint_store::now_ms;
use fuzzy_hosts::{Moment, TurnEvent};
use fuzzy_report::Code;
use fuzzy_safe_write::{State, open_to_append, open_to_read, sha256};
use fuzzy_system as sys;

use super::entry::{Entry, is_within};
use super::failed::{self, Failed, FailedEvent};
use super::record;
use crate::config;
use crate::verbs::checkpoint::options::Database;

/// The age from which a prompt is too old for a checkpoint of the state before its turn, in milliseconds.
const LATE_MS: i64 = 60_000;

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// The events of some sessions, one file each, with names that begin with the time. Only sessions that share a queue
/// wait for each other.
struct Queue(PathBuf);

/// The last event that was recorded, and the events that may end a session.
type Recorded = (Option<Entry>, Vec<Entry>);

/// The pause between two attempts to take the lock of a queue.
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// The longest time that a process tries to record an event while another program has locked the database or the
/// worktree.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest wait for another process that records events. It may be stopped, or its disk may be gone.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The name of the file that exists while a capture reads every file of a worktree.
const COLD: &str = "cold";

/// A file that is removed when the value is dropped.
struct Mark(PathBuf);

impl Mark {
    /// Makes the file. On a full disk there is none: then a host waits for the usual time, and an event whose process is
    /// killed counts as a new one.
    fn put(file: PathBuf) -> Self {
        let _ = open_to_append(&file);
        Self(file)
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The process that records an event.
pub(crate) struct Recording {
    process: Child,
    mark: PathBuf,
    /// The file of the event.
    file: PathBuf,
}

impl Recording {
    /// Returns whether the process runs.
    pub(crate) fn runs(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// Returns whether the event is recorded: the process may go on with other work.
    pub(crate) fn is_recorded(&self) -> bool {
        !self.file.exists()
    }

    /// Returns whether it reads every file of a worktree, which takes seconds in a large one.
    pub(crate) fn is_cold(&self) -> bool {
        self.mark.exists()
    }
}

/// Returns the time of an event of a hook, which began to read it at `begun`, in milliseconds since 1970: the host may have
/// sent it when it started this process.
pub(crate) fn time_of_hook(begun: Instant) -> i64 {
    let age = sys::process_age().unwrap_or_default().max(begun.elapsed());
    now_ms().saturating_sub(i64::try_from(age.as_millis()).unwrap_or(0))
}

/// Writes an event of a host, which happened at `at`, in milliseconds since 1970, to the queue and starts the process that
/// records it. The process outlives this one. An event that cannot be written there is kept as a failed one.
///
/// # Errors
///
/// The event cannot be written to the queue, or the process cannot be started.
pub(crate) fn send(host: &str, moment: Moment, event: TurnEvent, at: i64) -> io::Result<Recording> {
    let entry = Entry { host: host.to_owned(), moment, event, at };
    let name = Queue::name_of(&entry);
    let queue = Queue::named(&name).ok_or(ErrorKind::NotFound)?;
    let file = match queue.put(&entry) {
        Ok(file) => file,
        Err(error) => {
            let why = format!("it could not be written to {}: {error}", queue.0.display());
            Failed::of(entry, why, true).keep()?;
            return Err(error);
        }
    };
    let mut worker = Command::new(std::env::current_exe()?);
    worker.args(["hook", "--record", &name]).current_dir("/");
    Database::hand_on(&mut worker);
    worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(Recording { process: sys::start_detached(&mut worker)?, mark: queue.0.join(COLD), file })
}

/// Starts a process that reads every file of the worktree around a directory, so that the checkpoint of the next turn is
/// taken at once. The process outlives this one.
///
/// # Errors
///
/// The process cannot be started.
pub(crate) fn warm(directory: &Path) -> io::Result<()> {
    let mut worker = Command::new(std::env::current_exe()?);
    worker.args(["hook", "--warm"]).arg(directory).current_dir("/");
    Database::hand_on(&mut worker);
    worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    sys::start_detached(&mut worker).map(drop)
}

/// Does that in this process, which no signal to the terminal ends.
pub(crate) fn warm_now(directory: &Path) {
    sys::leave_session();
    record::warm(directory, &Database::from_environment());
}

/// Records the events of a queue, then those that failed earlier, then prunes after the end of a session. Errors are
/// ignored: failed events are kept.
pub(crate) fn work(name: &str) {
    sys::leave_session();
    if let Some(queue) = Queue::named(name)
        && let Ok(Ok((last, mut ended))) = queue.record(PATIENCE, Instant::now() + PATIENCE)
    {
        if last.is_some() {
            // The database works, so the events that failed in other queues may succeed, too.
            for queue in Queue::failed().into_iter().filter(|other| other.0 != queue.0) {
                if let Ok(Ok((_, more))) = queue.record(Duration::ZERO, Instant::now()) {
                    ended.extend(more);
                }
            }
        }
        // The host waits for this process only until its deadline, and the next one can record events meanwhile.
        last.iter().for_each(record::keep_all);
        ended.iter().for_each(record::prune);
    }
}

/// Waits for the processes that record events of a directory or below it, or of some sessions, and records the remaining
/// events. Returns those that cannot be recorded; also the reason, if a process did not record its events in time.
///
/// # Errors
///
/// A lock cannot be taken, or a file cannot be written.
pub(super) fn settle(
    root: &Path,
    sessions: &[String],
    mut waits: impl FnMut(),
) -> io::Result<(Vec<FailedEvent>, Option<String>)> {
    let concerns = |entry: &Entry| sessions.contains(&entry.session()) || is_within(&entry.event.directory, root);
    let (mut left, mut hangs) = (Vec::new(), None);
    // After one that hangs, no other is waited for.
    let deadline = |hangs: &Option<String>| Instant::now() + if hangs.is_some() { Duration::ZERO } else { MAX_WAIT };
    for queue in Queue::all() {
        if queue.entries()?.iter().any(|(_, entry)| concerns(entry)) {
            if queue.is_busy() {
                waits();
            }
            let Err(why) = queue.record(Duration::ZERO, deadline(&hangs))? else { continue };
            let entries = queue.entries()?.into_iter().filter(|(_, entry)| concerns(entry));
            left.extend(entries.map(|(file, entry)| Failed::of(entry, why.clone(), true).report(&file)));
            hangs = Some(why);
        }
    }
    let concerned = || failed::all().into_iter().filter(|(_, failed)| failed.concerns(root, sessions));
    let again: BTreeSet<String> =
        concerned().filter_map(|(_, failed)| Some(Queue::name_of(&failed.entry()?))).collect();
    for queue in again.iter().filter_map(|name| Queue::named(name)) {
        drop(queue.record(Duration::ZERO, deadline(&hangs))?);
    }
    left.extend(concerned().map(|(file, failed)| failed.report(&file)));
    Ok((left, hangs))
}

impl Queue {
    fn named(name: &str) -> Option<Self> {
        let is_name = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(Self(Self::folder()?.join(is_name.then_some(name)?)))
    }

    /// Returns the name of the queue for an event.
    fn name_of(entry: &Entry) -> String {
        sha256(entry.session().as_bytes())[..2].to_owned()
    }

    /// Returns the queues of failed events that are to be tried again.
    fn failed() -> Vec<Self> {
        let entries = failed::all().into_iter().filter_map(|(_, failed)| failed.entry());
        let names: BTreeSet<String> = entries.map(|entry| Self::name_of(&entry)).collect();
        names.iter().filter_map(|name| Self::named(name)).collect()
    }

    /// Writes an event after those of the queue, and returns its file.
    fn put(&self, entry: &Entry) -> io::Result<PathBuf> {
        sys::make_private(&self.0)?;
        // The clock may have been set back since the last event.
        let last = self.files().last().and_then(|path| path.file_name()?.to_str()?.get(..15)?.parse::<i64>().ok());
        let place = last.map_or(entry.at, |last| entry.at.max(last.saturating_add(1)));
        let stem = format!("{place:015}-{}", std::process::id());
        let (new, file) = (self.0.join(format!("{stem}.new")), self.0.join(format!("{stem}.json")));
        let text = serde_json::to_vec(entry)?;
        let written =
            open_to_append(&new).and_then(|mut new| new.write_all(&text)).and_then(|()| fs::rename(&new, &file));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written.map(|()| file)
    }

    /// Returns the files of the events, the oldest first.
    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|file| file.path());
        let is_event = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "json");
        let mut files: Vec<PathBuf> = files.filter(is_event).collect();
        files.sort();
        files
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

    /// Returns the events with their files, the oldest first. Keeps one that cannot be parsed as a failed one.
    fn entries(&self) -> io::Result<Vec<(PathBuf, Entry)>> {
        let mut entries = Vec::new();
        for path in self.files() {
            // Another process may have recorded it meanwhile.
            let Ok(text) = open_to_read(&path).and_then(io::read_to_string) else { continue };
            match serde_json::from_str(&text) {
                Ok(entry) => entries.push((path, entry)),
                Err(error) => {
                    let why = format!("its file in the queue was damaged: {error}");
                    failed::keep_unread("", Moment::Begin, text.as_bytes(), &why);
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(entries)
    }

    /// Takes the lock of the queue, and notes this process in its file. If another process has it until the deadline,
    /// returns the reason, which names that process.
    fn locked(&self, deadline: Instant) -> io::Result<Result<File, String>> {
        sys::make_private(&self.0)?;
        let mut lock = self.lock_file()?;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let named = open_to_read(&self.0.join("lock")).and_then(io::read_to_string).unwrap_or_default();
                    let process =
                        if named.is_empty() { "another process" } else { &format!("process {}", named.trim()) };
                    let why = format!("{process} records it and does not end; it may be stopped, or wait for a disk");
                    return Ok(Err(why));
                }
            }
        }
        // Only messages need the number.
        let _ = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
        Ok(Ok(lock))
    }

    /// Records the events that failed before and the new ones, once this process has the lock. One that fails is kept,
    /// and so are the later events of its session. Returns the last one that was recorded, and those that may end a
    /// session; or the reason, if another process has the lock until `wait_until`.
    fn record(&self, patience: Duration, wait_until: Instant) -> io::Result<Result<Recorded, String>> {
        let _lock = match self.locked(wait_until)? {
            Ok(lock) => lock,
            Err(why) => return Ok(Err(why)),
        };
        let deadline = Instant::now() + patience;
        // A killed process may have left it.
        drop(Mark(self.0.join(COLD)));
        let mut recorded = Vec::new();
        let mut blocked = HashMap::<String, String>::new();
        for (path, failed) in failed::all() {
            let Some(entry) = failed.entry().filter(|entry| self.0.ends_with(Self::name_of(entry))) else { continue };
            if blocked.contains_key(&entry.session()) {
                continue;
            }
            let late = format!("it could not be recorded in time: {}", failed.why);
            match record::apply(&entry, Some(&late), || ()) {
                Ok(_) => {
                    fs::remove_file(path)?;
                    recorded.push(entry);
                }
                Err(refused) if failed::may_pass(refused.code()) => _ = blocked.insert(entry.session(), failed.why),
                Err(refused) => Failed::of(entry, refused.reason(), false).write(&path)?,
            }
        }
        while let Some((path, entry)) = self.entries()?.into_iter().next() {
            // The event keeps its name: while it had a second one, another process would miss both. A mark that is there
            // already is that of a killed process.
            let begun = path.with_extension("begun");
            let is_killed = begun.exists();
            let _begun = Mark::put(begun);
            let done = match blocked.get(&entry.session()) {
                Some(why) => Err((why.clone(), true)),
                None => self.apply(&path, &entry, is_killed, deadline),
            };
            if let Err((why, retried)) = done {
                if retried {
                    blocked.insert(entry.session(), why.clone());
                }
                // If that fails, the event stays in the queue.
                Failed::of(entry, why, retried).keep()?;
            } else {
                recorded.push(entry);
            }
            fs::remove_file(&path)?;
        }
        let last = recorded.last().cloned();
        recorded.retain(|entry| !matches!(entry.moment, Moment::Begin | Moment::Step));
        Ok(Ok((last, recorded)))
    }

    /// Records an event, and tries again until the deadline if the cause of a failure may pass. Returns the reason of a
    /// failure, and whether to try again later.
    fn apply(&self, event: &Path, entry: &Entry, is_killed: bool, deadline: Instant) -> Result<(), (String, bool)> {
        loop {
            let is_later = |(path, later): &(PathBuf, Entry)| {
                // Before a command the agent waits, and what it changed before has later times.
                later.session() == entry.session() && path != event && later.moment != Moment::Step
            };
            let is_step = entry.moment == Moment::Step;
            let late = if is_killed {
                Some("its process was killed")
            } else if !is_step && self.entries().is_ok_and(|entries| entries.iter().any(is_later)) {
                Some("the agent continued before it could be taken")
            } else if now_ms().saturating_sub(entry.at) > LATE_MS {
                Some("it could not be taken in time")
            } else {
                None
            };
            match record::apply(entry, late, || Mark::put(self.0.join(COLD))) {
                Ok(_) => return Ok(()),
                Err(refused) if refused.code() == Code::ProtectedDir => return Ok(()),
                // Another program holds a lock.
                Err(refused)
                    if matches!(refused.code(), Code::Busy | Code::Locked)
                        && Instant::now() < deadline
                        && !(is_step && now_ms() > entry.at + config::step_wait_ms()) =>
                {
                    thread::sleep(PAUSE);
                }
                Err(refused) => return Err((refused.reason(), !is_step && failed::may_pass(refused.code()))),
            }
        }
    }
}
