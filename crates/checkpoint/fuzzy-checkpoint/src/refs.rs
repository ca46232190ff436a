//! Pins checkpoints by refs in the store.

use std::collections::{BTreeMap, BTreeSet};

use crate::store::{self, lines, quoted};
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result, files, identity, unreadable};

pub(crate) const CHECKPOINTS: &str = "refs/fuzzy-edit/checkpoints";

impl Worktree {
    /// Returns the checkpoints pinned for this worktree, by name.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn pins(&self) -> Result<Vec<(String, Oid)>> {
        let prefix = format!("{CHECKPOINTS}/{}", self.id);
        let refs = self.own_refs(&prefix)?.into_iter();
        let pins =
            refs.filter_map(|(name, oid)| Some((name.strip_prefix(&prefix)?.strip_prefix('/')?.to_owned(), oid)));
        Ok(pins.collect())
    }

    fn has_store(&self) -> Result<bool> {
        files::exists(&self.found.store.join("refs"))
    }

    /// Reads the refs of the store below `prefix`. Git leaves out a directory of refs that it cannot read.
    pub(crate) fn own_refs(&self, prefix: &str) -> Result<Vec<(String, Oid)>> {
        let store = &self.found.store;
        let (mut found, mut open) = (BTreeMap::new(), vec![prefix.to_owned()]);
        while let Some(dir) = open.pop() {
            for (name, path) in files::below(&store.join(&dir))? {
                let name = format!("{dir}/{name}");
                match std::fs::symlink_metadata(&path) {
                    Err(error) if unreadable::means_absent(&error) => {}
                    Ok(meta) if meta.is_dir() => open.push(name),
                    looked => {
                        looked.map_err(Error::unreadable(&path))?;
                        // A name with this end is git's, of a ref that it is about to write.
                        let is_lock = path.extension().is_some_and(|end| end == "lock");
                        if let Some(text) = files::own(&path)?.filter(|_| !is_lock) {
                            found.extend(Oid::from_line(&text).map(|oid| (name, oid)));
                        }
                    }
                }
            }
        }
        // After the loose ones: a ref that is packed meanwhile is in both.
        let path = store.join("packed-refs");
        let packed = match files::read(&path) {
            Err(error) if unreadable::means_absent(&error) => Vec::new(),
            packed => packed.map_err(Error::unreadable(&path))?,
        };
        for line in String::from_utf8_lossy(&packed).lines() {
            if let Some((oid, name)) = line.split_once(' ')
                && let (true, Ok(oid)) = (name.starts_with(&format!("{prefix}/")), Oid::new(oid))
            {
                found.entry(name.to_owned()).or_insert(oid);
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Drops pins in one transaction; skips names that are not pinned. The objects remain until [`Worktree::collect`].
    ///
    /// # Errors
    ///
    /// Fails if git fails; then no pin is dropped.
    pub fn unpin(&self, names: &[String]) -> Result<()> {
        let (pins, mut input) = (self.pins()?, Vec::new());
        for name in names.iter().filter(|name| pins.iter().any(|(pinned, _)| pinned == *name)) {
            input.extend_from_slice(format!("delete {}\0\0", self.checkpoint_ref(name)?).as_bytes());
        }
        if input.is_empty() {
            return Ok(());
        }
        self.kept("update-ref").args(["-z", "--stdin"]).input(input).ok().map(drop)
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
        if !self.has_store()? {
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
        let answer = call.args(["--not", "--all"]).input(commits.clone()).run()?;
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
        if self.has_store()? {
            self.kept("update-ref").args(["-d", &self.warm_ref()]).ok()?;
        }
        match std::fs::remove_dir_all(&self.private) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&self.private)(error)),
            _ => {}
        }
        // A worktree of the repository that captures for the first time has no record at first.
        let _alone = self.has_store()?.then(|| self.exclude_store()).transpose()?;
        let name = store::name_of(&self.found.store);
        for (_, dir) in files::below(self.private.parent().unwrap_or(&self.private))? {
            if identity::read::<identity::Record>(&dir)?.is_some_and(|record| name.as_ref() == Some(&record.store)) {
                return Ok(());
            }
        }
        self.remove_store()
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
