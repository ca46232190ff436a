//! Putting right what a process that was killed left half done.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::batch::{Batch, aside_name};
use crate::change::Mode;
use crate::directories::remove_directories;
use crate::file::Snapshot;
use crate::history::Pending;
use crate::lock::Locks;
use crate::place::FilePlace;
use crate::record::{Entry, Print, Record};
use crate::root::Root;
use crate::step::Step;
use crate::{Error, State, swap};

/// How long recovery waits for files that someone else is writing.
const WAIT: Duration = Duration::from_secs(2);

/// What became of a batch that a killed process left half done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Whether every file has its new text; otherwise those that had it have the old one again.
    pub finished: bool,
    /// The files that hold neither the old text nor the new one, and were left as they are.
    pub left: Vec<PathBuf>,
    /// Files that the killed process made beside others and that could not be removed; the next start tries again.
    pub leftovers: Vec<PathBuf>,
}

/// What is at the place of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Old,
    New,
    Other,
}

/// An entry of a journal and the place that it is about.
struct Found<'a> {
    entry: &'a Entry,
    path: PathBuf,
    place: FilePlace,
    now: Now,
    bytes: Option<Vec<u8>>,
}

/// Finishes or takes back every batch whose process is gone; says what became of each.
///
/// A file is touched only if it holds exactly what the journal says was there before or was to be there after; any other
/// one is left as it is, and named.
#[expect(clippy::must_use_candidate, reason = "the files are put right whether or not anyone is told")]
pub fn recover(state: &State) -> Vec<Recovered> {
    let orphans = Pending::orphans(state).into_iter();
    orphans.filter_map(|(pending, record)| recover_one(state, pending, &record)).collect()
}

fn recover_one(state: &State, pending: Pending, record: &Record) -> Option<Recovered> {
    let paths = record.paths();
    let mut locks = Locks::default();
    let deadline = Instant::now().checked_add(WAIT);
    // A file that someone holds now can wait for the next start.
    locks.take(state, paths.iter().map(PathBuf::as_path), deadline, || Ok::<(), Error>(())).ok()?;
    settle(state, pending, record)
}

/// Finishes a batch all of whose files are new or unknown, and takes back any other one.
fn settle(state: &State, pending: Pending, record: &Record) -> Option<Recovered> {
    let everything = Root::everything().ok()?.allowing_git();
    let id = pending.id();
    let (mut left, mut found, mut leftovers) = (Vec::new(), Vec::new(), Vec::new());
    for (index, entry) in record.entries.iter().enumerate() {
        match find(&everything, entry, &id, index, &mut leftovers) {
            Some(it) if it.now != Now::Other => found.push((index, it)),
            _ => left.push(entry.path()),
        }
    }
    let finished = found.iter().all(|(_, it)| it.now == Now::New);
    if !finished {
        for (index, it) in found.iter().rev().filter(|(_, it)| it.now == Now::New) {
            if take_back(it, &id, *index).is_err() {
                left.push(it.path.clone());
            }
        }
    }
    // Those that were made for files that are not there now.
    for (_, it) in &found {
        let there = if finished { &it.entry.after } else { &it.entry.before };
        if there.is_none() {
            remove_directories(&it.path, it.entry.directories);
        }
    }
    match (finished, left.is_empty()) {
        // Its journal says what else there is to remove.
        (_, true) if !leftovers.is_empty() => {}
        (true, true) => pending.finish(state, record),
        (false, true) => pending.discard(),
        (_, false) => pending.leave(state),
    }
    Some(Recovered { finished, left, leftovers })
}

/// Looks at the place of an entry, and clears away what is beside it.
fn find<'a>(
    everything: &Root,
    entry: &'a Entry,
    id: &str,
    index: usize,
    leftovers: &mut Vec<PathBuf>,
) -> Option<Found<'a>> {
    let path = entry.path();
    let place = everything.place_without_links(&path).ok()?;
    // A batch that is taken back has names of its own, where old and new change their parts.
    let again = (again(id), Side { print: &entry.before, executable: entry.executable.map(|executable| !executable) });
    for (id, staged) in [(id.to_owned(), Side { print: &entry.after, executable: entry.executable }), again] {
        let aside = swap::beside(&place, aside_name(&id, index));
        let is_clear = clear(entry, &place, &aside, &staged);
        if !matches!(look(entry, &aside.target, &aside), Ok(None)) {
            leftovers.push(aside.target().to_owned());
        }
        is_clear?;
    }
    let snapshot = read(entry, &path, &place).ok()?;
    let now = match &snapshot {
        it if (Side { print: &entry.after, executable: entry.executable }).is(it.as_ref()) => Now::New,
        it if Print::of(it.as_ref().map(|snapshot| &*snapshot.bytes)) == entry.before => Now::Old,
        _ => Now::Other,
    };
    let bytes = snapshot.map(|snapshot| snapshot.bytes);
    Some(Found { entry, path, place, now, bytes })
}

/// What an entry says of a file before or after.
struct Side<'e> {
    print: &'e Option<Print>,
    /// Whether it can be run, where the bytes do not tell both sides apart.
    executable: Option<bool>,
}

impl Side<'_> {
    /// Returns whether this is the file.
    fn is(&self, file: Option<&Snapshot>) -> bool {
        Print::of(file.map(|file| &*file.bytes)) == *self.print
            && self.executable.is_none_or(|executable| file.is_some_and(|file| file.is_executable() == executable))
    }
}

/// Returns the bytes at a place, if they can be those of the entry; a file that cannot is an error.
fn look(entry: &Entry, path: &Path, place: &FilePlace) -> Result<Option<Vec<u8>>, Error> {
    Ok(read(entry, path, place)?.map(|snapshot| snapshot.bytes))
}

/// Reads the file at a place, if there is one that can be that of the entry.
fn read(entry: &Entry, path: &Path, place: &FilePlace) -> Result<Option<Snapshot>, Error> {
    match Snapshot::read(path, place.clone(), entry.largest()) {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(Error::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the file beside a place that a killed process left, unless it holds what someone else wrote.
///
/// It held the new text, `staged`, until that took the file's place, and then what was there. If that was not what
/// the journal knows, it goes back.
fn clear(entry: &Entry, place: &FilePlace, aside: &FilePlace, staged: &Side<'_>) -> Option<()> {
    let beside = match look(entry, &aside.target, aside) {
        Ok(None) => return Some(()),
        Ok(Some(bytes)) => entry.is_known(&bytes),
        Err(_) => false,
    };
    if !beside {
        let here = read(entry, &place.target, place);
        let came_in = here.as_ref().is_ok_and(|file| staged.is(file.as_ref()));
        match here.map(|file| file.map(|file| file.bytes)) {
            Ok(None) if came_in => return swap::appear(aside, place).ok(),
            Ok(_) if came_in && entry.before.is_some() && entry.after.is_some() => {
                if !swap::exchange(place, aside).ok()? {
                    return None;
                }
            }
            // It was never written to its end.
            Ok(Some(bytes)) if entry.is_known(&bytes) => {}
            Ok(None) if entry.before.is_none() || entry.after.is_none() => {}
            // Neither is known, so both stay.
            _ => return None,
        }
    }
    swap::remove(aside);
    Some(())
}

/// Gives a file its old text again.
fn take_back(found: &Found<'_>, id: &str, index: usize) -> Result<(), Error> {
    let now = found.bytes.as_deref();
    let after = found.entry.reverse(now).map_err(|_| Error::Stale { path: found.path.clone() })?;
    let step = Step {
        path: found.path.clone(),
        place: found.place.clone(),
        before: now.map(Cow::Borrowed),
        after: after.map(Cow::Owned),
        attributes: found.entry.attributes.clone(),
        mode: Mode::Any,
        directories: 0,
    };
    let batch = Batch { id: again(id), first: index, steps: &[step], in_place: found.entry.in_place };
    batch.write_unrecorded().map_err(|(_, error)| error)
}

/// Returns what a batch is called while it is taken back.
fn again(id: &str) -> String {
    format!("{id}r")
}
