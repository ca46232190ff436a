//! Checks all changes of a changeset before the first is begun.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use crate::Error;
use crate::change::Change;
use crate::item::Item;
use crate::object::{Now, look};
use crate::root::Root;
use crate::sys::{self, Directory, Kind};

/// The components of a path.
type Names = Vec<OsString>;

/// A change that was checked.
#[derive(Debug)]
pub(crate) struct Checked {
    /// Its index.
    pub(crate) change: usize,
    pub(crate) item: Item,
}

/// Checks every change: that its path holds what the plan saw, and that it may be written.
///
/// Those that are in the way of others come first.
///
/// # Errors
///
/// As [`Changeset::begin`](crate::Changeset::begin).
pub(crate) fn check(root: &Root, changes: &[Change]) -> Result<Vec<Checked>, Error> {
    let mut plan = Check { root, wanted: BTreeSet::new(), gone: BTreeSet::new(), writable: BTreeMap::new() };
    let mut paths = Vec::with_capacity(changes.len());
    for change in changes {
        let names = root.components(&change.path)?;
        let (ours, other) =
            if change.after.is_some() { (&mut plan.wanted, &plan.gone) } else { (&mut plan.gone, &plan.wanted) };
        if other.contains(&names) || !ours.insert(names.clone()) {
            return Err(invalid(&names));
        }
        paths.push(names);
    }
    let (mut first, mut then, mut differing) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (names, change)) in paths.iter().zip(changes).enumerate() {
        if change.before.is_none() && change.after.is_none() {
            continue;
        }
        match plan.item(names, change)? {
            None => differing.push(change.path.clone()),
            Some(item) => {
                let is_first = plan.is_in_the_way(&item, change);
                if is_first { &mut first } else { &mut then }.push(Checked { change: index, item });
            }
        }
    }
    differing.sort();
    if !differing.is_empty() {
        return Err(Error::Changed { paths: differing });
    }
    first.append(&mut then);
    Ok(first)
}

struct Check<'r> {
    root: &'r Root,
    /// The paths that are to have something.
    wanted: BTreeSet<Names>,
    /// The paths that are to have nothing.
    gone: BTreeSet<Names>,
    /// Which directories may be written.
    writable: BTreeMap<Names, bool>,
}

impl Check<'_> {
    /// Checks one change; none if its path does not hold what the plan saw.
    fn item(&mut self, names: &[OsString], change: &Change) -> Result<Option<Item>, Error> {
        let (above, name) = (&names[..names.len() - 1], &names[names.len() - 1]);
        let becomes_file = (1..names.len()).find(|depth| self.wanted.contains(&names[..*depth]));
        if change.after.is_some() && becomes_file.is_some() {
            return Err(invalid(names));
        }
        let (directory, depth, error) = self.root.descend(above);
        match error.as_ref().map(io::Error::kind) {
            None | Some(ErrorKind::NotFound) => {}
            // A file or a link, which may be deleted first.
            Some(ErrorKind::NotADirectory) if self.gone.contains(&names[..=depth]) && change.before.is_none() => {}
            Some(ErrorKind::NotADirectory) => return Ok(None),
            Some(_) => return error.map_or(Ok(None), |error| Err(Error::reading(&change.path)(error))),
        }
        let mut item = Item {
            names: names.to_owned(),
            home: becomes_file.map_or(depth, |depth| depth - 1),
            aside: OsString::new(),
            before: None,
            after: None,
            missing: above.len() - depth,
            cleared: Vec::new(),
            prune: change.prune,
        };
        let is_as_seen =
            if item.missing > 0 { Ok(change.before.is_none()) } else { self.is_as_seen(&directory, change, &mut item) };
        if !is_as_seen.map_err(Error::reading(&change.path))? {
            return Ok(None);
        }
        self.check_writable(change, &directory, &names[..depth])?;
        self.check_writable(change, &self.root.descend(&names[..item.home]).0, &names[..item.home])?;
        if item.before.is_some() && !sys::may_take(&directory, name) {
            let problem = "belongs to someone else, in a directory where that counts";
            return Err(Error::Permission { path: change.path.clone(), problem });
        }
        Ok(Some(item))
    }

    /// Returns whether what the plan saw is in this directory; notes what that is.
    fn is_as_seen(&self, directory: &Directory, change: &Change, item: &mut Item) -> io::Result<bool> {
        let name = &item.names[item.names.len() - 1];
        let Some(expected) = &change.before else {
            return match sys::look(directory, name) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
                Ok(stat) if stat.kind == Kind::Directory => self.is_emptied(&item.names, stat.mode, &mut item.cleared),
                Ok(_) => Ok(false),
                Err(error) => Err(error),
            };
        };
        if let Now::Is(object) = look(directory, name, &[expected.print().length()])?
            && expected.is(&object)
        {
            item.before = Some(object);
        }
        Ok(item.before.is_some())
    }

    /// Returns whether the changeset leaves no file in a directory; collects it and those in it.
    fn is_emptied(&self, names: &[OsString], mode: u32, cleared: &mut Vec<(Names, u32)>) -> io::Result<bool> {
        cleared.push((names.to_owned(), mode));
        let (directory, depth, _) = self.root.descend(names);
        if depth < names.len() {
            return Ok(false);
        }
        for entry in sys::names(&directory)? {
            let below: Names = names.iter().chain([&entry]).cloned().collect();
            let stat = sys::look(&directory, &entry)?;
            let is_emptied = if stat.kind == Kind::Directory {
                self.is_emptied(&below, stat.mode, cleared)?
            } else {
                self.gone.contains(&below)
            };
            if !is_emptied {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks that names in a directory may be made and removed.
    fn check_writable(&mut self, change: &Change, directory: &Directory, names: &[OsString]) -> Result<(), Error> {
        let is_writable = *self.writable.entry(names.to_owned()).or_insert_with(|| sys::may_write_in(directory));
        let problem = "is in a directory that must not be written";
        if is_writable { Ok(()) } else { Err(Error::Permission { path: change.path.clone(), problem }) }
    }

    /// Returns whether a change has to come before others: it removes what is where they need a directory, or what is
    /// in a directory that one of them takes the place of.
    fn is_in_the_way(&self, item: &Item, change: &Change) -> bool {
        if change.after.is_some() {
            return false;
        }
        let next = self.wanted.range(item.names.clone()..).next();
        next.is_some_and(|next| next.starts_with(&item.names))
            || (1..item.names.len()).any(|depth| self.wanted.contains(&item.names[..depth]))
    }
}

fn invalid(names: &[OsString]) -> Error {
    let source = io::Error::new(io::ErrorKind::InvalidInput, "two changes of one changeset are about this path");
    Error::Io { path: names.iter().collect::<PathBuf>(), source }
}
