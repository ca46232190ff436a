//! Checks all changes of a changeset before it writes anything.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use crate::Error;
use crate::change::Change;
use crate::error::ONLY_ADDS;
use crate::item::Item;
use crate::object::{Now, look};
use crate::root::Root;
use crate::sys::{self, Directory, Kind};

/// The components of a path.
type Names = Vec<OsString>;

/// A checked change.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The index of the change.
    pub(crate) change: usize,
    pub(crate) item: Item,
}

/// Checks for every change that its path has the planned state and may be written.
///
/// Changes that make room for others are first in the result.
///
/// # Errors
///
/// Returns the errors of [`Changeset::begin`](crate::Changeset::begin).
pub(crate) fn check(root: &Root, changes: &[Change]) -> Result<Vec<Checked>, Error> {
    let mut plan = Check { root, wanted: BTreeSet::new(), gone: BTreeSet::new(), forbidden: BTreeMap::new() };
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
    /// The paths that will exist.
    wanted: BTreeSet<Names>,
    /// The paths that will not exist.
    gone: BTreeSet<Names>,
    /// The reason why each directory must not be written.
    forbidden: BTreeMap<Names, Option<&'static str>>,
}

impl Check<'_> {
    /// Checks one change; returns `None` if its path differs from the plan.
    fn item(&mut self, names: &[OsString], change: &Change) -> Result<Option<Item>, Error> {
        let (above, name) = (&names[..names.len() - 1], &names[names.len() - 1]);
        let becomes_file = (1..names.len()).find(|depth| self.wanted.contains(&names[..*depth]));
        if change.after.is_some() && becomes_file.is_some() {
            return Err(invalid(names));
        }
        let (directory, depth, error) = self.root.descend(above);
        match error.as_ref().map(io::Error::kind) {
            None | Some(ErrorKind::NotFound) => {}
            // A file or a link, which the changeset may delete first.
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
            let problem = "belongs to another user, in a directory where only the owner may remove it";
            return Err(Error::Permission { path: change.path.clone(), problem });
        }
        if let Some(problem) = item.before.as_ref().and_then(|_| sys::fixed(&directory, name)) {
            return Err(Error::Permission { path: change.path.clone(), problem });
        }
        if let Some(problem) = item.cleared.iter().find_map(|(names, _)| self.fixed(names)) {
            return Err(Error::Permission { path: change.path.clone(), problem });
        }
        Ok(Some(item))
    }

    /// Returns the reason why a directory cannot be removed, although its parent may be written.
    fn fixed(&self, names: &[OsString]) -> Option<&'static str> {
        let (name, above) = names.split_last()?;
        sys::fixed(&self.root.descend(above).0, name)
    }

    /// Returns whether the name in this directory has the planned state; records the current object in `item`.
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

    /// Returns whether the changeset empties a directory; collects it and its subdirectories.
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

    /// Checks that entries of a directory may be created and removed.
    fn check_writable(&mut self, change: &Change, directory: &Directory, names: &[OsString]) -> Result<(), Error> {
        let forbidden = || match sys::may_write_in(directory) {
            true if sys::only_adds(directory) => Some(ONLY_ADDS),
            true => None,
            false => Some("is in a directory that must not be written"),
        };
        match *self.forbidden.entry(names.to_owned()).or_insert_with(forbidden) {
            Some(problem) => Err(Error::Permission { path: change.path.clone(), problem }),
            None => Ok(()),
        }
    }

    /// Returns whether a change must run before others: it deletes a path that another change needs as a directory, or
    /// a path inside a directory that another change replaces.
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
    let source = io::Error::new(io::ErrorKind::InvalidInput, "the changeset has two changes of this path");
    Error::Io { path: names.iter().collect::<PathBuf>(), source }
}
