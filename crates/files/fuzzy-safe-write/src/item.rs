//! One path of a changeset.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use crate::Error;
use crate::batch::aside_name;
use crate::object::Object;

/// One path of a changeset, once everything is beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The components of the path below the root.
    pub(crate) names: Vec<OsString>,
    /// How many of them lead to the directory that the second name is in.
    pub(crate) home: usize,
    /// The second name.
    pub(crate) aside: OsString,
    pub(crate) before: Option<Object>,
    pub(crate) after: Option<Object>,
    /// How many of the directories above are missing.
    pub(crate) missing: usize,
    /// The directories that are removed for it, with their modes, each before those in it.
    pub(crate) cleared: Vec<(Vec<OsString>, u32)>,
    /// How many of the directories above go with it once they are empty.
    pub(crate) prune: usize,
}

impl Item {
    /// Gives the item its second name.
    pub(crate) fn beside(self, id: &str, index: usize) -> Self {
        Self { aside: aside_name(id, index).into(), ..self }
    }

    pub(crate) fn failed(&self, error: io::Error) -> Error {
        Error::writing(&self.path())(error)
    }

    /// Returns the path below the root.
    pub(crate) fn path(&self) -> PathBuf {
        self.names.iter().collect()
    }

    /// Returns the names beside the path, whatever is there.
    pub(crate) fn besides(&self) -> [OsString; 2] {
        let mut kept = self.aside.clone();
        kept.push("-old");
        [self.aside.clone(), kept]
    }

    /// Returns the path below the root of a name beside the path.
    pub(crate) fn path_beside(&self, name: &OsStr) -> PathBuf {
        self.names[..self.home].iter().collect::<PathBuf>().join(name)
    }

    /// Returns whether an object is what was there or what is to be there.
    pub(crate) fn knows(&self, object: &Object) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|it| it == object)
    }
}
