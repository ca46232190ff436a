//! Finds the user's repository, by running git and checking its answers.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::files::{exists, own, small};
use crate::git::Git;
use crate::pipes::Reads;
use crate::unreadable::means_absent;
use crate::worktree::{Found, QUIET, ignored, scrubbed};
use crate::{Error, Oid, Result, linked};

/// A repository of the user. It becomes a place for captures only with a store.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    pub(crate) root: PathBuf,
    pub(crate) git_dir: PathBuf,
    pub(crate) common_dir: PathBuf,
    pub(crate) index: PathBuf,
    /// `sha1` or `sha256`.
    pub(crate) format: String,
    home: PathBuf,
    objects: PathBuf,
}

impl Repository {
    /// Returns the worktree `id` with the checkpoints in `store`.
    pub(crate) fn with_store(self, store: PathBuf, id: String) -> Found {
        Found {
            staging: self.git_dir.clone(),
            rules: self.common_dir.clone(),
            root: self.root,
            home: self.home,
            git_dir: self.git_dir,
            common_dir: self.common_dir,
            store,
            store_id: None,
            lends: Some(self.objects),
            index: self.index,
            format: self.format,
            sidecar: false,
            id: Some(id),
        }
    }

    /// Returns whether the repository ignores a directory below the root.
    pub(crate) fn ignores(&self, git: &Git, dir: &Path) -> Result<bool> {
        let call = scrubbed(git, &self.root, "check-ignore", &QUIET).env("GIT_DIR", &self.git_dir);
        ignored(call.beware_of_pipes(Reads::Repository(self.root.clone())), &self.root, dir)
    }
}

/// Finds the repository around `dir`; `None` if there is none. Runs git once, with its ownership check and the user's
/// `safe.directory`.
pub(crate) fn repository(git: &Git, dir: &Path) -> Result<Option<Repository>> {
    let refuse = |reason: &str| Error::NotAWorktree { path: dir.to_owned(), reason: reason.to_owned() };
    let call =
        git.call(dir, &QUIET, "rev-parse").args(["--path-format=absolute", "--show-toplevel", "--absolute-git-dir"]);
    let call = call.args(["--git-common-dir", "--git-path", "objects", "--git-path", "index", "--show-object-format"]);
    let answer = call.beware_of_pipes(Reads::Repository(dir.to_owned())).run()?;
    if answer.code != 0 {
        let stderr = answer.stderr.trim();
        return match () {
            () if stderr.contains("dubious ownership") => {
                Err(Error::DubiousOwnership { path: dir.to_owned(), stderr: stderr.to_owned() })
            }
            () if stderr.contains("not a git repository") => confirm_none(dir).map(|()| None),
            () if stderr.contains("must be run in a work tree") => Err(refuse(stderr)),
            // It may have failed for want of memory, or to read a file.
            () => Err(answer.failed("rev-parse")),
        };
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
    Ok(Some(Repository {
        root,
        home,
        git_dir,
        common_dir,
        objects: canonical(objects)?,
        index: PathBuf::from(index),
        format: format.to_owned(),
    }))
}

/// Returns the refusal of a directory around which there is no repository.
pub(crate) fn none_around(dir: &Path) -> Error {
    Error::NotAWorktree { path: dir.to_owned(), reason: "no git repository is around it".to_owned() }
}

/// Makes sure that there is no repository around `dir`: git also says so if it fails to read one.
fn confirm_none(dir: &Path) -> Result<()> {
    let device = |dir: &Path| sys::identity(dir).map(|found| found.device).map_err(Error::unreadable(dir));
    let of_dir = device(dir)?;
    for above in dir.ancestors() {
        // Git does not look for it on another file system.
        if device(above)? != of_dir {
            break;
        }
        let mut git_dir = above.join(".git");
        match fs::symlink_metadata(&git_dir) {
            Err(error) if means_absent(&error) => continue,
            Ok(meta) if meta.is_file() => {
                let text = own(&git_dir)?.unwrap_or_default();
                let Some(named) = text.strip_prefix(b"gitdir: ") else { continue };
                git_dir = above.join(sys::path_of(named.trim_ascii_end().to_vec()));
            }
            looked => _ = looked.map_err(Error::unreadable(&git_dir))?,
        }
        let head = match sys::open_regular(&git_dir.join("HEAD"), true) {
            Err(error) if means_absent(&error) => continue,
            file => file.and_then(small).map_err(Error::unreadable(git_dir.join("HEAD")))?,
        };
        let is_sound = head.starts_with(b"ref:") || Oid::from_line(&head).is_some();
        let parts = |names: &[&str]| {
            names.iter().try_fold(true, |all, name| Ok::<_, Error>(all && exists(&git_dir.join(name))?))
        };
        if is_sound && (parts(&["objects", "refs"])? || parts(&["commondir"])?) {
            return Err(Error::damaged(&git_dir, "git did not find this repository"));
        }
    }
    Ok(())
}

fn canonical(path: &str) -> Result<PathBuf> {
    sys::canonical(path).map_err(Error::io(path))
}
