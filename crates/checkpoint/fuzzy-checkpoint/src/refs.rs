//! Pins checkpoints by their own refs in the user's repository.

use std::collections::BTreeSet;

use crate::git::unread;
use crate::git_process::Session;
use crate::private::Locked;
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result};

const CHECKPOINTS: &str = "refs/fuzzy-edit/checkpoints";
/// Excludes our refs from the following `--all`, so that only the user's remain.
const NOT_OURS: &str = "--exclude=refs/fuzzy-edit/*";

impl Locked<'_> {
    /// Pins a checkpoint under the new name `name`, which consists of letters and digits and is never text from a user.
    ///
    /// # Errors
    ///
    /// Fails if the name exists already or has other characters.
    pub fn pin(&self, name: &str, commit: &Oid) -> Result<()> {
        let name = self.worktree.checkpoint_ref(name)?;
        self.move_ref(&name, commit, Some(&Oid::zero(&self.worktree.found.format)))
    }

    /// Sets one of our refs to `oid`; with `old`, only if the ref is `old` now.
    pub(crate) fn move_ref(&self, name: &str, oid: &Oid, old: Option<&str>) -> Result<()> {
        let start = || {
            let call = self.worktree.user("update-ref").args(["-z", "--stdin"]);
            Session::start("update-ref", call, self.worktree.limits.timeout)
        };
        Session::with(&self.refs, start, |session| {
            let old = old.unwrap_or_default();
            session.send(format!("start\0update {name}\0{oid}\0{old}\0commit\0").as_bytes())?;
            for answer in ["start: ok", "commit: ok"] {
                if session.line()? != answer {
                    return Err(unread("update-ref"));
                }
            }
            Ok(())
        })
    }
}

impl Worktree {
    /// Returns the checkpoints pinned for this worktree, by name.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn pins(&self) -> Result<Vec<(String, Oid)>> {
        let prefix = format!("{CHECKPOINTS}/{}/", self.id);
        let call = self.user("for-each-ref").args(["--format=%(objectname) %(refname)", &prefix]);
        let output = String::from_utf8_lossy(&call.ok()?).into_owned();
        let pins = output.lines().map(|line| {
            let (oid, name) = line.split_once(' ')?;
            Some((name.strip_prefix(&prefix)?.to_owned(), Oid::new(oid).ok()?))
        });
        pins.collect::<Option<_>>().ok_or_else(|| unread("for-each-ref"))
    }

    /// Drops pins in one transaction; skips names that are not pinned. The objects remain until git's own `gc` collects
    /// them.
    ///
    /// # Errors
    ///
    /// Fails if git fails; then no pin is dropped.
    pub fn unpin(&self, names: &[String]) -> Result<()> {
        let pinned: std::collections::HashSet<String> = self.pins()?.into_iter().map(|(name, _)| name).collect();
        let mut input = Vec::new();
        for name in names.iter().filter(|name| pinned.contains(*name)) {
            input.extend_from_slice(format!("delete {}\0\0", self.checkpoint_ref(name)?).as_bytes());
        }
        if input.is_empty() {
            return Ok(());
        }
        self.user("update-ref").args(["-z", "--stdin"]).input(input).ok().map(drop)
    }

    /// Estimates the size, loose and packed, of all objects that only this worktree's checkpoints hold, in bytes.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn held_bytes(&self) -> Result<u64> {
        self.held_bytes_with(&[])
    }

    /// Estimates the same for this worktree and `others` of the same repository together: shared objects count once.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn held_bytes_with(&self, others: &[&Worktree]) -> Result<u64> {
        self.disk_usage([self].into_iter().chain(others.iter().copied()).map(Self::glob))
    }

    /// Estimates the size, loose and packed, of the objects that a checkpoint holds and the user's own refs do not, in
    /// bytes. Other checkpoints may hold them, too.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn size(&self, commit: &Oid) -> Result<u64> {
        self.disk_usage([commit.to_string()])
    }

    fn glob(&self) -> String {
        format!("--glob={CHECKPOINTS}/{}/*", self.id)
    }

    fn disk_usage(&self, what: impl IntoIterator<Item = String>) -> Result<u64> {
        let call =
            self.user("rev-list").args(["--objects", "--disk-usage"]).args(what).args(["--not", NOT_OURS, "--all"]);
        String::from_utf8_lossy(&call.ok()?).trim().parse().map_err(|_| unread("rev-list"))
    }

    /// Returns files that look like secrets and that only checkpoints hold, sorted. `push --mirror` would publish them.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn stored_secrets(&self) -> Result<Vec<RepoPath>> {
        let listed = self.user("rev-list").args(["--objects", &self.glob(), "--not", NOT_OURS, "--all"]).ok()?;
        let names = listed.split(|byte| *byte == b'\n').filter_map(|line| {
            let path = &line[memchr::memchr(b' ', line)? + 1..];
            // The index of the user's is stored in a directory of its own beside the files.
            Some(RepoPath::new(path.strip_prefix(b"index/").unwrap_or(path)))
        });
        let names: BTreeSet<RepoPath> = names.filter(RepoPath::looks_secret).collect();
        Ok(names.into_iter().collect())
    }

    /// Removes the worktree's pins, the warm index's ref and the private directory.
    ///
    /// # Errors
    ///
    /// Fails if git fails or the directory cannot be removed.
    pub fn forget(&self) -> Result<()> {
        let names: Vec<String> = self.pins()?.into_iter().map(|(name, _)| name).collect();
        self.unpin(&names)?;
        self.user("update-ref").args(["-d", &self.warm_ref()]).ok()?;
        match std::fs::remove_dir_all(&self.private) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(&self.private)(error)),
            _ => Ok(()),
        }
    }

    /// Returns the full name of the ref that pins the checkpoint `name`.
    ///
    /// # Errors
    ///
    /// Refuses names with other characters than letters and digits.
    pub fn checkpoint_ref(&self, name: &str) -> Result<String> {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Error::Git {
                command: "update-ref".into(),
                code: -1,
                stderr: format!("{name:?} is not a checkpoint name"),
            });
        }
        Ok(format!("{CHECKPOINTS}/{}/{name}", self.id))
    }
}
