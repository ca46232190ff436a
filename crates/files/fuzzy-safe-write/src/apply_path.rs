//! Brings one path of a changeset to what is to be there, or back to what was there.
//!
//! Beside the path is a second name. It holds the new object until that takes its place, and the old one then. Which of
//! the two is where says how far a process came, so that the same code begins, goes on after a crash and takes back.
//! What is neither was written by someone else; it gets the path, and is never removed.

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
use crate::{fault, swap};

/// What became of the paths of a changeset that are not as they were to be; all of them are below the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Exactly those that someone else changed, which have what they wrote.
    pub changed: Vec<PathBuf>,
    /// Those that something which was changed is in the way of.
    pub blocked: Vec<PathBuf>,
    /// Names beside changed paths that hold an earlier text of someone else's, which they overwrote themselves.
    pub beside: Vec<PathBuf>,
    /// Names that old files have been left with, because someone has them open and may still write to them.
    pub held: Vec<PathBuf>,
}

/// Where a changeset is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Direction {
    Forward,
    Back,
}

/// What became of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// It is as it is to be.
    Done,
    /// Someone else changed it, and has it as they want it.
    Changed,
    /// Something else that was changed is in its way.
    Blocked,
}

use Settled::{Blocked, Changed, Done};

impl Item {
    /// Brings the path to what is to be there.
    pub(crate) fn settle(&self, root: &Root, direction: Direction) -> io::Result<Settled> {
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

    /// Returns whether the path holds what was there when it was checked.
    pub(crate) fn is_untouched(&self, root: &Root) -> io::Result<bool> {
        let Some(names) = Names::open(self, root) else { return Ok(false) };
        let place = names.look(&names.place)?;
        Ok(match &self.before {
            Some(before) => place.is(before),
            None => place == Now::Absent || place == Now::Directory && !self.cleared.is_empty(),
        })
    }

    /// Removes what is beside the path, but for what someone has `open`; adds the paths of what is left to the outcome.
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

    /// Removes the second name, whatever it is.
    pub(crate) fn remove_aside(&self, root: &Root) -> io::Result<()> {
        Names::open(self, root).map_or(Ok(()), |names| remove(&names.aside))
    }

    /// Returns the place of the second name.
    pub(crate) fn aside(&self, root: &Root) -> io::Result<FilePlace> {
        Names::open(self, root).map(|names| names.aside).ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Removes the directories that were emptied, if they are.
    pub(crate) fn prune(&self, root: &Root) -> io::Result<()> {
        remove_emptied(root, &self.names, self.prune)
    }

    /// Makes the change durable, where the file system can.
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
    /// The path; where directories above it are missing they are named.
    place: FilePlace,
    /// The second name.
    aside: FilePlace,
    /// A third one, where two names cannot be exchanged.
    kept: FilePlace,
}

impl<'a> Names<'a> {
    /// Opens the directories of an item; none if that of the second name is gone.
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
            // What we must not read is not what we have read.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Now::Other),
            now => now,
        }
    }

    /// Brings what an interrupted exchange by three names left to the two names that it began with, or ended with.
    fn unwind(&self) -> io::Result<()> {
        if self.look(&self.kept)? == Now::Absent {
            return Ok(());
        }
        if self.look(&self.place)? == Now::Absent && self.place.missing.is_empty() {
            match swap::appear(&self.kept, &self.place) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        // The new object may have both names, where it was given one before it lost the other.
        if matches!(aside, Now::Is(_)) && aside == place {
            remove(&self.aside)?;
        } else if aside != Now::Absent {
            return Ok(());
        }
        swap::replace(&self.kept, &self.aside)
    }

    /// Lets the second name and the path change places.
    fn exchange(&self, from: &Object, to: &Object, direction: Direction) -> io::Result<Settled> {
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        let is_new = self.item.after.as_ref().is_some_and(|after| place.is(after));
        match aside {
            // It was saved to the old file, which is beside ours.
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
            // What is to be there is lost.
            Now::Absent if place.is(from) && direction == Direction::Forward => Err(ErrorKind::NotFound.into()),
            _ => Ok(Changed),
        }
    }

    /// Returns the path back to what someone saved, which is beside it; unless they saved once more meanwhile.
    fn give_back(&self) -> io::Result<Settled> {
        if self.swap()? && matches!(self.look(&self.aside)?, Now::Other | Now::Directory) {
            self.swap()?;
        }
        Ok(Changed)
    }

    /// Exchanges the path and the second name; says no if the path is gone or someone made a new one meanwhile.
    fn swap(&self) -> io::Result<bool> {
        match swap::exchange(&self.place, &self.aside) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        // What someone saved may be left there.
        if self.look(&self.kept)? != Now::Absent {
            return Ok(false);
        }
        match swap::replace(&self.place, &self.kept) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            done => done?,
        }
        match swap::appear(&self.aside, &self.place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            done => done?,
        }
        swap::replace(&self.kept, &self.aside)?;
        Ok(true)
    }

    /// Moves the path to the second name.
    fn vanish(&self, from: &Object) -> io::Result<Settled> {
        let (place, aside) = (self.look(&self.place)?, self.look(&self.aside)?);
        let settled = match (&place, &aside) {
            (Now::Absent | Now::Directory, Now::Other | Now::Directory) => self.reappear()?,
            // A directory there is for paths below, or has not been removed yet.
            (Now::Absent | Now::Directory, _) => Done,
            _ if place.is(from) && (aside == Now::Absent || aside.is(from)) => {
                // It may be another name of the same file, and such are not renamed to each other.
                remove(&self.aside)?;
                match swap::replace(&self.place, &self.aside) {
                    Err(error) if error.kind() == ErrorKind::NotFound => Done,
                    done if self.look(&self.aside)?.is(from) => done.map(|()| Done)?,
                    done => done.and_then(|()| self.reappear())?,
                }
            }
            _ => Changed,
        };
        if self.item.before.is_none() && settled == Done {
            self.restore_directories()?;
        }
        Ok(settled)
    }

    /// Returns the path back to what was moved from it and is someone else's.
    fn reappear(&self) -> io::Result<Settled> {
        match swap::appear(&self.aside, &self.place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Changed),
            done => done.map(|()| Changed),
        }
    }

    /// Moves the second name to the path, where nothing is.
    fn appear(&self, to: &Object) -> io::Result<Settled> {
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
            // It was saved to the old file, which is beside the path.
            Now::Other | Now::Directory if is_back && place == Now::Absent => self.reappear(),
            Now::Is(aside) if aside == *to && place == Now::Absent => {
                let Some(place) = self.make_directories()? else { return Ok(Blocked) };
                match swap::appear(&self.aside, &place) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Changed),
                    done => done.map(|()| Done),
                }
            }
            // It was made for paths below, and someone has put something there.
            Now::Is(aside) if aside == *to && place == Now::Directory && is_back => Ok(Blocked),
            _ => Ok(Changed),
        }
    }

    /// Makes the directories that are missing; none if something else is in their place.
    fn make_directories(&self) -> io::Result<Option<FilePlace>> {
        let mut place = self.place.clone();
        for name in std::mem::take(&mut place.missing) {
            fault::point()?;
            match sys::make_directory(&place.directory, &name, false) {
                // Someone removed the directory above a moment ago.
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

    /// Removes the directories that were made for the path, and makes those that were removed for it.
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

/// Removes a name that is ours.
fn remove(place: &FilePlace) -> io::Result<()> {
    fault::point()?;
    match sys::remove(&place.directory, &place.name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
