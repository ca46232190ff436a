//! Keeps checkpoints alive by refs of their own in the user's repository.

use std::collections::BTreeSet;

use crate::git::unread;
use crate::private::Locked;
use crate::session::Session;
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result};

const CHECKPOINTS: &str = "refs/fuzzy-edit/checkpoints";
/// Leaves our refs out of the `--all` that follows: what remains is the user's.
const NOT_OURS: &str = "--exclude=refs/fuzzy-edit/*";

impl Locked<'_> {
    /// Pins a checkpoint under `name`, which must be new: letters and digits only, never a user's text.
    ///
    /// # Errors
    ///
    /// Fails when the name is taken or is no plain name.
    pub fn pin(&self, name: &str, commit: &Oid) -> Result<()> {
        let name = self.worktree.checkpoint_ref(name)?;
        self.move_ref(&name, commit, Some(&Oid::zero(&self.worktree.found.format)))
    }

    /// Lets a ref of ours name `oid`, if it names `old` now, where that is said.
    pub(crate) fn move_ref(&self, name: &str, oid: &Oid, old: Option<&str>) -> Result<()> {
        let start = || {
            let call = self.worktree.user("update-ref").args(["-z", "--stdin"]);
            Session::start("update-ref", call, self.worktree.limits.timeout)
        };
        Session::with(&self.refs, start, |session| {
            let old = old.unwrap_or_default();
            session.ask(format!("start\0update {name}\0{oid}\0{old}\0commit\0").as_bytes())?;
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
    /// Fails when git fails.
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

    /// Drops pins in one transaction; names that are not pinned are passed over. Nothing is collected here: git's own
    /// `gc` does that.
    ///
    /// # Errors
    ///
    /// Fails when git fails; then no pin is dropped.
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

    /// Estimates the bytes, loose and packed, of all that only this worktree's checkpoints hold.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn held_bytes(&self) -> Result<u64> {
        self.held_bytes_with(&[])
    }

    /// Estimates the same for this worktree and `others` of the same repository together: what they share counts once.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn held_bytes_with(&self, others: &[&Worktree]) -> Result<u64> {
        self.disk_usage([self].into_iter().chain(others.iter().copied()).map(Self::glob))
    }

    /// Estimates the bytes, loose and packed, that a checkpoint holds besides the user's own refs; other checkpoints
    /// may hold them, too.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
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

    /// Lists files that look like secrets and that only checkpoints hold, sorted: they go out with `push --mirror`.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
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
    /// Fails when git fails or the directory cannot be removed.
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
    /// Refuses what is no plain name.
    pub fn checkpoint_ref(&self, name: &str) -> Result<String> {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Error::Git {
                command: "update-ref".into(),
                code: -1,
                stderr: format!("{name:?} is no checkpoint name"),
            });
        }
        Ok(format!("{CHECKPOINTS}/{}/{name}", self.id))
    }
}
