//! Makes sure that what a checkpoint names is there.

use std::path::Path;

use crate::private::Locked;
use crate::{Error, Oid, Result};

/// Up to how many objects are read where it would do to ask for them: another git would take longer.
const FEW: usize = 500;

impl Locked<'_> {
    /// Returns whether everything that `trees` name is in the object store. What refs hold cannot have been collected,
    /// so where `held` names such trees, only what differs from the first of them is looked for.
    pub(crate) fn all_exist(&self, index: &Path, trees: &[&Oid], held: &[Oid]) -> Result<bool> {
        let mut asked = Vec::new();
        for tree in trees.iter().filter(|tree| !held.contains(tree)) {
            let Some(base) = held.first() else { return self.walk(index, trees) };
            let changes = match self.differences(base, tree) {
                Err(Error::Lost { .. }) => return Ok(false),
                changes => changes?,
            };
            // A deletion has no object, and a submodule's commit lies in another repository.
            let new = changes.into_iter().filter_map(|change| change.new).filter(|(mode, _)| mode != "160000");
            asked.extend(new.map(|(_, oid)| oid));
        }
        if asked.len() <= FEW {
            for oid in &asked {
                if self.object(oid.as_str())?.is_none() {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let names: Vec<u8> = asked.iter().flat_map(|oid| [oid.as_str().as_bytes(), b"\n"].concat()).collect();
        let call = self.worktree.own("cat-file", index).arg("--batch-check=%(objectname)").input(names);
        let found = call.ok()?;
        Ok(found.split(|byte| *byte == b'\n').filter_map(Oid::from_line).count() == asked.len())
    }

    /// Looks for everything, except what the user's head holds.
    fn walk(&self, index: &Path, trees: &[&Oid]) -> Result<bool> {
        let head = self.worktree.user("rev-parse").args(["--verify", "-q", "HEAD^{tree}"]).hold(&self.lock)?.run()?;
        let head = Oid::from_line(&head.stdout).filter(|_| head.code == 0);
        let call = self.worktree.own("rev-list", index).args(["--objects", "--no-object-names", "--quiet"]);
        let call = call.args(trees.iter().map(|oid| oid.as_str())).arg("--not").args(head.iter().map(Oid::as_str));
        Ok(call.hold(&self.lock)?.run()?.code == 0)
    }
}
