//! Pins checkpoints by refs in the store.

use std::collections::BTreeSet;

use crate::git::{Call, unread};
use crate::store::{lines, quoted};
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result, identity};

pub(crate) const CHECKPOINTS: &str = "refs/fuzzy-edit/checkpoints";
/// Excludes refs of older programs from the following `--all`, so that only the user's remain.
const NOT_OURS: &str = "--exclude=refs/fuzzy-edit/*";

impl Worktree {
    /// Returns the checkpoints pinned for this worktree, by name.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn pins(&self) -> Result<Vec<(String, Oid)>> {
        let mut pins = if self.has_store() { self.pins_in(self.kept("for-each-ref"))? } else { Vec::new() };
        // Older programs stored the refs in the user's repository.
        for old in self.old_pins()? {
            if !pins.iter().any(|(name, _)| *name == old.0) {
                pins.push(old);
            }
        }
        Ok(pins)
    }

    fn has_store(&self) -> bool {
        self.found.store.join("refs").is_dir()
    }

    /// Reads the pins by a call of `for-each-ref`.
    pub(crate) fn pins_in(&self, call: Call) -> Result<Vec<(String, Oid)>> {
        let prefix = format!("{CHECKPOINTS}/{}/", self.id);
        let output = call.args(["--format=%(objectname) %(refname)", &prefix]).ok()?;
        let output = String::from_utf8_lossy(&output).into_owned();
        let pins = output.lines().map(|line| {
            let (oid, name) = line.split_once(' ')?;
            Some((name.strip_prefix(&prefix)?.to_owned(), Oid::new(oid).ok()?))
        });
        pins.collect::<Option<_>>().ok_or_else(|| unread("for-each-ref"))
    }

    /// Drops pins in one transaction; skips names that are not pinned. The objects remain until [`Worktree::collect`].
    ///
    /// # Errors
    ///
    /// Fails if git fails; then no pin is dropped.
    pub fn unpin(&self, names: &[String]) -> Result<()> {
        if self.has_store() {
            self.unpin_by(&self.pins_in(self.kept("for-each-ref"))?, names, || self.kept("update-ref"))?;
        }
        self.unpin_by(&self.old_pins()?, names, || self.user("update-ref"))
    }

    /// Drops those of `names` that are in `pins`, by a call of `update-ref`.
    pub(crate) fn unpin_by(&self, pins: &[(String, Oid)], names: &[String], call: impl Fn() -> Call) -> Result<()> {
        let mut input = Vec::new();
        for name in names.iter().filter(|name| pins.iter().any(|(pinned, _)| pinned == *name)) {
            input.extend_from_slice(format!("delete {}\0\0", self.checkpoint_ref(name)?).as_bytes());
        }
        if input.is_empty() {
            return Ok(());
        }
        call().args(["-z", "--stdin"]).input(input).ok().map(drop)
    }

    /// Returns the size on disk of all objects in the store that this worktree's checkpoints hold, in bytes.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn held_bytes(&self) -> Result<u64> {
        self.held_bytes_with(&[])
    }

    /// Returns the same for this worktree and `others` of the same repository together: shared objects count once.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn held_bytes_with(&self, others: &[&Worktree]) -> Result<u64> {
        let mut commits = Vec::new();
        for worktree in [self].into_iter().chain(others.iter().copied()) {
            commits.extend(worktree.pins()?.into_iter().map(|(_, commit)| commit));
        }
        self.size_of(&commits)
    }

    /// Returns the size on disk of the objects in the store that a checkpoint holds, in bytes. Other checkpoints may
    /// hold them, too.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn size(&self, commit: &Oid) -> Result<u64> {
        self.size_of(std::slice::from_ref(commit))
    }

    fn size_of(&self, commits: &[Oid]) -> Result<u64> {
        if !self.has_store() {
            return Ok(0);
        }
        Ok(self.held(commits)?.into_iter().map(|(_, size)| size).sum())
    }

    /// Returns files that look like secrets and that only checkpoints hold, sorted.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn stored_secrets(&self) -> Result<Vec<RepoPath>> {
        let commits: Vec<u8> = lines(&self.pins()?.into_iter().map(|(_, commit)| commit).collect::<Vec<_>>());
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        // The history of the checkpoints is not the user's, so all of the user's newest trees have to be compared.
        let options = ["--objects-edge-aggressive", "--ignore-missing", "--missing=allow-any", "--stdin"];
        let store = self.store_objects();
        let call = self.user("rev-list").args(options).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(&store));
        let answer = call.args(["--not", NOT_OURS, "--all"]).input(commits.clone()).run()?;
        // In a damaged repository it is unknown which files the user's history has, too.
        let listed =
            if answer.code == 0 { answer.stdout } else { self.kept("rev-list").args(options).input(commits).ok()? };
        let names = listed.split(|byte| *byte == b'\n').filter_map(|line| {
            let path = &line[memchr::memchr(b' ', line)? + 1..];
            // The index of the user's is stored in a directory of its own beside the files.
            Some(RepoPath::new(path.strip_prefix(b"index/").unwrap_or(path)))
        });
        let names: BTreeSet<RepoPath> = names.filter(RepoPath::looks_secret).collect();
        Ok(names.into_iter().collect())
    }

    /// Removes the worktree's pins, the warm index's ref and the private directory, and the store if no other worktree
    /// uses it.
    ///
    /// # Errors
    ///
    /// Fails if git fails or a directory cannot be removed.
    pub fn forget(&self) -> Result<()> {
        let names: Vec<String> = self.pins()?.into_iter().map(|(name, _)| name).collect();
        self.unpin(&names)?;
        if self.has_store() {
            self.kept("update-ref").args(["-d", &self.warm_ref()]).ok()?;
        }
        match std::fs::remove_dir_all(&self.private) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&self.private)(error)),
            _ => {}
        }
        let worktrees = identity::below(self.private.parent().unwrap_or(&self.private));
        let mut records = worktrees.iter().filter_map(|(_, dir)| identity::read::<identity::Record>(dir));
        let name = self.found.store.file_name();
        let is_used = records.any(|record| name == Some(record.store.as_ref()));
        if is_used { Ok(()) } else { self.remove_store() }
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
