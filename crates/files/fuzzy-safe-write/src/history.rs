//! The journals of unfinished batches, and of finished batches that can be undone.
//!
//! The journal of a batch is in the folder `pending` until the batch is finished. Then it moves to `done`, which keeps
//! the newest journals.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::PathBuf;

use serde::Deserialize;

use crate::change::Mode;
use crate::file::Snapshot;
use crate::id::new_id_after;
use crate::journal::{Journal, Unreadable};
use crate::record::{Entry, Merge, Record};
use crate::root::Root;
use crate::state::names;
use crate::step::Step;
use crate::sys::{self, Directory};
use crate::{Error, State};

/// Batches that can be undone, at most.
const KEPT: usize = 64;

/// Total size of their journals, at most, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// The suffix of a journal whose recovery left files in an unknown state.
const LEFT: &str = ".left";

/// The suffix of the journal of an undo of an undo. The newest one is kept for its name: later names must sort after it.
const SPENT: &str = ".spent";

/// The folder of the journals of unfinished batches.
const PENDING: &str = "pending";

/// The folder of the journals of finished batches.
const DONE: &str = "done";

/// The journal of an unfinished batch.
#[derive(Debug)]
pub(crate) struct Pending(Journal);

/// The journal of a finished batch.
#[derive(Debug)]
pub struct Done {
    id: String,
    record: Record,
    /// Locked, so that no other process undoes the batch too.
    _journal: Journal,
}

impl Pending {
    /// Writes the journal of batch `id`. From here on a batch of several files survives a loss of power.
    pub(crate) fn begin(state: &State, id: &str, record: &Record) -> Result<Self, Error> {
        Journal::create(state, PENDING, id, record, record.entries.len() > 1).map(Self)
    }

    /// Returns the journals of processes that are gone, with their records; removes incomplete ones.
    pub(crate) fn orphans(state: &State) -> Vec<(Self, Record)> {
        let mut orphans = Vec::new();
        for (_, mut journal) in Journal::orphans(state, PENDING) {
            match journal.read::<Record>() {
                Ok(record) if record.is_known() => orphans.push((Self(journal), record)),
                // The journal is incomplete, so the batch had written nothing else.
                Err(Unreadable::Torn) => journal.discard(),
                Ok(_) | Err(Unreadable::Unknown) => {}
            }
        }
        orphans
    }

    /// Returns the paths of the journals of processes that are gone and that cannot be read. After
    /// [`orphans`](Self::orphans), no incomplete one is left.
    pub(crate) fn unreadable(state: &State) -> Vec<PathBuf> {
        let orphans = Journal::orphans(state, PENDING).into_iter();
        let is_known = |journal: &mut Journal| journal.read().is_ok_and(|record: Record| record.is_known());
        orphans.filter_map(|(path, mut journal)| (!is_known(&mut journal)).then_some(path)).collect()
    }

    /// Returns the id of the batch.
    pub(crate) fn id(&self) -> String {
        self.0.id()
    }

    /// Marks the batch as finished. The undo of an undo brings the first batch back, so the journal of that undo is
    /// removed, and this one is only a name. Returns whether the batch can be undone.
    pub(crate) fn finish(self, state: &State, record: &Record) -> bool {
        let undone = record.undoes.as_ref().map(OsStr::new);
        let Some(undo) = undone.filter(|undone| is_undo(state, undone)) else {
            return self.keep(state, OsStr::new(""));
        };
        for folder in state.existing(DONE) {
            let _ = sys::remove(&folder, undo);
        }
        self.keep(state, OsStr::new(SPENT))
    }

    /// Keeps the journal of a batch with files in an unknown state, for people to read.
    pub(crate) fn leave(self, state: &State) {
        let _ = self.keep(state, OsStr::new(LEFT));
    }

    /// Removes the journal of a batch that changed nothing.
    pub(crate) fn discard(self) {
        self.0.discard();
    }

    fn keep(self, state: &State, suffix: &OsStr) -> bool {
        let kept = state.folder(DONE).is_ok_and(|done| {
            let is_kept = self.0.move_to(&done, suffix).is_ok();
            prune(&done);
            is_kept
        });
        if !kept {
            // The batch is written; losing its undo is better than recovering a finished batch.
            self.discard();
        }
        kept
    }
}

impl Done {
    /// Returns the newest batch for which `matches` holds, given its id and record, and that is neither undone nor an undo.
    /// With an id, returns only the batch with that id, which may be an undo. Waits for a process that undoes it.
    ///
    /// # Errors
    ///
    /// Returns the path of a newer journal that cannot be read, because its batch may be the wanted one. It may be that
    /// of an unfinished batch.
    pub fn newest(
        state: &State,
        id: Option<&str>,
        matches: impl Fn(&str, &Record) -> bool,
    ) -> Result<Option<Self>, PathBuf> {
        let is_wanted = |name: &OsStr| !is_inert(name) && id.is_none_or(|id| name == id);
        let found = loop {
            let undone = undone(state);
            let found = Journal::newest(state, DONE, is_wanted, |name, record: &Record| {
                let name = name.to_string_lossy();
                let is_live = !undone.contains(&*name) && (id.is_some() || record.undoes.is_none());
                record.is_known().then(|| is_live && matches(&name, record))
            })?;
            // Another process may have undone it before it let go of the lock.
            match &found {
                Some((journal, _)) if self::undone(state).contains(&journal.id()) => {}
                _ => break found,
            }
        };
        let last = found.as_ref().map(|(journal, _)| journal.id());
        let is_newer = |path: &PathBuf| last.as_deref().is_none_or(|last| path.file_name() > Some(last.as_ref()));
        if let Some(path) = Pending::unreadable(state).into_iter().find(|path| id.is_none() && is_newer(path)) {
            return Err(path);
        }
        Ok(found.map(|(journal, record)| Self { id: journal.id(), record, _journal: journal }))
    }

    /// Returns the name of the newest batch, undos included.
    #[must_use]
    pub fn newest_name(state: &State) -> Option<String> {
        let all = state.existing(DONE).into_iter().flat_map(|folder| names(&folder));
        let newest = all.filter(|name| !is_left(name)).max()?.to_string_lossy().into_owned();
        Some(newest.strip_suffix(SPENT).map(str::to_owned).unwrap_or(newest))
    }

    /// Returns the ids and records of the batches, the newest first, undone ones and undos included, and the paths of the
    /// journals that cannot be read, those of unfinished batches included.
    #[must_use]
    pub fn all(state: &State) -> (Vec<(String, Record)>, Vec<PathBuf>) {
        let (mut known, mut unreadable) = (Vec::new(), Pending::unreadable(state));
        for (path, name, record) in Journal::all::<Record>(state, DONE) {
            match record {
                _ if is_inert(&name) => {}
                Some(record) if record.is_known() => known.push((name.to_string_lossy().into_owned(), record)),
                _ => unreadable.push(path),
            }
        }
        (known, unreadable)
    }

    /// Deletes the journals of batches for which `matches` holds, given their ids and records, so that they cannot be
    /// undone. Returns their number.
    ///
    /// # Errors
    ///
    /// Returns an error of the system, with the path of the journal.
    pub fn forget(state: &State, matches: impl Fn(&str, &Record) -> bool) -> Result<usize, Error> {
        let mut forgotten = 0;
        for (path, name, record) in Journal::all::<Record>(state, DONE) {
            let id = name.to_string_lossy();
            let id = [LEFT, SPENT].iter().find_map(|suffix| id.strip_suffix(suffix)).unwrap_or(&id);
            if record.is_some_and(|record| record.is_known() && matches(id, &record)) {
                std::fs::remove_file(&path).map_err(|source| Error::State { path, source })?;
                forgotten += 1;
            }
        }
        Ok(forgotten)
    }

    /// Returns the id of the batch.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the record of the batch.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }
}

/// Returns whether a journal belongs to a batch whose recovery left files in an unknown state.
fn is_left(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(LEFT.as_bytes())
}

/// Returns whether no batch can be undone by a journal: its files are in an unknown state, or it is only a name.
fn is_inert(name: &OsStr) -> bool {
    is_left(name) || name.as_encoded_bytes().ends_with(SPENT.as_bytes())
}

/// Returns the names of the batches that are undone.
fn undone(state: &State) -> HashSet<String> {
    let all = Journal::all::<Undoes>(state, DONE).into_iter().filter(|(_, name, _)| !is_inert(name));
    all.filter_map(|(_, _, record)| record?.undoes).collect()
}

/// Returns whether a finished batch is an undo.
fn is_undo(state: &State, id: &OsStr) -> bool {
    let all = Journal::all::<Undoes>(state, DONE);
    all.into_iter().any(|(_, name, record)| name == id && record.is_some_and(|record| record.undoes.is_some()))
}

/// The part of a record that names the undone batch.
#[derive(Deserialize)]
struct Undoes {
    undoes: Option<String>,
}

impl Record {
    /// Returns the steps that undo the batch. The caller that writes them holds the locks of the files. A text that changed
    /// since is merged.
    ///
    /// # Errors
    ///
    /// Returns the path of a file with [`Error::Stale`] if the file differs from the batch's result and its changes since
    /// conflict or it is no text, or with the reason why it cannot be read.
    pub fn steps(&self, merge: Merge<'_>) -> Result<Vec<Step<'static>>, (PathBuf, Error)> {
        let everything = Root::everything().map_err(|error| (PathBuf::from("/"), error))?.allowing_git();
        let entries = self.entries.iter();
        entries.map(|entry| step(&everything, entry, merge).map_err(|error| (entry.path(), error))).collect()
    }

    /// Returns the start of the batch with this id, in milliseconds since 1970, by the clock at that time.
    #[must_use]
    pub fn time_ms(&self, id: &str) -> Option<u64> {
        self.time_ms.or_else(|| u64::try_from(number(id.as_ref())? / 1_000_000).ok())
    }
}

/// Returns a name for the next batch, which sorts after those of all earlier ones: the clock may have been set back.
pub(crate) fn next_id(state: &State) -> String {
    let folders = [PENDING, DONE].into_iter().flat_map(|folder| state.existing(folder));
    let last = folders.flat_map(|folder| names(&folder)).filter_map(|name| number(&name)).max();
    new_id_after(last.unwrap_or_default())
}

/// Returns the number at the start of a batch's name, which orders the batches.
fn number(name: &OsStr) -> Option<u128> {
    u128::from_str_radix(name.to_str()?.get(..20)?, 16).ok()
}

/// Returns the step that undoes one entry.
pub(crate) fn step(everything: &Root, entry: &Entry, merge: Merge<'_>) -> Result<Step<'static>, Error> {
    let path = entry.path();
    let Ok(place) = everything.place_without_links(&path) else { return Err(Error::Stale { path }) };
    let before = match Snapshot::read(&path, place.clone(), entry.limit()) {
        Ok(snapshot) => Some(snapshot.bytes),
        Err(Error::Missing { .. }) => None,
        Err(Error::TooLarge { .. } | Error::NotAFile { .. }) => return Err(Error::Stale { path }),
        Err(error) => return Err(error),
    };
    let after = match entry.reverse(before.as_deref()) {
        Ok(after) => after,
        Err(_) => match entry.merged(before.as_deref(), merge) {
            Some(merged) => Some(merged),
            None => return Err(Error::Stale { path }),
        },
    };
    let (attributes, directories) = (entry.attributes.clone(), entry.directories);
    let (before, after) = (before.map(Cow::Owned), after.map(Cow::Owned));
    Ok(Step { path, place, before, after, attributes, mode: Mode::Any, directories })
}

/// Removes the oldest journals beyond the limits.
fn prune(done: &Directory) {
    let mut bytes = 0;
    let all = names(done);
    let newest = all.last();
    for name in all.iter().filter(|name| name.as_encoded_bytes().ends_with(SPENT.as_bytes()) && Some(*name) != newest) {
        let _ = sys::remove(done, name);
    }
    for (index, name) in names(done).iter().rev().enumerate() {
        bytes += sys::look(done, name).map_or(0, |stat| stat.length);
        if index >= KEPT || bytes > KEPT_BYTES {
            let _ = sys::remove(done, name);
        }
    }
}
