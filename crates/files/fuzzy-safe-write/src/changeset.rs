//! Changes of many paths that go on while others write there.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::apply_path::{Direction, Outcome, Settled};
use crate::batch::new_id;
use crate::change::{Change, Durability};
use crate::item::Item;
use crate::journal::Journal;
use crate::object::Object;
use crate::preflight::{Checked, check};
use crate::record::Bytes;
use crate::root::Root;
use crate::stage::{stage, sync_files};
use crate::{Error, State, open_writers, sys};

/// The folder of the journals of changesets.
const FOLDER: &str = "changesets";

/// Changes of many paths of one root, all of which are written beside their paths and wait to take their places.
///
/// Every path is old or new at any moment. One that someone else changed since the plan was made keeps what they wrote,
/// and is named; the others go on. Until [`finish`](Self::finish) the old objects are beside their paths, so that
/// [`abort`](Self::abort) needs neither space nor anything but renames. A changeset that is dropped before that, or
/// whose process is killed, is found by [`interrupted`](Self::interrupted).
///
/// The caller holds the [`Locks`](crate::Locks) of the paths, if others that take them may write there.
#[derive(Debug)]
pub struct Changeset<'r> {
    root: &'r Root,
    journal: Journal,
    items: Vec<Item>,
    durability: Durability,
}

/// A section of the journal of a changeset.
#[derive(Serialize, Deserialize)]
enum Section {
    /// What is about to be written beside the paths.
    Plan(u32, Vec<Planned>),
    /// What is beside them.
    Staged(Vec<Option<Object>>),
    /// The paths are settled, and what is beside them is of no more use.
    Settled(Direction),
}

/// An item as the journal has it.
#[derive(Serialize, Deserialize)]
struct Planned {
    path: Bytes,
    home: usize,
    before: Option<Object>,
    missing: usize,
    cleared: Vec<(Bytes, u32)>,
    prune: usize,
}

/// The version of the journal that is written, and the only one that is read.
const VERSION: u32 = 1;

impl<'r> Changeset<'r> {
    /// Checks all changes, then writes what is new beside its path; no path is changed yet.
    ///
    /// `load` is called once for each change that has an `after`, with its index, in order; it gives the bytes of the
    /// file or the target of the link. `state` is where the journal is; it belongs to this root alone.
    ///
    /// # Errors
    ///
    /// [`Error::Changed`] with every path that does not hold what the plan saw, [`Error::Permission`] for the first
    /// that must not be written, [`Error::OutsideRoot`], what `load` says, or what the system says. In each case
    /// nothing was changed, and nothing is left.
    pub fn begin(
        root: &'r Root,
        state: &State,
        changes: &[Change],
        durability: Durability,
        load: impl FnMut(usize) -> io::Result<Vec<u8>>,
    ) -> Result<Self, Error> {
        let checked = check(root, changes)?;
        let (id, is_synced) = (new_id(), durability == Durability::PowerLoss);
        let planned = checked.iter().map(Planned::of).collect();
        let journal = Journal::create(state, FOLDER, &id, &Section::Plan(VERSION, planned), is_synced)?;
        let items = checked.iter().enumerate().map(|(index, it)| it.item.clone().beside(&id, index)).collect();
        let mut changeset = Self { root, journal, items, durability };
        match changeset.stage(changes, &checked, load) {
            Ok(()) => Ok(changeset),
            Err(error) => {
                if changeset.remove_unstaged().is_ok() {
                    changeset.journal.discard();
                }
                Err(error)
            }
        }
    }

    /// Returns the changesets whose processes are gone, oldest first, and clears away what is left of those that had
    /// changed no path yet, or had settled all.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn interrupted(root: &'r Root, state: &State) -> Result<Vec<Self>, Error> {
        let mut found = Vec::new();
        for mut journal in Journal::orphans(state, FOLDER) {
            let Ok(sections) = journal.sections::<Section>() else { continue };
            let id = journal.id();
            let mut sections = sections.into_iter();
            let planned = match sections.next() {
                Some(Section::Plan(VERSION, planned)) => planned,
                // It was not written to its end, so that nothing else was.
                None => {
                    journal.discard();
                    continue;
                }
                Some(_) => continue,
            };
            let items = planned.iter().enumerate().map(|(index, it)| it.item().beside(&id, index)).collect();
            let mut changeset = Self { root, journal, items, durability: Durability::PowerLoss };
            match (sections.next(), sections.next()) {
                (Some(Section::Staged(staged)), None) => {
                    changeset.staged(staged);
                    found.push(changeset);
                }
                (Some(Section::Staged(staged)), Some(Section::Settled(direction))) => {
                    changeset.staged(staged);
                    changeset.tidy(direction, &mut Outcome::default())?;
                }
                (None, _) => {
                    changeset.remove_unstaged()?;
                    changeset.journal.discard();
                }
                // No program of ours writes that.
                (Some(_), _) => {}
            }
        }
        Ok(found)
    }

    /// Returns the paths that no longer hold what the plan saw, sorted; of use before the first
    /// [`apply`](Self::apply), when everything can still be planned anew.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn differing(&self) -> Result<Vec<PathBuf>, Error> {
        let mut differing = Vec::new();
        for item in &self.items {
            if !item.is_untouched(self.root).map_err(|error| Error::reading(&item.path())(error))? {
                differing.push(item.path());
            }
        }
        differing.sort();
        Ok(differing)
    }

    /// Returns every path what is to be there, but for those that someone else changed; can be called again.
    ///
    /// # Errors
    ///
    /// What the system says. The other paths can still be written, or taken back.
    pub fn apply(&mut self) -> Result<Outcome, Error> {
        self.apply_with_progress(&|| ())
    }

    /// As [`apply`](Self::apply); calls `callback` after each path.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub fn apply_with_progress(&mut self, callback: &dyn Fn()) -> Result<Outcome, Error> {
        self.settle(Direction::Forward, callback)
    }

    /// Looks at every path once more, as [`apply`](Self::apply) does, and removes the old objects.
    ///
    /// Someone who held an old file open and saved to it since finds their text at the path. One who holds it open for
    /// longer than this still writes to a file that has a name beside the path, which is returned as
    /// [`held`](Outcome::held).
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub fn finish(self) -> Result<Outcome, Error> {
        self.end(Direction::Forward)
    }

    /// Returns every path what was there, but for those that someone else changed since.
    ///
    /// # Errors
    ///
    /// What the system says; it can be tried again by way of [`interrupted`](Self::interrupted).
    pub fn abort(self) -> Result<Outcome, Error> {
        self.end(Direction::Back)
    }

    fn end(mut self, direction: Direction) -> Result<Outcome, Error> {
        // A process that is just saving to an old file shall find that file at the path.
        open_writers::wait(&self.besides());
        let mut outcome = self.settle(direction, &|| ())?;
        if self.durability == Durability::PowerLoss {
            self.sync();
        }
        // If that is lost, or there is no room for it, the next process is asked for the direction once more.
        let _ = self.journal.append(&Section::Settled(direction), false);
        self.tidy(direction, &mut outcome)?;
        Ok(outcome)
    }

    fn stage(
        &mut self,
        changes: &[Change],
        checked: &[Checked],
        mut load: impl FnMut(usize) -> io::Result<Vec<u8>>,
    ) -> Result<(), Error> {
        let mut staged = Vec::with_capacity(self.items.len());
        for (item, checked) in self.items.iter().zip(checked) {
            let object = match changes[checked.change].after {
                Some(wanted) => {
                    let bytes = load(checked.change).map_err(|source| Error::Io { path: item.path(), source })?;
                    let staged = stage(self.root, item, wanted, &bytes, self.durability);
                    Some(staged.map_err(|error| item.failed(error))?)
                }
                None => None,
            };
            staged.push(object);
        }
        let is_synced = self.durability == Durability::PowerLoss;
        if is_synced {
            sync_files(self.root).map_err(Error::writing(self.root.path()))?;
        }
        self.journal.append(&Section::Staged(staged.clone()), is_synced)?;
        self.staged(staged);
        Ok(())
    }

    /// Notes what is beside the paths.
    fn staged(&mut self, staged: Vec<Option<Object>>) {
        for (item, object) in self.items.iter_mut().zip(staged) {
            item.after = object;
        }
    }

    fn settle(&mut self, direction: Direction, told: &dyn Fn()) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        for index in 0..self.items.len() {
            let item = match direction {
                Direction::Forward => &self.items[index],
                Direction::Back => &self.items[self.items.len() - 1 - index],
            };
            match item.settle(self.root, direction).map_err(|error| item.failed(error))? {
                Settled::Done => {}
                Settled::Changed => outcome.changed.push(item.path()),
                Settled::Blocked => outcome.blocked.push(item.path()),
            }
            told();
        }
        outcome.changed.sort();
        outcome.blocked.sort();
        Ok(outcome)
    }

    /// Removes what is beside settled paths, directories that were emptied, and the journal; adds what is left beside to
    /// the outcome.
    fn tidy(self, direction: Direction, outcome: &mut Outcome) -> Result<(), Error> {
        self.clear(outcome)?;
        if direction == Direction::Forward {
            for item in self.items.iter().filter(|item| item.after.is_none()) {
                item.prune(self.root).map_err(|error| item.failed(error))?;
            }
        }
        self.journal.discard();
        Ok(())
    }

    fn clear(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let open = sys::open_for_writing(&self.besides());
        self.items.iter().try_for_each(|item| item.clear(self.root, &open, outcome).map_err(|error| item.failed(error)))
    }

    /// Returns the names beside the paths, and the absolute paths of them.
    fn besides(&self) -> BTreeMap<OsString, PathBuf> {
        let besides = |item: &Item| item.besides().map(|name| (name.clone(), item.path_beside(&name)));
        let below = self.items.iter().flat_map(besides);
        below.map(|(name, path)| (name, self.root.path().join(path))).collect()
    }

    /// Removes what was being written beside the paths, which may be cut short and is no one else's.
    fn remove_unstaged(&self) -> Result<(), Error> {
        self.items.iter().try_for_each(|item| item.remove_aside(self.root).map_err(|error| item.failed(error)))
    }

    /// Makes the changes durable, each directory once.
    fn sync(&self) {
        let mut synced = BTreeSet::new();
        for item in &self.items {
            if synced.insert((&item.names[..item.names.len() - 1], item.home)) {
                item.sync(self.root);
            }
        }
    }
}

impl Planned {
    fn of(checked: &Checked) -> Self {
        let item = &checked.item;
        Self {
            path: Bytes::of_path(&item.path()),
            home: item.home,
            before: item.before.clone(),
            missing: item.missing,
            cleared: item.cleared.iter().map(|(names, mode)| (Bytes::of_names(names), *mode)).collect(),
            prune: item.prune,
        }
    }

    fn item(&self) -> Item {
        Item {
            names: self.path.to_names(),
            home: self.home,
            aside: OsString::new(),
            before: self.before.clone(),
            after: None,
            missing: self.missing,
            cleared: self.cleared.iter().map(|(path, mode)| (path.to_names(), *mode)).collect(),
            prune: self.prune,
        }
    }
}
