//! Recovers the batches of killed processes.

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
use crate::{Error, State, file_ops};

/// The time that recovery waits for files that another process is writing.
const WAIT: Duration = Duration::from_secs(2);

/// The result of recovering a batch of a killed process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Whether every file has its new text; otherwise all have their old text again.
    pub finished: bool,
    /// Files with neither the old nor the new text, left unchanged.
    pub left: Vec<PathBuf>,
    /// Temporary files that could not be removed; the next start tries again.
    pub leftovers: Vec<PathBuf>,
}

/// The state of an entry's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Old,
    New,
    Other,
}

/// An entry of a journal with its place.
struct Found<'a> {
    entry: &'a Entry,
    path: PathBuf,
    place: FilePlace,
    now: Now,
    bytes: Option<Vec<u8>>,
}

/// Finishes or rolls back every batch whose process is gone, and returns the results.
///
/// Changes a file only if it has exactly the old or the new content according to the journal; leaves any other file
/// unchanged and reports it.
#[expect(clippy::must_use_candidate, reason = "the recovery matters even if the caller ignores its results")]
pub fn recover(state: &State) -> Vec<Recovered> {
    let orphans = Pending::orphans(state).into_iter();
    orphans.filter_map(|(pending, record)| recover_one(state, pending, &record)).collect()
}

/// Returns the journals of unfinished batches that [`recover`] cannot read: they are damaged, or of another version. Their
/// files may be old or new.
#[must_use]
pub fn unreadable(state: &State) -> Vec<PathBuf> {
    Pending::unreadable(state)
}

fn recover_one(state: &State, pending: Pending, record: &Record) -> Option<Recovered> {
    let paths = record.paths();
    let mut locks = Locks::default();
    let deadline = Instant::now().checked_add(WAIT);
    // A file that another process is writing can wait for the next start.
    locks.take(state, paths.iter().map(PathBuf::as_path), deadline, || Ok::<(), Error>(())).ok()?;
    finish_or_roll_back(state, pending, record)
}

/// Finishes a batch if every file is new or unknown; otherwise rolls it back.
fn finish_or_roll_back(state: &State, pending: Pending, record: &Record) -> Option<Recovered> {
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
            if roll_back(it, &id, *index).is_err() {
                left.push(it.path.clone());
            }
        }
    }
    // Directories that were created for files that do not exist now.
    for (_, it) in &found {
        let there = if finished { &it.entry.after } else { &it.entry.before };
        if there.is_none() {
            remove_directories(&it.path, it.entry.directories);
        }
    }
    match (finished, left.is_empty()) {
        // The journal is kept, because it names the leftovers.
        (_, true) if !leftovers.is_empty() => {}
        (true, true) => _ = pending.finish(state, record),
        (false, true) => pending.discard(),
        (_, false) => pending.leave(state),
    }
    Some(Recovered { finished, left, leftovers })
}

/// Examines the place of an entry and removes its temporary files.
fn find<'a>(
    everything: &Root,
    entry: &'a Entry,
    id: &str,
    index: usize,
    leftovers: &mut Vec<PathBuf>,
) -> Option<Found<'a>> {
    let path = entry.path();
    let place = everything.place_without_links(&path).ok()?;
    // A rollback has temporary names of its own, with the roles of old and new exchanged.
    let rollback =
        (rollback_id(id), Side { print: &entry.before, executable: entry.executable.map(|executable| !executable) });
    for (id, staged) in [(id.to_owned(), Side { print: &entry.after, executable: entry.executable }), rollback] {
        let aside = file_ops::beside(&place, aside_name(&id, index));
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

/// The old or the new state of an entry's file.
struct Side<'e> {
    print: &'e Option<Print>,
    /// Whether it is executable, if the bytes of both states are equal.
    executable: Option<bool>,
}

impl Side<'_> {
    /// Returns whether a file has this state.
    fn is(&self, file: Option<&Snapshot>) -> bool {
        Print::of(file.map(|file| &*file.bytes)) == *self.print
            && self.executable.is_none_or(|executable| file.is_some_and(|file| file.is_executable() == executable))
    }
}

/// Returns the bytes at a place if they may be those of the entry; fails for a larger file.
fn look(entry: &Entry, path: &Path, place: &FilePlace) -> Result<Option<Vec<u8>>, Error> {
    Ok(read(entry, path, place)?.map(|snapshot| snapshot.bytes))
}

/// Reads the file at a place, if it exists and may be that of the entry.
fn read(entry: &Entry, path: &Path, place: &FilePlace) -> Result<Option<Snapshot>, Error> {
    match Snapshot::read(path, place.clone(), entry.largest()) {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(Error::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the temporary file that a killed process left, unless it has another program's text.
///
/// It had the new text, `staged`, until that replaced the file, and the old content afterwards. If the journal does not
/// know that content, it is moved back.
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
            Ok(None) if came_in => return file_ops::appear(aside, place).ok(),
            Ok(_) if came_in && entry.before.is_some() && entry.after.is_some() => {
                if !file_ops::exchange(place, aside).ok()? {
                    return None;
                }
            }
            // The temporary file is incomplete.
            Ok(Some(bytes)) if entry.is_known(&bytes) => {}
            Ok(None) if entry.before.is_none() || entry.after.is_none() => {}
            // Neither content is known, so both files remain.
            _ => return None,
        }
    }
    file_ops::remove(aside);
    Some(())
}

/// Restores the old text of a file.
fn roll_back(found: &Found<'_>, id: &str, index: usize) -> Result<(), Error> {
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
    let batch =
        Batch { id: rollback_id(id), first: index, steps: &[step], in_place: found.entry.in_place, maker: None };
    batch.write_unrecorded().map_err(|(_, error)| error)
}

/// Returns the id of a batch's rollback.
fn rollback_id(id: &str) -> String {
    format!("{id}r")
}
