//! Sidecars: stores that borrow nothing, for directories without a repository, or whose repository is not used.
//!
//! The rest of the engine treats a sidecar as the directory's repository, with a branch without commits. Git itself
//! reads the ignore rules, so they have the same meaning as in a repository.

use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::engine::{Engine, refuse_protected};
use crate::files::{exists, private_dir};
use crate::fs_capabilities::Abilities;
use crate::git::Git;
use crate::repository::Repository;
use crate::store::{self, SIDECARS};
use crate::unreadable::means_absent;
use crate::worktree::Found;
use crate::{Error, Result, hash};

impl Engine {
    /// Returns whether a git directory is a sidecar of this engine.
    #[must_use]
    pub fn is_sidecar(&self, git_dir: &Path) -> bool {
        let sidecars = self.sidecars();
        git_dir.parent() == Some(&sys::canonical(&sidecars).unwrap_or(sidecars))
    }

    fn sidecars(&self) -> PathBuf {
        self.state_dir().join(SIDECARS)
    }

    /// Returns the path of a directory's sidecar, which depends on the directory's path.
    fn sidecar_of(&self, root: &Path) -> PathBuf {
        self.sidecars().join(&hash::sha256(sys::bytes_of(root.as_os_str()))[..16])
    }

    /// Finds the sidecar of the nearest directory around `dir` that has one, else of the root of the repository around
    /// it, unless this ignores `dir`, else of `dir` itself.
    pub(crate) fn sidecar_around(&self, git: &Git, dir: &Path, around: Option<Repository>) -> Result<Found> {
        let top = around.as_ref().map(|found| found.root.clone());
        let is_ignored = around.as_ref().map(|found| found.ignores(git, dir)).transpose()?.unwrap_or(false);
        // A sidecar does not capture nested repositories, so directories above the repository's root are not searched.
        let mut inside = dir.ancestors().take_while(|above| {
            top.as_deref().is_none_or(|top| above.starts_with(top) && !(is_ignored && *above == top))
        });
        let mut known = None;
        while let Some(above) = inside.next().filter(|_| known.is_none()) {
            known = self.has_checkpoints(above)?.then(|| above.to_owned());
        }
        let root = known.or(top.filter(|_| !is_ignored)).unwrap_or_else(|| dir.to_owned());
        self.sidecar_at(root, around)
    }

    /// Returns whether `dir`, or a directory between it and the `root` of the worktree around it, has checkpoints in a
    /// sidecar of its own.
    pub(crate) fn has_sidecar_within(&self, root: &Path, dir: &Path) -> Result<bool> {
        let mut inside = dir.ancestors().take_while(|above| *above != root && above.starts_with(root));
        inside.try_fold(false, |found, dir| Ok(found || self.has_checkpoints(dir)?))
    }

    /// Returns whether the sidecar of a directory was ever used.
    fn has_checkpoints(&self, root: &Path) -> Result<bool> {
        let sidecar = self.sidecar_of(root);
        // A capture creates a ref, which git's housekeeping may pack.
        Ok(exists(&sidecar.join("refs/fuzzy-edit"))? || exists(&sidecar.join("packed-refs"))?)
    }

    /// Opens the sidecar of the directory `root`; creates it if it is missing. `around` is the repository around it.
    pub(crate) fn sidecar_at(&self, root: PathBuf, around: Option<Repository>) -> Result<Found> {
        refuse_protected(&root)?;
        let users = around.filter(|found| found.root == root);
        let sidecar = self.sidecar_of(&root);
        if store::id_of(&sidecar)?.is_none() {
            for dir in ["objects", "refs"] {
                private_dir(&sidecar.join(dir))?;
            }
        }
        let git_dir = sys::canonical(&sidecar).map_err(Error::io(&sidecar))?;
        let known = store::format_of(&git_dir)?;
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
            store: git_dir.clone(),
            store_id: None,
            lends: None,
            index: git_dir.join("index"),
            staging: git_dir.clone(),
            rules: git_dir.clone(),
            git_dir,
            format,
            sidecar: true,
            id: None,
        }
    }

    /// Probes the capabilities of the worktree's file system, in one of our directories if that is on the same one, else
    /// in the user's object store.
    pub(crate) fn abilities(&self, state_dir: &Path) -> Result<Abilities> {
        let device = |dir: &Path| match sys::identity(dir) {
            Err(error) if means_absent(&error) => Ok(None),
            found => found.map(|found| Some(found.device)).map_err(Error::unreadable(dir)),
        };
        // A missing directory is reported when the worktree is locked.
        let _ = private_dir(state_dir);
        let users = self.lends.as_deref().filter(|dir| sys::check_writable(dir).is_ok());
        let root = device(&self.root)?;
        for dir in [Some(state_dir), users].into_iter().flatten() {
            if device(dir)?.is_some_and(|device| Some(device) == root) {
                return Abilities::of(dir).map_err(Error::unreadable(dir));
            }
        }
        // The directory itself must not be written to, so only existing names can be probed.
        Ok(Abilities::USUAL.with_case_of(&self.root))
    }
}
