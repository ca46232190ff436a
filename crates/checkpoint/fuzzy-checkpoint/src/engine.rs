//! Finds worktrees and their stores.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::files::exists;
use crate::git::Git;
use crate::repository::{Repository, none_around, repository};
use crate::store::{self, STORES};
use crate::worktree::{Found, Limits, Worktree};
use crate::{Error, Result, identity};

/// The name of the folder of private directories in the state directory.
const WORKTREES: &str = "wt";

/// Opens worktrees. Its own files are in one state directory.
#[derive(Debug, Clone)]
pub struct Engine {
    state_dir: PathBuf,
    limits: Limits,
    exclude: Vec<String>,
    git: Option<PathBuf>,
    sidecar: bool,
}

impl Engine {
    /// Creates an engine with the state directory `state_dir`. A relative one is in the directory that is current now.
    #[must_use]
    pub fn new(state_dir: impl Into<PathBuf>) -> Self {
        let state_dir = state_dir.into();
        // This fails only without a current directory; then the state directory is refused before its first use.
        let state_dir = std::path::absolute(&state_dir).unwrap_or(state_dir);
        Self { state_dir, limits: Limits::default(), exclude: Vec::new(), git: None, sidecar: false }
    }

    /// Replaces the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds ignore patterns, in the format of `.gitignore` lines, to the user's.
    #[must_use]
    pub fn with_exclude(mut self, patterns: impl IntoIterator<Item = String>) -> Self {
        self.exclude.extend(patterns);
        self
    }

    /// Runs this git instead of the first one in the absolute entries of `PATH`.
    #[must_use]
    pub fn with_git(mut self, program: impl Into<PathBuf>) -> Self {
        self.git = Some(program.into());
        self
    }

    /// Stores captures in a sidecar, a repository of our own in the state directory, instead of the directory's own
    /// repository: for directories without a repository, or with a read-only one.
    #[must_use]
    pub fn with_sidecar(mut self, sidecar: bool) -> Self {
        self.sidecar = sidecar;
        self
    }

    fn private(&self, id: &str) -> PathBuf {
        self.state_dir.join(WORKTREES).join(id)
    }

    fn git(&self) -> Result<Git> {
        if !self.state_dir.is_absolute() {
            let source = std::io::Error::other("it is relative, and the current directory is unknown");
            return Err(Error::Io { path: self.state_dir.clone(), source });
        }
        Git::find(self.git.as_deref(), self.limits.timeout)
    }

    /// Returns the directory of the engine's own files.
    #[must_use]
    pub fn state_dir(&self) -> &Path {
        &self.state_dir
    }

    /// Returns git's version, such as `git version 2.47.3`.
    ///
    /// # Errors
    ///
    /// Fails if git is missing or too old.
    pub fn git_version(&self) -> Result<String> {
        check_version(&self.git()?)
    }

    /// Finds the worktree around `dir`. If the repository of a known worktree is gone, its checkpoints are still found.
    ///
    /// # Errors
    ///
    /// Refuses a directory that is not in a worktree, a worktree of another owner, and a directory that is never
    /// captured as a whole.
    pub fn open(&self, dir: &Path) -> Result<Worktree> {
        let git = self.git()?;
        let dir = sys::canonical(dir).map_err(Error::io(dir))?;
        let around = repository(&git, &dir)?;
        let found = if self.sidecar {
            self.sidecar_around(&git, &dir, around)?
        } else {
            self.around(&dir, around)?.ok_or_else(|| none_around(&dir))?
        };
        self.open_found(&git, found)
    }

    /// Finds the worktree whose captures have the files of `dir`: a sidecar without a repository, or if the repository
    /// ignores `dir`. A person gets the repository instead while nothing in `dir` was captured, unlike an agent that is
    /// about to work there.
    ///
    /// # Errors
    ///
    /// As [`Engine::open`], except that every directory is in some worktree.
    pub fn open_any(&self, dir: &Path, is_agent: bool) -> Result<Worktree> {
        let git = self.git()?;
        let dir = sys::canonical(dir).map_err(Error::io(dir))?;
        let around = repository(&git, &dir)?;
        if let Some(found) = self.around(&dir, around.clone())? {
            let worktree = self.open_found(&git, found)?;
            let may_be_apart = is_agent || self.has_sidecar_within(worktree.root(), &dir)?;
            if !may_be_apart || !worktree.ignores(&dir)? {
                return Ok(worktree);
            }
        }
        self.open_found(&git, self.sidecar_around(&git, &dir, around)?)
    }

    /// Opens a known worktree by its root and its git directory `git_dir`, which is a sidecar or the user's.
    ///
    /// # Errors
    ///
    /// As [`Engine::open`].
    pub fn reopen(&self, root: &Path, git_dir: &Path) -> Result<Worktree> {
        let git = self.git()?;
        let root = sys::canonical(root).map_err(Error::io(root))?;
        let around = repository(&git, &root)?;
        let found = if self.is_sidecar(git_dir) {
            self.sidecar_at(root, around)?
        } else {
            self.around(&root, around)?.ok_or_else(|| none_around(&root))?
        };
        self.open_found(&git, found)
    }

    /// Finds the worktree around `dir` by the repository around it, or by our own record if its repository is gone.
    fn around(&self, dir: &Path, around: Option<Repository>) -> Result<Option<Found>> {
        let top = around.as_ref().map(|found| found.root.as_path());
        if let Some((root, id, record)) = identity::abandoned(dir, top, &self.worktrees())? {
            let store = store::at(&self.state_dir, &record.store);
            if let Some(format) = store::format_of(&store)? {
                return Ok(Some(Found { id: Some(id), ..Found::sidecar(root, store, format) }));
            }
        }
        around.map(|found| self.with_store(found)).transpose()
    }

    /// Adds the store of a repository and the id of the worktree.
    fn with_store(&self, found: Repository) -> Result<Found> {
        let (id, record) = identity::of(&found.root, &found.git_dir, &self.worktrees())?;
        let has_format =
            |store: &Path| -> Result<bool> { Ok(store::format_of(store)?.is_none_or(|format| format == found.format)) };
        let store = match record.map(|record| store::at(&self.state_dir, &record.store)) {
            Some(known) if has_format(&known)? => known,
            _ => store::of(&found.common_dir, &self.stores())?,
        };
        if !has_format(&store)? {
            let reason = format!("its checkpoints in {} have another object format", store.display());
            return Err(Error::NotAWorktree { path: found.root, reason });
        }
        Ok(found.with_store(store, id))
    }

    fn worktrees(&self) -> PathBuf {
        self.state_dir.join(WORKTREES)
    }

    fn stores(&self) -> PathBuf {
        self.state_dir.join(STORES)
    }

    fn open_found(&self, git: &Git, mut found: Found) -> Result<Worktree> {
        refuse_protected(&found.root)?;
        found.store_id = store::id_of(&found.store)?;
        if fs::symlink_metadata(&found.index).is_ok_and(|meta| !meta.is_file()) {
            // Reading a pipe would block.
            return Err(Error::NotAWorktree { path: found.root, reason: "its index is not a regular file".into() });
        }
        let mut worktree = self.assemble(git.clone(), found)?;
        worktree.config = worktree.private_config();
        worktree.excludes_file = self.find_excludes_file(git, &worktree)?;
        Ok(worktree)
    }

    /// Returns whether the repository of a known worktree no longer exists; for a sidecar, whether its directory does
    /// not. A worktree that git has removed from its repository does not count.
    ///
    /// # Errors
    ///
    /// Fails if that is not certain.
    pub fn is_gone(&self, id: &str, git_dir: &Path, root: &Path) -> Result<bool> {
        let record: Option<identity::Record> = identity::read(&self.private(id))?;
        let store = record.map(|record| store::at(&self.state_dir, &record.store));
        let shared = store.map(|store| store::repository_of(&store)).transpose()?.flatten();
        let origin = if self.is_sidecar(git_dir) { root } else { shared.as_deref().unwrap_or(git_dir) };
        Ok(!exists(origin)?)
    }

    /// Finds the remains of the removed worktree `id`, whose git directory was `git_dir` and whose root was `root`.
    /// Returns `None` if its root still exists, or if its store is gone, too.
    ///
    /// # Errors
    ///
    /// Fails if git cannot be run, or if a record cannot be read.
    pub fn open_removed(&self, id: &str, git_dir: &Path, root: &Path) -> Result<Option<Removed>> {
        if exists(root)? {
            return Ok(None);
        }
        let kept: Option<identity::Record> = identity::read(&self.private(id))?;
        let store = match kept {
            Some(record) => store::at(&self.state_dir, &record.store),
            None if self.is_sidecar(git_dir) => git_dir.to_owned(),
            None => return Ok(None),
        };
        let Some(format) = store::format_of(&store)? else { return Ok(None) };
        let found = Found { id: Some(id.to_owned()), ..Found::sidecar(store.clone(), store, format) };
        Ok(Some(Removed(self.assemble(self.git()?, found)?)))
    }

    fn assemble(&self, git: Git, found: Found) -> Result<Worktree> {
        let id = found.id.clone().map_or_else(|| identity::of_sidecar(&found.git_dir), Ok)?;
        Ok(Worktree {
            private: self.private(&id),
            id,
            git,
            limits: self.limits.clone(),
            exclude: self.exclude.clone(),
            excludes_file: None,
            config: String::new(),
            abilities: found.abilities(&self.state_dir)?,
            found,
        })
    }
}

impl Worktree {
    /// Returns the same folder as the worktree `id`, 16 hexadecimal digits, with the checkpoints of that; `git_dir` is
    /// its recorded git directory. Returns `None` if the folder has a repository of another object format.
    ///
    /// # Errors
    ///
    /// Fails if the record or the store of that worktree cannot be read.
    pub fn named(&self, engine: &Engine, id: &str, git_dir: &Path) -> Result<Option<Self>> {
        let private = engine.private(id);
        let record = identity::read::<identity::Record>(&private)?;
        let of_sidecar = engine.is_sidecar(git_dir).then(|| git_dir.to_owned());
        let store = record.map(|record| store::at(&engine.state_dir, &record.store)).or(of_sidecar);
        let store = store.unwrap_or_else(|| self.found.store.clone());
        let format = store::format_of(&store)?.unwrap_or_else(|| self.found.format.clone());
        let found = if self.found.sidecar {
            Found::sidecar(self.found.root.clone(), store.clone(), format)
        } else if format == self.found.format {
            self.found.clone()
        } else {
            return Ok(None);
        };
        let found = Found { id: Some(id.to_owned()), store_id: store::id_of(&store)?, store, ..found };
        let mut named = Self { private, id: id.to_owned(), found, ..self.clone() };
        named.config = named.private_config();
        Ok(Some(named))
    }
}

/// A removed worktree whose store, with its pins, still exists.
#[derive(Debug)]
pub struct Removed(Worktree);

impl Removed {
    /// Drops pins, as [`Worktree::unpin`] does.
    ///
    /// # Errors
    ///
    /// Fails if git fails; then no pin is dropped.
    pub fn unpin(&self, names: &[String]) -> Result<()> {
        self.0.unpin(names)
    }

    /// Removes all its remains, as [`Worktree::forget`] does.
    ///
    /// # Errors
    ///
    /// Fails if git fails or the private directory cannot be removed.
    pub fn forget(&self) -> Result<()> {
        self.0.forget()
    }

    /// Frees the space of pruned checkpoints, as [`Worktree::collect`] does.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn collect(&self) -> Result<u64> {
        self.0.collect()
    }
}

pub(crate) fn check_version(git: &Git) -> Result<String> {
    let answer = git.call(Path::new("/"), &[], "version").run()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let mut numbers = text.split([' ', '.']).filter_map(|part| part.parse::<u32>().ok());
    if (numbers.next(), numbers.next()) >= (Some(2), Some(36)) {
        return Ok(text.trim().to_owned());
    }
    Err(Error::Git {
        command: "version".into(),
        code: answer.code,
        stderr: format!("2.36 or later is needed, found {}", text.trim()),
    })
}

pub(crate) fn refuse_protected(root: &Path) -> Result<()> {
    let mut protected: Vec<PathBuf> = sys::anchor(root).into_iter().collect();
    if let Some(home) = sys::home() {
        protected.extend(["Desktop", "Documents", "Downloads"].map(|name| home.join(name)));
        protected.push(home);
    }
    let is_protected = protected.iter().any(|dir| sys::canonical(dir).is_ok_and(|dir| dir == root));
    if is_protected { Err(Error::ProtectedDir { path: root.to_owned() }) } else { Ok(()) }
}
