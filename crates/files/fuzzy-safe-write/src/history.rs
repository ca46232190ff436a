//! The batches that are not whole yet, and those that can be taken back.
//!
//! The journal of a batch stays in the folder `pending` until the batch is whole. Then it moves to `done`, where the
//! newest ones are kept.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::PathBuf;

use crate::change::Mode;
use crate::file::Snapshot;
use crate::journal::{Journal, Unreadable};
use crate::record::{Entry, Record};
use crate::root::Root;
use crate::state::names;
use crate::step::Step;
use crate::sys::{self, Directory};
use crate::{Error, State};

/// How many batches can be taken back, at most.
const KEPT: usize = 64;

/// How large the journals of these are together, at most, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// What the name of a journal ends in whose files were not all put right.
const LEFT: &str = ".left";

/// The folder of journals whose batches are not whole.
const PENDING: &str = "pending";

/// The folder of journals whose batches were carried out.
const DONE: &str = "done";

/// A journal of a batch that is not whole yet.
#[derive(Debug)]
pub(crate) struct Pending(Journal);

/// A journal of a batch that was carried out.
#[derive(Debug)]
pub struct Done {
    id: String,
    record: Record,
    /// Locked, so that a batch is taken back once.
    _journal: Journal,
}

impl Pending {
    /// Writes down what batch `id` is going to do. A batch of several files survives a loss of power from here on.
    pub(crate) fn begin(state: &State, id: &str, record: &Record) -> Result<Self, Error> {
        Journal::create(state, PENDING, id, record, record.entries.len() > 1).map(Self)
    }

    /// Returns the journals that processes left, with what they say, and removes those that say nothing.
    pub(crate) fn orphans(state: &State) -> Vec<(Self, Record)> {
        let mut orphans = Vec::new();
        for mut journal in Journal::orphans(state, PENDING) {
            match journal.read::<Record>() {
                Ok(record) if record.is_known() => orphans.push((Self(journal), record)),
                // It was not written to its end, so that nothing else was.
                Err(Unreadable::Torn) => journal.discard(),
                Ok(_) | Err(Unreadable::Unknown) => {}
            }
        }
        orphans
    }

    /// Returns the name of the batch.
    pub(crate) fn id(&self) -> String {
        self.0.id()
    }

    /// Notes that the batch is whole. If it took an earlier one back, both are forgotten.
    pub(crate) fn finish(self, state: &State, record: &Record) {
        match &record.undoes {
            None => self.keep(state, OsStr::new("")),
            Some(undone) => {
                for folder in state.existing(DONE) {
                    let _ = sys::remove(&folder, undone.as_ref());
                }
                self.discard();
            }
        }
    }

    /// Keeps a journal some of whose files were neither old nor new, for people to read.
    pub(crate) fn leave(self, state: &State) {
        self.keep(state, OsStr::new(LEFT));
    }

    /// Forgets a batch that changed nothing.
    pub(crate) fn discard(self) {
        self.0.discard();
    }

    fn keep(self, state: &State, suffix: &OsStr) {
        let kept = state.folder(DONE).is_ok_and(|done| {
            let is_kept = self.0.move_to(&done, suffix).is_ok();
            prune(&done);
            is_kept
        });
        if !kept {
            // The batch is whole; that it cannot be taken back is the lesser evil.
            self.discard();
        }
    }
}

impl Done {
    /// Returns the newest batch that `is_meant` by its name and what it did, and nobody else is taking back.
    pub fn newest(state: &State, is_meant: impl Fn(&str, &Record) -> bool) -> Option<Self> {
        let (journal, record) = Journal::newest(state, DONE, |name, record| {
            is_whole(name, record) && is_meant(&name.to_string_lossy(), record)
        })?;
        Some(Self { id: journal.id(), record, _journal: journal })
    }

    /// Returns the names of the batches that can be taken back, with what they did, the newest first.
    #[must_use]
    pub fn all(state: &State) -> Vec<(String, Record)> {
        Journal::all(state, DONE, is_whole)
    }

    /// Returns the name of the batch.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what the journal says.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }
}

/// Returns whether a journal tells of a batch that can be taken back.
fn is_whole(name: &OsStr, record: &Record) -> bool {
    !name.as_encoded_bytes().ends_with(LEFT.as_bytes()) && record.is_known()
}

impl Record {
    /// Returns the batch that takes this one back; the caller that writes it holds the locks of its files.
    ///
    /// # Errors
    ///
    /// The file in question and [`Error::Stale`] if it does not hold what the batch wrote, or why it cannot be read.
    pub fn steps(&self) -> Result<Vec<Step<'static>>, (PathBuf, Error)> {
        let everything = Root::everything().map_err(|error| (PathBuf::from("/"), error))?.allowing_git();
        let entries = self.entries.iter();
        entries.map(|entry| step(&everything, entry).map_err(|error| (entry.path(), error))).collect()
    }

    /// Returns when the batch of this name was begun, in milliseconds since 1970.
    #[must_use]
    pub fn time_ms(id: &str) -> Option<u64> {
        let nanoseconds = u128::from_str_radix(id.get(..20)?, 16).ok()?;
        u64::try_from(nanoseconds / 1_000_000).ok()
    }
}

/// Returns what takes back one entry.
fn step(everything: &Root, entry: &Entry) -> Result<Step<'static>, Error> {
    let path = entry.path();
    let Ok(place) = everything.place_without_links(&path) else { return Err(Error::Stale { path }) };
    let before = match Snapshot::read(&path, place.clone(), entry.largest()) {
        Ok(snapshot) => Some(snapshot.bytes),
        Err(Error::Missing { .. }) => None,
        Err(Error::TooLarge { .. } | Error::NotAFile { .. }) => return Err(Error::Stale { path }),
        Err(error) => return Err(error),
    };
    let Ok(after) = entry.reverse(before.as_deref()) else { return Err(Error::Stale { path }) };
    let (attributes, directories) = (entry.attributes.clone(), entry.directories);
    let (before, after) = (before.map(Cow::Owned), after.map(Cow::Owned));
    Ok(Step { path, place, before, after, attributes, mode: Mode::Any, directories })
}

/// Removes the oldest journals until as many are left as are kept.
fn prune(done: &Directory) {
    let mut bytes = 0;
    for (index, name) in names(done).iter().rev().enumerate() {
        bytes += sys::look(done, name).map_or(0, |stat| stat.length);
        if index >= KEPT || bytes > KEPT_BYTES {
            let _ = sys::remove(done, name);
        }
    }
}
