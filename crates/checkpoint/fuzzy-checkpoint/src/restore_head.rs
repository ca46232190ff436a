//! Restores the branch on request: checks it out again, and moves it to its commit. Files and index are restored before
//! and after, so git itself checks nothing out.

use crate::private::Locked;
use crate::snapshot::Snapshot;
use crate::worktree::Worktree;
use crate::{Error, HeadOutcome, Oid, Result};

/// The entry of a restore in the reflog.
const MESSAGE: [&str; 2] = ["-m", "fuzzy-edit: restore checkpoint"];

fn mismatch<T>(reason: impl Into<String>) -> Result<T> {
    Err(Error::HeadMismatch { reason: reason.into() })
}

impl Locked<'_> {
    /// Checks the branch of a checkpoint, or its detached commit, out again; a branch that is checked out moves to its
    /// commit then. Can be repeated.
    ///
    /// # Errors
    ///
    /// Returns `head_mismatch` if that is not possible, or if a ref changed meanwhile.
    pub fn restore_head(&self, to: &Snapshot) -> Result<HeadOutcome> {
        self.check_head(to)?;
        let (now, branch) = self.worktree.head()?;
        if now == to.head && branch == to.head_ref {
            return Ok(HeadOutcome::Restored);
        }
        let (Some(now), Some(then)) = (now, &to.head) else { return mismatch("the branch had no commit") };
        let name = match &to.head_ref {
            Some(name) if branch != to.head_ref => name,
            same => {
                self.move_users_ref(same.as_deref().unwrap_or("HEAD"), then, now.as_str())?;
                return Ok(HeadOutcome::Restored);
            }
        };
        if self.worktree.users_commit(name)?.is_none() {
            // Zeros: the branch does not exist.
            self.move_users_ref(name, then, &Oid::zero(&self.worktree.found.format))?;
        }
        // The command itself does not compare.
        if self.worktree.head()? != (Some(now), branch) {
            return mismatch("the branch moved meanwhile");
        }
        self.worktree.user("symbolic-ref").args(MESSAGE).args(["HEAD", name]).hold(&self.lock)?.ok()?;
        Ok(HeadOutcome::Restored)
    }

    /// Sets a ref of the user, if it still has its old value.
    fn move_users_ref(&self, name: &str, new: &Oid, old: &str) -> Result<()> {
        let call = self.worktree.user("update-ref").arg("--no-deref").args(MESSAGE);
        match call.args([name, new.as_str(), old]).hold(&self.lock)?.run()?.code {
            0 => Ok(()),
            _ => mismatch("the branch moved meanwhile"),
        }
    }

    /// Checks whether [`Locked::restore_head`] would be refused now, without moving anything.
    ///
    /// # Errors
    ///
    /// Returns the refusal.
    pub fn check_head(&self, to: &Snapshot) -> Result<()> {
        let worktree = self.worktree;
        let (now, branch) = worktree.head()?;
        if worktree.found.sidecar {
            return mismatch("a sidecar has no branch");
        }
        if now == to.head && branch == to.head_ref {
            return Ok(());
        }
        if worktree.operation_in_progress() {
            return mismatch("a merge, rebase or similar operation is in progress");
        }
        let (Some(_), Some(then)) = (now, &to.head) else { return mismatch("the branch had no commit") };
        if worktree.users_commit(then.as_str())?.is_none() {
            return mismatch("its commit is no longer in the repository");
        }
        let Some(name) = to.head_ref.as_ref().filter(|name| branch.as_ref() != Some(*name)) else { return Ok(()) };
        if let Some(place) = worktree.elsewhere(name)? {
            return mismatch(format!("its branch is checked out in {place}"));
        }
        // An undo would not move it back, because it restores the branch that is checked out now.
        let has_moved = worktree.users_commit(name)?.is_some_and(|commit| commit != *then);
        if has_moved { mismatch("its branch has moved since, and another one is checked out") } else { Ok(()) }
    }
}

impl Worktree {
    /// Returns the commit that a name stands for in the user's repository.
    fn users_commit(&self, name: &str) -> Result<Option<Oid>> {
        let answer = self.user("rev-parse").args(["--verify", "-q", &format!("{name}^{{commit}}")]).run()?;
        Ok(Oid::from_line(&answer.stdout).filter(|_| answer.code == 0))
    }

    /// Returns the root of another worktree of the repository that has a branch checked out.
    fn elsewhere(&self, branch: &str) -> Result<Option<String>> {
        let listed = self.user("worktree").args(["list", "--porcelain"]).ok()?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let mut roots = listed.split("\n\n").filter_map(|entry| {
            let mut lines = entry.lines();
            let root = lines.next()?.strip_prefix("worktree ")?;
            lines.any(|line| line.strip_prefix("branch ") == Some(branch)).then_some(root)
        });
        Ok(roots.find(|root| *root != self.found.root.to_string_lossy()).map(str::to_owned))
    }
}
