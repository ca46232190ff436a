//! Carries out a plan, and shows the difference between two states.

use std::fs;
use std::path::Path;

use crate::failpoint;
use crate::listing::{self, Change};
use crate::plan::Plan;
use crate::private::{Locked, Scratch, copy_index, remove};
use crate::snapshot::Snapshot;
use crate::{Differing, Error, Kind, Oid, RepoPath, Result};

/// How much longer than a capture's call the one that writes the files may run: stopped halfway it leaves a mixture,
/// which recovery puts right but nobody wants.
const PATIENCE: u32 = 10;

impl Locked<'_> {
    /// Writes and deletes what the plan from `from` to `to` says, and checks the outcome. `from` must be the newest
    /// capture, taken under this lock.
    ///
    /// # Errors
    ///
    /// Returns `obstructed` before any write when something uncovered is in the way, and `changed_during` when a
    /// covered file is no longer what was captured.
    pub fn apply(&self, from: &Snapshot, to: &Snapshot, plan: &Plan) -> Result<()> {
        if !plan.obstructed.is_empty() {
            return Err(Error::Obstructed { paths: plan.obstructed.clone() });
        }
        if plan.changes.is_empty() {
            return Ok(());
        }
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let warm = self.worktree.warm_index();
        let known = self.known(self.worktree.now()?.pinned.as_ref());
        let copied = copy_index(&warm, &index)?;
        let is_newest = match &known {
            Some(known) => known.tree == from.tree,
            None => copied && self.write_tree(&index)? == from.tree,
        };
        if !copied || !is_newest {
            return Err(Error::ChangedDuring { paths: Vec::new() });
        }
        let target = if plan.whole { to.tree.clone() } else { self.goal(&scratch, plan)? };
        failpoint::hit("before files");
        // Git checks every path before it writes the first, so a rehearsal with -n would add nothing.
        let call = self.worktree.own("read-tree", &index).args(["-m", "-u", from.tree.as_str(), target.as_str()]);
        let answer = call.timeout(self.worktree.limits.timeout * PATIENCE).hold(&self.lock)?.run()?;
        if answer.code != 0 {
            if answer.stderr.contains("not uptodate") || answer.stderr.contains("would be overwritten") {
                return Err(Error::ChangedDuring { paths: self.changed(plan) });
            }
            let error = self.worktree.unless_full(answer.failed("read-tree"));
            if matches!(error, Error::DiskFull { .. }) {
                self.drop_unfinished(&index, plan)?;
            }
            return Err(error);
        }
        let wrong = self.changed(plan);
        if !wrong.is_empty() {
            return Err(Error::ChangedDuring { paths: wrong });
        }
        if plan.whole {
            // What the user's index has beside ours is known as long as ours loses nothing.
            let users = known.and_then(|known| known.users).filter(|_| plan.deletes.is_empty());
            self.publish_restored(&index, to, users)
        } else {
            self.publish_mixed(&index, &target)
        }
    }

    /// Writes what the files become where that is neither of the two states.
    fn goal(&self, scratch: &Scratch, plan: &Plan) -> Result<Oid> {
        let goal = scratch.path("goal");
        copy_index(&self.worktree.warm_index(), &goal)?;
        self.index_info(&goal, self.edits(&plan.changes))?;
        self.write_tree(&goal)
    }

    /// Removes files that git could not write to their end, to make room for the way back: each holds the first bytes
    /// of what it was to become, and nothing else.
    fn drop_unfinished(&self, index: &Path, plan: &Plan) -> Result<()> {
        for change in &plan.changes {
            let Some((_, oid)) = change.new.as_ref().filter(|(mode, _)| mode.starts_with("100")) else { continue };
            let disk = change.path.on_disk(&self.worktree.found.root);
            if !self.worktree.is_regular(&change.path) {
                continue;
            }
            let content = fs::read(&disk).map_err(Error::io(&disk))?;
            let whole = self.blob(index, oid)?;
            if content.len() < whole.len() && whole.starts_with(&content) {
                remove(&disk)?;
            }
        }
        Ok(())
    }

    /// Writes the plan as lines for `update-index`, deletions first so that a file may become a directory.
    fn edits(&self, changes: &[Change]) -> Vec<u8> {
        let zero = Oid::zero(&self.worktree.found.format);
        let mut input = Vec::new();
        for deletions in [true, false] {
            for change in changes.iter().filter(|change| change.new.is_none() == deletions) {
                let head =
                    change.new.as_ref().map_or_else(|| format!("0 {zero}\t"), |(mode, oid)| format!("{mode} {oid}\t"));
                input.extend_from_slice(head.as_bytes());
                input.extend_from_slice(change.path.as_bytes());
                input.push(0);
            }
        }
        input
    }

    /// Returns the planned paths that are not on disk as planned, byte for byte.
    fn changed(&self, plan: &Plan) -> Vec<RepoPath> {
        let done = |change: &Change| match &change.new {
            Some((mode, oid)) => self.worktree.holds(&change.path, mode, oid),
            None => !self.worktree.has_file(&change.path),
        };
        plan.changes.iter().filter(|change| !done(change)).map(|change| change.path.clone()).collect()
    }

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
        oid.map(|oid| self.blob(&index, &oid)).transpose()
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

impl Plan {
    /// Returns whether the files stay as they are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}
