//! Brings one path of a changeset to its new state, or back to its old state.
//!
//! Beside the path is a temporary name. It has the new object until that is moved to the path, and the old object
//! afterwards. The positions of both objects show how far a process got, so that the same code starts, resumes after a
//! crash and rolls back. An object that is neither old nor new was written by another program; it is moved to the path
//! and never removed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::directories::{remove_directory, remove_emptied, restore_directory};
use crate::item::Item;
use crate::object::{Now, Object, look};
use crate::place::FilePlace;
use crate::root::Root;
use crate::sys::{self, Directory};
use crate::{fault, file_ops};

/// The paths of a changeset without their wanted state, all relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Paths that another program changed; they have that program's content.
    pub changed: Vec<PathBuf>,
    /// Paths that cannot be written because a changed path is in the way.
    pub blocked: Vec<PathBuf>,
    /// Names beside changed paths with an earlier text of another program, which that program overwrote itself.
    pub beside: Vec<PathBuf>,
    /// Names of old files that another program has open and may still write to.
    pub held: Vec<PathBuf>,
}

/// The direction of a changeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Direction {
    Forward,
    Back,
}

/// The result for one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathOutcome {
    /// The path has its wanted state.
    Done,
    /// Another program changed the path and keeps its content.
    Changed,
    /// A changed object is in the way of the path.
    Blocked,
}

use PathOutcome::{Blocked, Changed, Done};

impl Item {
    /// Brings the path to its state in this direction.
    pub(crate) fn apply(&self, root: &Root, direction: Direction) -> io::Result<PathOutcome> {
        let Some(names) = Names::open(self, root) else { return Ok(Changed) };
        names.unwind()?;
        let (from, to) = match direction {
            Direction::Forward => (self.before.as_ref(), self.after.as_ref()),
            Direction::Back => (self.after.as_ref(), self.before.as_ref()),
        };
        match (from, to) {
            (Some(from), Some(to)) => names.exchange(from, to, direction),
            (None, Some(to)) => names.appear(to),
            (Some(from), None) => names.vanish(from),
            (None, None) => Ok(Done),
        }
    }

    /// Returns whether the path still has its checked state.
    pub(crate) fn is_untouched(&self, root: &Root) -> io::Result<bool> {
        let Some(names) = Names::open(self, root) else { return Ok(false) };
        let place = names.look(&names.place)?;
        Ok(match &self.before {
            Some(before) => place.is(before),
            None => place == Now::Absent || place == Now::Directory && !self.cleared.is_empty(),
        })
    }

    /// Removes the files beside the path, except those that another program has `open`; adds the paths of the remaining
    /// ones to the outcome.
    pub(crate) fn clear(&self, root: &Root, open: &BTreeSet<OsString>, outcome: &mut Outcome) -> io::Result<()> {
        let Some(names) = Names::open(self, root) else { return Ok(()) };
        for beside in [&names.aside, &names.kept] {
            match names.look(beside)? {
                Now::Absent => {}
                Now::Is(_) if open.contains(&beside.name) => outcome.held.push(self.path_beside(&beside.name)),
                Now::Is(_) => remove(beside)?,
                Now::Directory | Now::Other => outcome.beside.push(self.path_beside(&beside.name)),
            }
        }
        Ok(())
    }

    /// Removes the temporary name with any content.
    pub(crate) fn remove_aside(&self, root: &Root) -> io::Result<()> {
        Names::open(self, root).map_or(Ok(()), |names| remove(&names.aside))
    }

    /// Returns the place of the temporary name.
    pub(crate) fn aside(&self, root: &Root) -> io::Result<FilePlace> {
        Names::open(self, root).map(|names| names.aside).ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Removes the emptied parent directories.
    pub(crate) fn prune(&self, root: &Root) -> io::Result<()> {
        remove_emptied(root, &self.names, self.prune)
    }

    /// Makes the change durable, if the file system can.
    pub(crate) fn sync(&self, root: &Root) {
        if let Some(names) = Names::open(self, root) {
            names.place.sync();
            if self.home + 1 < self.names.len() {
                names.aside.sync();
            }
        }
    }
}

/// The path of an item and the names beside it, in directories that are held open.
struct Names<'a> {
    item: &'a Item,
    root: &'a Root,
    /// The path; it lists missing parent directories.
    place: FilePlace,
    /// The temporary name.
    aside: FilePlace,
    /// A third name, for file systems that cannot exchange two names.
    kept: FilePlace,
}

impl<'a> Names<'a> {
    /// Opens the directories of an item; `None` if the directory of the temporary name is gone.
    fn open(item: &'a Item, root: &'a Root) -> Option<Self> {
        let (home, depth, _) = root.descend(&item.names[..item.home]);
        if depth < item.home {
            return None;
        }
        let [aside, kept] = item.besides().map(|name| in_directory(root, &home, &item.names[..item.home], name));
        let (above, name) = item.names.split_at(item.names.len() - 1);
        let (directory, depth, _) = root.descend(above);
        let place = in_directory(root, &directory, above, name[0].clone());
        let place = FilePlace { missing: above[depth..].to_vec(), ..place };
        Some(Self { item, root, place, aside, kept })
    }

    fn look(&self, place: &FilePlace) -> io::Result<Now> {
        if !place.missing.is_empty() {
            return Ok(Now::Absent);
        }
        let lengths = [&self.item.before, &self.item.after].into_iter().flatten().map(|object| object.print.length());
        match look(&place.directory, &place.name, &lengths.collect::<Vec<_>>()) {
            Ok(Now::Is(object)) if !self.item.knows(&object) => Ok(Now::Other),
            // An unreadable object cannot be the one that was read before.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Now::Other),
            now => now,
        }
    }

    /// Reduces an interrupted exchange by three names to the state before or after it.
    fn unwind(&self) -> io::Result<()> {
        if self.look(&self.kept)? == Now::Absent {
            return Ok(());
        }
        if self.look(&self.place)? == Now::Absent && self.place.missing.is_empty() {
            match file_ops::appear(&self.kept, &self.place) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        // The new object may have both names: it gets its new name before it loses the old one.
        if matches!(aside, Now::Is(_)) && aside == place {
            remove(&self.aside)?;
        } else if aside != Now::Absent {
            return Ok(());
        }
        file_ops::replace(&self.kept, &self.aside)
    }

    /// Exchanges the temporary name and the path.
    fn exchange(&self, from: &Object, to: &Object, direction: Direction) -> io::Result<PathOutcome> {
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        let is_new = self.item.after.as_ref().is_some_and(|after| place.is(after));
        match aside {
            // Another program saved to the old file, which now has the temporary name.
            Now::Other | Now::Directory if is_new => self.give_back(),
            Now::Is(aside) if aside == *to && place.is(from) && from != to => {
                if !self.swap()? {
                    return Ok(Changed);
                }
                if self.look(&self.aside)?.is(from) {
                    return Ok(Done);
                }
                self.give_back()
            }
            _ if place.is(to) => Ok(Done),
            // The new object is lost.
            Now::Absent if place.is(from) && direction == Direction::Forward => Err(ErrorKind::NotFound.into()),
            _ => Ok(Changed),
        }
    }

    /// Moves another program's save from the temporary name back to the path, unless that program saved again
    /// meanwhile.
    fn give_back(&self) -> io::Result<PathOutcome> {
        if self.swap()? && matches!(self.look(&self.aside)?, Now::Other | Now::Directory) {
            self.swap()?;
        }
        Ok(Changed)
    }

    /// Exchanges the path and the temporary name; returns false if the path is gone or another program created a new
    /// file.
    fn swap(&self) -> io::Result<bool> {
        match file_ops::exchange(&self.place, &self.aside) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        // The third name may have another program's text.
        if self.look(&self.kept)? != Now::Absent {
            return Ok(false);
        }
        match file_ops::replace(&self.place, &self.kept) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            done => done?,
        }
        match file_ops::appear(&self.aside, &self.place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            done => done?,
        }
        file_ops::replace(&self.kept, &self.aside)?;
        Ok(true)
    }

    /// Moves the path to the temporary name.
    fn vanish(&self, from: &Object) -> io::Result<PathOutcome> {
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        let outcome = match (&place, &aside) {
            (Now::Absent | Now::Directory, Now::Other | Now::Directory) => self.reappear()?,
            // The directory is for paths below it, or is not removed yet.
            (Now::Absent | Now::Directory, _) => Done,
            _ if place.is(from) && (aside == Now::Absent || aside.is(from)) => {
                // The temporary name may be a hard link to the same file, and a rename between two hard links does
                // nothing.
                remove(&self.aside)?;
                match file_ops::replace(&self.place, &self.aside) {
                    Err(error) if error.kind() == ErrorKind::NotFound => Done,
                    done if self.look(&self.aside)?.is(from) => done.map(|()| Done)?,
                    done => done.and_then(|()| self.reappear())?,
                }
            }
            _ => Changed,
        };
        if self.item.before.is_none() && outcome == Done {
            self.restore_directories()?;
        }
        Ok(outcome)
    }

    /// Moves another program's object from the temporary name back to the path.
    fn reappear(&self) -> io::Result<PathOutcome> {
        match file_ops::appear(&self.aside, &self.place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Changed),
            done => done.map(|()| Changed),
        }
    }

    /// Moves the temporary name to the path, which must not exist.
    fn appear(&self, to: &Object) -> io::Result<PathOutcome> {
        let (mut place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        if place.is(to) {
            return Ok(Done);
        }
        let is_back = self.item.before.is_some();
        if place == Now::Directory && aside.is(to) && !is_back && !self.item.cleared.is_empty() {
            for (names, _) in self.item.cleared.iter().rev() {
                if !remove_directory(self.root, names)? {
                    return Ok(Blocked);
                }
            }
            place = Now::Absent;
        }
        match aside {
            // Another program saved to the old file, which has the temporary name.
            Now::Other | Now::Directory if is_back && place == Now::Absent => self.reappear(),
            Now::Is(aside) if aside == *to && place == Now::Absent => {
                let Some(place) = self.make_directories()? else { return Ok(Blocked) };
                match file_ops::appear(&self.aside, &place) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Changed),
                    done => done.map(|()| Done),
                }
            }
            // The directory was created for paths below it, and another program has put something into it.
            Now::Is(aside) if aside == *to && place == Now::Directory && is_back => Ok(Blocked),
            _ => Ok(Changed),
        }
    }

    /// Creates the missing directories; returns `None` if something else is in their place.
    fn make_directories(&self) -> io::Result<Option<FilePlace>> {
        let mut place = self.place.clone();
        for name in std::mem::take(&mut place.missing) {
            fault::point()?;
            match sys::make_directory(&place.directory, &name, false) {
                // Another program has just removed the parent directory.
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            match sys::open_directory(&place.directory, &name) {
                Ok(opened) => place.directory = Arc::new(opened),
                Err(error) if matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::NotFound) => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Some(place))
    }

    /// Removes the directories that were created for the path, and creates those that were removed for it.
    fn restore_directories(&self) -> io::Result<()> {
        remove_emptied(self.root, &self.item.names, self.item.missing)?;
        for (names, mode) in &self.item.cleared {
            if !restore_directory(self.root, names, *mode)? {
                break;
            }
        }
        Ok(())
    }
}

fn in_directory(root: &Root, directory: &Arc<Directory>, above: &[OsString], name: OsString) -> FilePlace {
    let below: PathBuf = above.iter().chain([&name]).collect();
    FilePlace { directory: Arc::clone(directory), missing: Vec::new(), name, target: root.path().join(below) }
}

/// Removes a name that this changeset created.
fn remove(place: &FilePlace) -> io::Result<()> {
    fault::point()?;
    match sys::remove(&place.directory, &place.name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
