//! Changes many paths while other programs may write there.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::apply_path::{Direction, Outcome, PathOutcome};
use crate::change::{Change, Durability};
use crate::id::new_id;
use crate::item::Item;
use crate::journal::Journal;
use crate::object::Object;
use crate::preflight::{Checked, check};
use crate::record::Bytes;
use crate::root::Root;
use crate::stage::{stage, sync_files};
use crate::{Error, State, open_writers, sys};

/// The folder of the changesets' journals.
const FOLDER: &str = "changesets";

/// Changes of many paths below one root. All new files are first written beside their paths.
///
/// Every path is old or new at any moment. A path that another program changed since the plan was made keeps that
/// program's text and is reported; the other paths still change. Until [`finish`](Self::finish) the old objects remain
/// beside their paths, so that [`abort`](Self::abort) needs only renames and no space.
/// [`interrupted`](Self::interrupted) finds a changeset that was dropped before `finish` or whose process was killed.
///
/// The caller holds the [`Locks`](crate::Locks) of the paths, if other users of these locks may write there.
#[derive(Debug)]
pub struct Changeset<'r> {
    root: &'r Root,
    journal: Journal,
    items: Vec<Item>,
    durability: Durability,
}

/// A section of a changeset's journal.
#[derive(Serialize, Deserialize)]
enum Section {
    /// The changeset is about to write files beside the paths.
    Plan(u32, Vec<Planned>),
    /// The files beside the paths are written.
    Staged(Vec<Option<Object>>),
    /// All paths have their final state; the files beside them are obsolete.
    Settled(Direction),
}

/// An item in the journal.
#[derive(Serialize, Deserialize)]
struct Planned {
    path: Bytes,
    home: usize,
    before: Option<Object>,
    missing: usize,
    cleared: Vec<(Bytes, u32)>,
    prune: usize,
}

/// The version of the journal that is written, and the only one that can be read.
const VERSION: u32 = 1;

impl<'r> Changeset<'r> {
    /// Checks all changes, then writes the new files beside their paths; changes no path yet.
    ///
    /// `load` is called once for each change with an `after`, in order, with its index; it returns the bytes of the
    /// file or the target of the link. `state` has the journal; it must belong to this root only.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Changed`] with every path that differs from the plan, [`Error::Permission`] for the first path
    /// that must not be written, [`Error::OutsideRoot`], an error of `load`, or an error of the system. In each case
    /// nothing is changed and nothing left over.
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

    /// Returns the changesets whose processes are gone, the oldest first. Removes the leftovers of changesets that had
    /// changed no path yet or all paths.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
    pub fn interrupted(root: &'r Root, state: &State) -> Result<Vec<Self>, Error> {
        let mut found = Vec::new();
        for (_, mut journal) in Journal::orphans(state, FOLDER) {
            let Ok(sections) = journal.sections::<Section>() else { continue };
            let id = journal.id();
            let mut sections = sections.into_iter();
            let planned = match sections.next() {
                Some(Section::Plan(VERSION, planned)) => planned,
                // The journal is incomplete, so the changeset had written nothing else.
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
                // This program never writes such a sequence.
                (Some(_), _) => {}
            }
        }
        Ok(found)
    }

    /// Returns the paths that differ from the plan, sorted. Call it before the first [`apply`](Self::apply), while a
    /// new plan is still possible.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
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

    /// Brings every path to its wanted state, except those that another program changed; can be repeated.
    ///
    /// # Errors
    ///
    /// Returns an error of the system. The other paths can still be applied or rolled back.
    pub fn apply(&mut self) -> Result<Outcome, Error> {
        self.apply_with_progress(&|| ())
    }

    /// Does the same as [`apply`](Self::apply), and calls `callback` after each path.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`apply`](Self::apply).
    pub fn apply_with_progress(&mut self, callback: &dyn Fn()) -> Result<Outcome, Error> {
        self.apply_in(Direction::Forward, callback)
    }

    /// Applies once more, then removes the old objects.
    ///
    /// A program that held an old file open and saved to it since finds its text at the path. A program that holds it
    /// open for longer writes to a file whose name beside the path is returned in [`held`](Outcome::held).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`apply`](Self::apply).
    pub fn finish(self) -> Result<Outcome, Error> {
        self.end(Direction::Forward)
    }

    /// Brings every path back to its old state, except those that another program changed since.
    ///
    /// # Errors
    ///
    /// Returns an error of the system; [`interrupted`](Self::interrupted) finds the changeset for another attempt.
    pub fn abort(self) -> Result<Outcome, Error> {
        self.end(Direction::Back)
    }

    fn end(mut self, direction: Direction) -> Result<Outcome, Error> {
        // A program that is saving to an old file must find that file at the path.
        open_writers::wait(&self.besides());
        let mut outcome = self.apply_in(direction, &|| ())?;
        if self.durability == Durability::PowerLoss {
            self.sync();
        }
        // If this section is lost or does not fit on the disk, the next process has to choose the direction again.
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

    /// Records the objects beside the paths.
    fn staged(&mut self, staged: Vec<Option<Object>>) {
        for (item, object) in self.items.iter_mut().zip(staged) {
            item.after = object;
        }
    }

    fn apply_in(&mut self, direction: Direction, on_path: &dyn Fn()) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        for index in 0..self.items.len() {
            let item = match direction {
                Direction::Forward => &self.items[index],
                Direction::Back => &self.items[self.items.len() - 1 - index],
            };
            match item.apply(self.root, direction).map_err(|error| item.failed(error))? {
                PathOutcome::Done => {}
                PathOutcome::Changed => outcome.changed.push(item.path()),
                PathOutcome::Blocked => outcome.blocked.push(item.path()),
            }
            on_path();
        }
        outcome.changed.sort();
        outcome.blocked.sort();
        Ok(outcome)
    }

    /// Removes the files beside finished paths, the emptied directories and the journal; adds the files that remain to
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

    /// Returns the names beside the paths, with their absolute paths.
    fn besides(&self) -> BTreeMap<OsString, PathBuf> {
        let besides = |item: &Item| item.besides().map(|name| (name.clone(), item.path_beside(&name)));
        let below = self.items.iter().flat_map(besides);
        below.map(|(name, path)| (name, self.root.path().join(path))).collect()
    }

    /// Removes the incomplete files beside the paths, which no other program uses.
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
