//! Shows the difference between two states.

use crate::listing::{self, Change};
use crate::private::Locked;
use crate::{Differing, Kind, Oid, RepoPath, Result};

impl Locked<'_> {
    /// Compares two states; `paths` narrows it. With `patch`, the text of the changes is added.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn diff(&self, from: &Oid, to: &Oid, paths: &[RepoPath], patch: bool) -> Result<Diff> {
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let call = self.worktree.own("diff-tree", &index);
        let output = call.args(["-r", "-z", "--no-renames", from.as_str(), to.as_str()]).hold(&self.lock)?.ok()?;
        let wanted = |path: &RepoPath| paths.is_empty() || paths.iter().any(|above| path.is_within(above));
        let changes = listing::changes(&output)?.into_iter().filter(|change| wanted(&change.path));
        let kind = |change: &Change| match (&change.old, &change.new) {
            (None, _) => Kind::Added,
            (_, None) => Kind::Deleted,
            _ => Kind::Changed,
        };
        let files = changes.map(|change| Differing { change: kind(&change), path: change.path }).collect();
        let mut text = Vec::new();
        if patch {
            use std::os::unix::ffi::OsStrExt;
            let call = self.worktree.own("diff-tree", &index);
            let call = call.args(["-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"]);
            let call = call.args([from.as_str(), to.as_str(), "--"]);
            let call = call.args(paths.iter().map(|path| std::ffi::OsStr::from_bytes(path.as_bytes())));
            text = call.hold(&self.lock)?.ok()?;
        }
        Ok(Diff { files, patch: text })
    }

    /// Returns the bytes a checkpoint holds for a path, `None` when it holds none.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn content(&self, tree: &Oid, path: &RepoPath) -> Result<Option<Vec<u8>>> {
        use std::os::unix::ffi::OsStrExt;
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let call = self.worktree.own("ls-tree", &index).args(["-r", "-z", tree.as_str(), "--"]);
        let line = call.arg(std::ffi::OsStr::from_bytes(path.as_bytes())).hold(&self.lock)?.ok()?;
        let head = line.split(|byte| *byte == b'\t').next().unwrap_or_default();
        let oid = head.rsplit(|byte| *byte == b' ').next().and_then(Oid::from_line);
        oid.map(|oid| self.blob(&oid)).transpose()
    }
}

/// The difference between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// What happened to which file, sorted by path.
    pub files: Vec<Differing>,
    /// The changes as a unified patch; empty unless asked for.
    pub patch: Vec<u8>,
}
