//! Finds worktrees, by running git and checking its answers.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::git::Git;
use crate::pipes::Reads;
use crate::store::{self, STORES};
use crate::worktree::{Found, Limits, QUIET, Worktree};
use crate::{Error, Result, identity, linked};

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
    /// Creates an engine with the state directory `state_dir`.
    #[must_use]
    pub fn new(state_dir: impl Into<PathBuf>) -> Self {
        Self { state_dir: state_dir.into(), limits: Limits::default(), exclude: Vec::new(), git: None, sidecar: false }
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
        let found = if self.sidecar { self.sidecar_around(&git, &dir)? } else { self.around(&git, &dir)? };
        self.open_found(&git, found)
    }

    /// Opens a known worktree by its root and its git directory `git_dir`, which is a sidecar or the user's. `store` is
    /// the name of its store, if it is known.
    ///
    /// # Errors
    ///
    /// As [`Engine::open`]; returns `store_missing` if the store is not there, or is another one.
    pub fn reopen(&self, root: &Path, git_dir: &Path, store: Option<&str>) -> Result<Worktree> {
        let git = self.git()?;
        let root = sys::canonical(root).map_err(Error::io(root))?;
        let found = if self.is_sidecar(git_dir) { self.sidecar_at(&git, root)? } else { self.around(&git, &root)? };
        let worktree = self.open_found(&git, found)?;
        match store.and_then(|name| name.split_once(' ')) {
            Some((id, path)) if worktree.store_id().as_deref() != Some(id) => {
                Err(Error::StoreMissing { path: path.into() })
            }
            _ => Ok(worktree),
        }
    }

    /// Finds the worktree around `dir` by its repository, or by our own record if its repository is gone.
    fn around(&self, git: &Git, dir: &Path) -> Result<Found> {
        let found = repository(git, dir)?;
        let top = found.as_ref().map(|found| found.root.as_path());
        if let Some((root, id, record)) = identity::abandoned(dir, top, &self.worktrees()) {
            let store = self.stores().join(record.store);
            if let Some(format) = store::format_of(&store) {
                return Ok(Found { id: Some(id), ..Found::sidecar(root, store, format) });
            }
        }
        match found {
            Some(found) => self.with_store(found),
            None => discover(git, dir),
        }
    }

    /// Adds the store of a repository and the id of the worktree.
    fn with_store(&self, found: Found) -> Result<Found> {
        let (id, record) = identity::of(&found.root, &found.git_dir, &self.worktrees());
        let stores = self.stores();
        let has_format = |store: &PathBuf| store::format_of(store).is_none_or(|format| format == found.format);
        let known = record.map(|record| stores.join(record.store)).filter(has_format);
        let store = known.unwrap_or_else(|| store::of(&found.common_dir, &stores));
        if !has_format(&store) {
            let reason = format!("its checkpoints in {} have another object format", store.display());
            return Err(Error::NotAWorktree { path: found.root, reason });
        }
        Ok(Found { store, id: Some(id), ..found })
    }

    fn worktrees(&self) -> PathBuf {
        self.state_dir.join(WORKTREES)
    }

    fn stores(&self) -> PathBuf {
        self.state_dir.join(STORES)
    }

    fn open_found(&self, git: &Git, found: Found) -> Result<Worktree> {
        refuse_protected(&found.root)?;
        if fs::symlink_metadata(&found.index).is_ok_and(|meta| !meta.is_file()) {
            // Reading a pipe would block.
            return Err(Error::NotAWorktree { path: found.root, reason: "its index is not a regular file".into() });
        }
        let mut worktree = self.assemble(git.clone(), found);
        worktree.config = worktree.private_config();
        worktree.excludes_file = self.find_excludes_file(git, &worktree)?;
        Ok(worktree)
    }

    /// Returns whether the repository of a known worktree no longer exists; for a sidecar, whether its directory does
    /// not. A worktree that git has removed from its repository does not count.
    #[must_use]
    pub fn is_gone(&self, id: &str, git_dir: &Path, root: &Path) -> bool {
        let record: Option<identity::Record> = identity::read(&self.private(id));
        let shared = record.and_then(|record| store::repository_of(&self.stores().join(record.store)));
        let origin = if self.is_sidecar(git_dir) { root } else { shared.as_deref().unwrap_or(git_dir) };
        fs::symlink_metadata(origin).is_err()
    }

    /// Finds the remains of the removed worktree `id`, whose git directory was `git_dir` and whose root was `root`.
    /// Returns `None` if its root still exists, or if its store is gone, too.
    ///
    /// # Errors
    ///
    /// Fails if git cannot be run.
    pub fn open_removed(&self, id: &str, git_dir: &Path, root: &Path) -> Result<Option<Removed>> {
        if fs::symlink_metadata(root).is_ok() {
            return Ok(None);
        }
        let kept: Option<identity::Record> = identity::read(&self.private(id));
        let store = match kept {
            Some(record) => self.stores().join(record.store),
            None if self.is_sidecar(git_dir) => git_dir.to_owned(),
            None => return Ok(None),
        };
        let Some(format) = store::format_of(&store) else { return Ok(None) };
        let found = Found { id: Some(id.to_owned()), ..Found::sidecar(store.clone(), store, format) };
        Ok(Some(Removed(self.assemble(self.git()?, found))))
    }

    pub(crate) fn assemble(&self, git: Git, found: Found) -> Worktree {
        let id = found.id.clone().unwrap_or_else(|| identity::of_sidecar(&found.git_dir));
        Worktree {
            private: self.private(&id),
            id,
            git,
            limits: self.limits.clone(),
            exclude: self.exclude.clone(),
            excludes_file: None,
            config: String::new(),
            abilities: found.abilities(&self.state_dir),
            found,
        }
    }
}

impl Worktree {
    /// Returns the same worktree with the id `id`, 16 hexadecimal digits.
    #[must_use]
    pub fn named(&self, engine: &Engine, id: &str) -> Self {
        let private = engine.private(id);
        let mut found = Found { id: Some(id.to_owned()), ..self.found.clone() };
        if let Some(record) = identity::read::<identity::Record>(&private) {
            found.store = engine.stores().join(record.store);
        }
        Self { private, id: id.to_owned(), found, ..self.clone() }
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

/// Runs git, with its ownership check and the user's `safe.directory`.
pub(crate) fn discover(git: &Git, dir: &Path) -> Result<Found> {
    let refuse = |reason: &str| Error::NotAWorktree { path: dir.to_owned(), reason: reason.to_owned() };
    let call =
        git.call(dir, &QUIET, "rev-parse").args(["--path-format=absolute", "--show-toplevel", "--absolute-git-dir"]);
    let call = call.args(["--git-common-dir", "--git-path", "objects", "--git-path", "index", "--show-object-format"]);
    let answer = call.beware_of_pipes(Reads::Repository(dir.to_owned())).run()?;
    if answer.code != 0 {
        let stderr = answer.stderr.trim().to_owned();
        return Err(if stderr.contains("dubious ownership") {
            Error::DubiousOwnership { path: dir.to_owned(), stderr }
        } else {
            refuse(&stderr)
        });
    }
    let text = String::from_utf8(answer.stdout).map_err(|_| refuse("its path is not UTF-8"))?;
    let lines: Vec<&str> = text.lines().collect();
    let [root, git_dir, common_dir, objects, index, format] = lines[..] else {
        return Err(refuse("its path contains a line break"));
    };
    let root = canonical(root)?;
    if !dir.starts_with(&root) {
        return Err(refuse("its repository claims another directory"));
    }
    let (git_dir, common_dir) = (canonical(git_dir)?, canonical(common_dir)?);
    let home = linked::home(git, &root, &git_dir, &common_dir)?;
    Ok(Found {
        root,
        home,
        staging: git_dir.clone(),
        rules: common_dir.clone(),
        git_dir,
        common_dir,
        store: PathBuf::new(),
        lends: Some(canonical(objects)?),
        index: PathBuf::from(index),
        format: format.to_owned(),
        sidecar: false,
        id: None,
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

fn canonical(path: &str) -> Result<PathBuf> {
    sys::canonical(path).map_err(Error::io(path))
}

const NOT_A_REPOSITORY: &str = "not a git repository";

/// Finds the user's own repository; `None` if there is none.
pub(crate) fn repository(git: &Git, dir: &Path) -> Result<Option<Found>> {
    match discover(git, dir) {
        Err(Error::NotAWorktree { reason, .. }) if reason.contains(NOT_A_REPOSITORY) => Ok(None),
        found => found.map(Some),
    }
}
