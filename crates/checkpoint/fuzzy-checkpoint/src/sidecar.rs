//! Sidecars: our own repositories, in the state directory, for directories without a repository or with a read-only
//! one.
//!
//! The rest of the engine treats a sidecar as the directory's repository, with a branch without commits. Git itself
//! reads the ignore rules, so they have the same meaning as in a repository.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::engine::{Engine, discover, refuse_protected};
use crate::files::{private_dir, write_if_new};
use crate::fs_capabilities::Abilities;
use crate::git::Git;
use crate::worktree::{Found, QUIET, Worktree};
use crate::{Error, Result, hash};

const NOT_A_REPOSITORY: &str = "not a git repository";

impl Engine {
    /// Returns whether a git directory is a sidecar of this engine.
    #[must_use]
    pub fn is_sidecar(&self, git_dir: &Path) -> bool {
        let sidecars = self.sidecars();
        git_dir.parent() == Some(&sys::canonical(&sidecars).unwrap_or(sidecars))
    }

    fn sidecars(&self) -> PathBuf {
        self.state_dir().join("sidecar")
    }

    /// Returns the path of a directory's sidecar, which depends on the directory's path.
    fn sidecar_of(&self, root: &Path) -> PathBuf {
        self.sidecars().join(&hash::sha256(sys::bytes_of(root.as_os_str()))[..16])
    }

    /// Finds the sidecar of the nearest directory around `dir` that has one, else of the root of the repository around
    /// it, else of `dir` itself.
    pub(crate) fn sidecar_around(&self, git: &Git, dir: &Path) -> Result<Found> {
        let top = repository(git, dir)?.map(|found| found.root);
        // A sidecar does not capture nested repositories, so directories above the repository's root are not searched.
        let mut inside = dir.ancestors().take_while(|above| top.as_deref().is_none_or(|top| above.starts_with(top)));
        let known = inside.find(|above| self.has_checkpoints(above)).map(Path::to_owned);
        let root = known.or(top).unwrap_or_else(|| dir.to_owned());
        self.sidecar_at(git, root)
    }

    /// Returns whether the sidecar of a directory was ever used.
    fn has_checkpoints(&self, root: &Path) -> bool {
        let sidecar = self.sidecar_of(root);
        // A capture creates a ref, which git's housekeeping may pack.
        ["refs/fuzzy-edit", "packed-refs"].iter().any(|name| fs::symlink_metadata(sidecar.join(name)).is_ok())
    }

    /// Opens the sidecar of the directory `root`; creates it if it is missing.
    pub(crate) fn sidecar_at(&self, git: &Git, root: PathBuf) -> Result<Found> {
        refuse_protected(&root)?;
        let users = repository(git, &root)?.filter(|found| found.root == root);
        let sidecar = self.sidecar_of(&root);
        for dir in ["objects", "refs"] {
            private_dir(&sidecar.join(dir))?;
        }
        let git_dir = sys::canonical(&sidecar).map_err(Error::io(&sidecar))?;
        let config = git_dir.join("config");
        let known = fs::read_to_string(&config).ok().map(|text| format_of(&text));
        let format = known.or_else(|| users.as_ref().map(|found| found.format.clone())).unwrap_or("sha1".to_owned());
        // An index of another object format cannot be used.
        let users = users.filter(|found| found.format == format);
        let mut found = Found::sidecar(root, git_dir, format);
        // Files tracked by the user's repository are captured even if they are ignored.
        if let Some(users) = users {
            (found.index, found.staging, found.rules) = (users.index, users.git_dir, users.common_dir);
        }
        Ok(found)
    }
}

impl Found {
    pub(crate) fn sidecar(root: PathBuf, git_dir: PathBuf, format: String) -> Self {
        Self {
            home: root.clone(),
            root,
            common_dir: git_dir.clone(),
            objects: git_dir.join("objects"),
            index: git_dir.join("index"),
            staging: git_dir.clone(),
            rules: git_dir.clone(),
            git_dir,
            format,
            sidecar: true,
        }
    }

    /// Probes the capabilities of the worktree's file system.
    pub(crate) fn abilities(&self) -> Abilities {
        let abilities = Abilities::of(&self.objects);
        let [files, objects] = [&self.root, &self.objects].map(|dir| sys::identity(dir).ok().map(|found| found.device));
        if self.sidecar && files != objects {
            // The directory must not be written to, so only existing names can be probed.
            return Abilities::USUAL.with_case_of(&self.root);
        }
        abilities
    }
}

impl Worktree {
    /// Writes the files that make a directory a repository.
    pub(crate) fn write_sidecar(&self) -> Result<()> {
        let dir = &self.found.git_dir;
        write_if_new(&dir.join("HEAD"), b"ref: refs/heads/none\n")?;
        write_if_new(&dir.join("config"), self.config.as_bytes())
    }

    /// Frees the space of pruned checkpoints if the repository is a sidecar: only its objects are ours to collect. No
    /// capture or restore runs meanwhile.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn collect(&self) -> Result<()> {
        if !self.found.sidecar {
            return Ok(());
        }
        let locked = self.lock()?;
        // Packing needs space for a second copy of all remaining objects.
        let is_scarce = self.scarce(self.held_bytes()?.saturating_add(self.limits.min_free_bytes))?.is_some();
        let call = if is_scarce {
            self.scrubbed("prune", &QUIET).arg("--expire=now")
        } else {
            self.scrubbed("gc", &QUIET).args(["--quiet", "--prune=now"])
        };
        call.env("GIT_DIR", &self.found.git_dir).hold(&locked.lock)?.ok().map(drop)
    }

    /// Removes a whole sidecar.
    pub(crate) fn remove_sidecar(&self) -> Result<()> {
        let dir = &self.found.git_dir;
        fs::remove_dir_all(dir).map_err(Error::io(dir))
    }
}

/// Finds the user's own repository; `None` if there is none.
fn repository(git: &Git, dir: &Path) -> Result<Option<Found>> {
    match discover(git, dir) {
        Err(Error::NotAWorktree { reason, .. }) if reason.contains(NOT_A_REPOSITORY) => Ok(None),
        found => found.map(Some),
    }
}

fn format_of(config: &str) -> String {
    if config.contains("objectFormat = sha256") { "sha256" } else { "sha1" }.to_owned()
}
