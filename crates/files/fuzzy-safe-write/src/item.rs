//! One path of a changeset.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use crate::Error;
use crate::batch::aside_name;
use crate::object::Object;

/// One path of a changeset, with its new object written beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The components of the path below the root.
    pub(crate) names: Vec<OsString>,
    /// The number of components that lead to the directory of the temporary name.
    pub(crate) home: usize,
    /// The temporary name.
    pub(crate) aside: OsString,
    pub(crate) before: Option<Object>,
    pub(crate) after: Option<Object>,
    /// The number of missing parent directories.
    pub(crate) missing: usize,
    /// The directories to remove for it with their modes, each before its subdirectories.
    pub(crate) cleared: Vec<(Vec<OsString>, u32)>,
    /// The number of parent directories to remove once they are empty.
    pub(crate) prune: usize,
}

impl Item {
    /// Sets the temporary name.
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

    /// Returns the two possible names beside the path, whether or not they exist.
    pub(crate) fn besides(&self) -> [OsString; 2] {
        let mut kept = self.aside.clone();
        kept.push("-old");
        [self.aside.clone(), kept]
    }

    /// Returns the path below the root of a name beside the path.
    pub(crate) fn path_beside(&self, name: &OsStr) -> PathBuf {
        self.names[..self.home].iter().collect::<PathBuf>().join(name)
    }

    /// Returns whether an object is the old or the new one.
    pub(crate) fn knows(&self, object: &Object) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|it| it == object)
    }
}
