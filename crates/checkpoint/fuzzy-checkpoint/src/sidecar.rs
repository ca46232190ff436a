//! Sidecars: stores that borrow nothing, for directories without a repository, or whose repository is not used.
//!
//! The rest of the engine treats a sidecar as the directory's repository, with a branch without commits. Git itself
//! reads the ignore rules, so they have the same meaning as in a repository.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::engine::{Engine, refuse_protected, repository};
use crate::files::private_dir;
use crate::fs_capabilities::Abilities;
use crate::git::Git;
use crate::worktree::{Found, Worktree};
use crate::{Error, Result, hash, store};

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
    /// it, unless this ignores `dir`, else of `dir` itself.
    pub(crate) fn sidecar_around(&self, git: &Git, dir: &Path) -> Result<Found> {
        let around = repository(git, dir)?.map(|found| self.assemble(git.clone(), found));
        let top = around.as_ref().map(|worktree| worktree.root().to_owned());
        let is_ignored = around.map(|worktree| worktree.ignores(dir)).transpose()?.unwrap_or(false);
        // A sidecar does not capture nested repositories, so directories above the repository's root are not searched.
        let mut inside = dir.ancestors().take_while(|above| {
            top.as_deref().is_none_or(|top| above.starts_with(top) && !(is_ignored && *above == top))
        });
        let known = inside.find(|above| self.has_checkpoints(above)).map(Path::to_owned);
        let root = known.or(top.filter(|_| !is_ignored)).unwrap_or_else(|| dir.to_owned());
        self.sidecar_at(git, root)
    }

    /// Returns whether `dir`, or a directory between it and the root of the worktree around it, has checkpoints in a
    /// sidecar of its own.
    #[must_use]
    pub fn has_sidecar_within(&self, worktree: &Worktree, dir: &Path) -> bool {
        let root = worktree.root();
        dir.ancestors()
            .take_while(|above| *above != root && above.starts_with(root))
            .any(|dir| self.has_checkpoints(dir))
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
        let known = store::format_of(&git_dir);
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
    pub(crate) fn abilities(&self, state_dir: &Path) -> Abilities {
        let device = |dir: &Path| sys::identity(dir).ok().map(|found| found.device);
        // A missing directory is reported when the worktree is locked.
        let _ = private_dir(state_dir);
        let users = self.lends.as_deref().filter(|dir| sys::check_writable(dir).is_ok());
        let dirs = [Some(state_dir), users].into_iter().flatten();
        let same = dirs.into_iter().find(|dir| device(dir).is_some() && device(dir) == device(&self.root));
        // The directory itself must not be written to, so only existing names can be probed.
        same.map_or_else(|| Abilities::USUAL.with_case_of(&self.root), Abilities::of)
    }
}
