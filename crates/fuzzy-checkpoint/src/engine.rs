//! Finds worktrees: git itself is asked, and what it says is checked.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::git::Git;
use crate::probe::Abilities;
use crate::worktree::{Found, Limits, QUIET, Worktree, home};
use crate::{Error, Result, hash};

/// Opens worktrees; keeps its own files under one state directory.
#[derive(Debug, Clone)]
pub struct Engine {
    state_dir: PathBuf,
    limits: Limits,
    exclude: Vec<String>,
    git: Option<PathBuf>,
}

impl Engine {
    /// Makes an engine that keeps its files under `state_dir`.
    #[must_use]
    pub fn new(state_dir: impl Into<PathBuf>) -> Self {
        Self { state_dir: state_dir.into(), limits: Limits::default(), exclude: Vec::new(), git: None }
    }

    /// Replaces the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds ignore patterns, one a line as in `.gitignore`, that hold besides the user's.
    #[must_use]
    pub fn with_exclude(mut self, patterns: impl IntoIterator<Item = String>) -> Self {
        self.exclude.extend(patterns);
        self
    }

    /// Runs this git instead of the first on the absolute entries of `PATH`.
    #[must_use]
    pub fn with_git(mut self, program: impl Into<PathBuf>) -> Self {
        self.git = Some(program.into());
        self
    }

    fn git(&self) -> Result<Git> {
        Git::find(self.git.as_deref(), self.limits.timeout)
    }

    /// Returns the directory of the engine's own files.
    #[must_use]
    pub fn state_dir(&self) -> &Path {
        &self.state_dir
    }

    /// Asks git for its version, such as `git version 2.47.3`.
    ///
    /// # Errors
    ///
    /// Fails when there is no git, or one that is too old.
    pub fn git_version(&self) -> Result<String> {
        check_version(&self.git()?)
    }

    /// Finds the worktree that `dir` lies in.
    ///
    /// # Errors
    ///
    /// Refuses what is no worktree, is owned by somebody else, or is never captured as a whole.
    pub fn open(&self, dir: &Path) -> Result<Worktree> {
        let git = self.git()?;
        let dir = fs::canonicalize(dir).map_err(Error::io(dir))?;
        let found = discover(&git, &dir)?;
        refuse_protected(&found.root)?;
        if fs::symlink_metadata(&found.index).is_ok_and(|meta| !meta.is_file()) {
            // Reading a pipe would wait for a writer.
            return Err(Error::NotAWorktree { path: found.root, reason: "its index is no regular file".into() });
        }
        let mut worktree = self.assemble(git.clone(), found);
        worktree.config = worktree.private_config();
        worktree.excludes_file = self.ask(&git, &worktree)?;
        Ok(worktree)
    }

    /// Finds what is left of a linked worktree whose git directory was `git_dir`; `None` when it is not gone, or was
    /// none, or its repository is gone, too.
    ///
    /// # Errors
    ///
    /// Fails when git cannot be run.
    pub fn open_removed(&self, git_dir: &Path) -> Result<Option<Removed>> {
        let linked =
            git_dir.parent().filter(|dir| dir.ends_with("worktrees") && fs::symlink_metadata(git_dir).is_err());
        let Some(common) = linked.and_then(Path::parent).filter(|dir| dir.is_dir()) else { return Ok(None) };
        let git = self.git()?;
        // Git's ownership check applies here, too.
        let asked = ["--path-format=absolute", "--git-common-dir", "--git-path", "objects", "--show-object-format"];
        let answer = git.call(common, &QUIET, "rev-parse").args(asked).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let [common_dir, objects, format] = lines[..] else { return Ok(None) };
        if answer.code != 0 || !fs::canonicalize(common_dir).is_ok_and(|dir| dir == common) {
            return Ok(None);
        }
        let common = PathBuf::from(common_dir);
        let (index, objects, format) = (common.join("index"), PathBuf::from(objects), format.to_owned());
        let found = Found {
            root: common.clone(),
            git_dir: git_dir.to_owned(),
            common_dir: common.clone(),
            objects,
            index,
            format,
        };
        let mut worktree = self.assemble(git, found);
        worktree.found.git_dir = common;
        Ok(Some(Removed(worktree)))
    }

    fn assemble(&self, git: Git, found: Found) -> Worktree {
        let digest = Sha256::digest(found.git_dir.as_os_str().as_encoded_bytes());
        let id = hash::hex(&digest[..8]);
        Worktree {
            private: self.state_dir.join("wt").join(&id),
            id,
            git,
            limits: self.limits.clone(),
            exclude: self.exclude.clone(),
            excludes_file: None,
            config: String::new(),
            abilities: Abilities::of(&found.objects),
            found,
        }
    }
}

/// A linked worktree that is gone, while its repository, which has its pins, is there.
#[derive(Debug)]
pub struct Removed(Worktree);

impl Removed {
    /// Drops pins, as [`Worktree::unpin`] does.
    ///
    /// # Errors
    ///
    /// Fails when git fails; then no pin is dropped.
    pub fn unpin(&self, names: &[String]) -> Result<()> {
        self.0.unpin(names)
    }

    /// Removes all that is left of it, as [`Worktree::forget`] does.
    ///
    /// # Errors
    ///
    /// Fails when git fails or the private directory cannot be removed.
    pub fn forget(&self) -> Result<()> {
        self.0.forget()
    }
}

pub(crate) fn check_version(git: &Git) -> Result<String> {
    let answer = git.call(Path::new("/"), &[], "version").run()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let mut numbers = text.split([' ', '.']).filter_map(|part| part.parse::<u32>().ok());
    if (numbers.next(), numbers.next()) >= (Some(2), Some(35)) {
        return Ok(text.trim().to_owned());
    }
    Err(Error::Git {
        command: "version".into(),
        code: answer.code,
        stderr: format!("2.35 or later is needed, found {}", text.trim()),
    })
}

/// Asks git itself, with its ownership check and the user's `safe.directory`.
fn discover(git: &Git, dir: &Path) -> Result<Found> {
    let refuse = |reason: &str| Error::NotAWorktree { path: dir.to_owned(), reason: reason.to_owned() };
    let call =
        git.call(dir, &QUIET, "rev-parse").args(["--path-format=absolute", "--show-toplevel", "--absolute-git-dir"]);
    let call = call.args(["--git-common-dir", "--git-path", "objects", "--git-path", "index", "--show-object-format"]);
    let answer = call.run()?;
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
        return Err(refuse("its path holds a line end"));
    };
    let canonical = |path: &str| fs::canonicalize(path).map_err(Error::io(path));
    let root = canonical(root)?;
    if !dir.starts_with(&root) {
        return Err(refuse("its repository claims another directory"));
    }
    Ok(Found {
        root,
        git_dir: canonical(git_dir)?,
        common_dir: canonical(common_dir)?,
        objects: canonical(objects)?,
        index: PathBuf::from(index),
        format: format.to_owned(),
    })
}

fn refuse_protected(root: &Path) -> Result<()> {
    let mut protected = vec![PathBuf::from("/")];
    if let Some(home) = home() {
        protected.extend(["Desktop", "Documents", "Downloads"].map(|name| home.join(name)));
        protected.push(home);
    }
    let same = |dir: PathBuf| fs::canonicalize(dir).is_ok_and(|dir| dir == root);
    if protected.into_iter().any(same) { Err(Error::ProtectedDir { path: root.to_owned() }) } else { Ok(()) }
}
