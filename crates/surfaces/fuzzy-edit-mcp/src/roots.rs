//! The directories that edits are restricted to.

use std::path::{Path, PathBuf};

use fuzzy_edit::{Code, Failure, Root};
use fuzzy_system as sys;

/// The directories that edits are restricted to; there is at least one.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The start of relative paths.
    first: Root,
    others: Vec<Root>,
}

impl Roots {
    /// Returns roots where relative paths start from `first`; absolute paths may lead into `others`, too.
    #[must_use]
    pub const fn new(first: Root, others: Vec<Root>) -> Self {
        Self { first, others }
    }

    /// Returns the one root that all these paths belong to.
    ///
    /// # Errors
    ///
    /// The paths belong to several roots, so their files could not be written atomically.
    pub(crate) fn of<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) -> Result<&Root, Box<Failure>> {
        let mut chosen: Option<&Root> = None;
        for path in paths {
            let root = self.root(path);
            if chosen.is_some_and(|chosen| chosen.path() != root.path()) {
                let message = "the files of the edits are below different roots, which cannot be written atomically";
                let next_step = "Send a separate request for the edits of each root.";
                return Err(Box::new(
                    Failure::new(Code::OutsideRoot, message, next_step).about(path.to_string_lossy()),
                ));
            }
            chosen = Some(root);
        }
        Ok(chosen.unwrap_or(&self.first))
    }

    /// Returns all of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Root> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Returns the real path of a file, as far as it exists, so that two paths of one file are equal.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let whole = self.first.path().join(path);
        if let Ok(real) = sys::canonical(&whole) {
            return real;
        }
        let parent = whole.parent().and_then(|parent| sys::canonical(parent).ok());
        match (parent, whole.file_name()) {
            (Some(parent), Some(name)) => parent.join(name),
            _ => whole,
        }
    }

    /// Returns the root that a path belongs to, or the first one, which then refuses the path.
    fn root(&self, path: &Path) -> &Root {
        // This only selects a root; the root itself checks whether the path leaves it.
        let above = path.ancestors().skip(1).find_map(|above| sys::canonical(above).ok());
        let mut roots = std::iter::once(&self.first).chain(&self.others).filter(|_| path.is_absolute());
        let own = roots.find(|root| {
            path.starts_with(root.path()) || above.as_ref().is_some_and(|above| above.starts_with(root.path()))
        });
        own.unwrap_or(&self.first)
    }
}
