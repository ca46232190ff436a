//! Makes sure that what a checkpoint names is there.

use std::path::Path;

use crate::git::split_z;
use crate::listing::unread;
use crate::private::Locked;
use crate::{Oid, Result};

impl Locked<'_> {
    /// Returns whether everything that `trees` name is in the object store. What refs hold cannot have been collected,
    /// so where `held` names such trees, only what differs from the first of them is looked for.
    pub(crate) fn all_exist(&self, index: &Path, trees: &[&Oid], held: &[Oid]) -> Result<bool> {
        let mut asked = Vec::new();
        for tree in trees.iter().filter(|tree| !held.contains(tree)) {
            let Some(base) = held.first() else { return self.walk(index, trees) };
            let call = self.worktree.own("diff-tree", index).args(["-r", "-t", "-z", "--no-renames"]);
            let answer = call.args([base.as_str(), tree.as_str()]).hold(&self.lock)?.run()?;
            if answer.code != 0 {
                return Ok(false);
            }
            asked.push((*tree).clone());
            for change in split_z(&answer.stdout).step_by(2) {
                let fields: Vec<&[u8]> = change.split(|byte| *byte == b' ').collect();
                let [_, mode, _, new, _] = fields[..] else { return Err(unread("diff-tree")) };
                // A deletion has no object, and a submodule's commit lies in another repository.
                if !matches!(mode, b"000000" | b"160000") {
                    asked.push(Oid::from_line(new).ok_or_else(|| unread("diff-tree"))?);
                }
            }
        }
        if asked.is_empty() {
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
