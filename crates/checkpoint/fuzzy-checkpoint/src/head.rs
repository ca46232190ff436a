//! Reads the user's head and our own ref directly from git's files; runs git if they are stored in another way.

use std::fs;
use std::path::Path;

use fuzzy_system as sys;

use crate::files::{self, regular};
use crate::listing::Now;
use crate::worktree::Worktree;
use crate::{Oid, Reason, Result, Uncovered};

/// The value of a ref.
enum Resolved {
    Commit(Oid),
    Nothing,
    /// It is not in a regular file, or the file is not understood.
    Unclear,
}

impl Worktree {
    /// Returns the user's head and the ref of the warm index.
    pub(crate) fn now(&self) -> Result<Now> {
        let now = self.read_now().map_or_else(|| self.now_by_git(), Ok)?;
        // A sidecar has no branch.
        Ok(Now { branch: now.branch.filter(|_| !self.found.sidecar), ..now })
    }

    fn read_now(&self) -> Option<Now> {
        let found = &self.found;
        if fs::symlink_metadata(found.common_dir.join("reftable")).is_ok() {
            return None;
        }
        let pinned = self.pinned()?;
        let text = plain(&found.git_dir.join("HEAD"))?;
        if let Some(head) = Oid::from_line(text.as_bytes()) {
            return Some(Now { pinned, head: Some(head), branch: None });
        }
        let branch = text.strip_prefix("ref: ")?.trim_end_matches('\n');
        if !is_branch(branch) {
            return None;
        }
        let head = match resolve(&found.common_dir, branch) {
            Resolved::Commit(oid) => Some(oid),
            Resolved::Nothing => None,
            Resolved::Unclear => return None,
        };
        Some(Now { pinned, head, branch: Some(branch.to_owned()) })
    }
}

impl Worktree {
    /// Reads the ref of the warm index; the outer `None` means that git must be run to find it.
    #[expect(clippy::option_option, reason = "whether it is known, and whether there is one")]
    fn pinned(&self) -> Option<Option<Oid>> {
        match resolve(&self.found.store, &self.warm_ref()) {
            Resolved::Commit(oid) => Some(Some(oid)),
            Resolved::Nothing => Some(None),
            Resolved::Unclear => None,
        }
    }

    /// Returns the ref of the warm index.
    pub(crate) fn pinned_by_git(&self) -> Result<Option<Oid>> {
        if let Some(pinned) = self.pinned() {
            return Ok(pinned);
        }
        let answer = self.kept("rev-parse").args(["--verify", "-q", &self.warm_ref()]).run()?;
        Ok(Oid::from_line(&answer.stdout).filter(|_| answer.code == 0))
    }
}

/// Returns whether a name is that of a branch and a sound path. Only branches are always shared by all worktrees.
fn is_branch(name: &str) -> bool {
    name.starts_with("refs/heads/")
        && !name.contains("//")
        && name.split('/').all(|part| !part.starts_with('.') && part.strip_suffix(".lock").is_none())
        && !name.bytes().any(|byte| byte <= b' ' || b"~^:?*[\\\x7f".contains(&byte))
}

/// Adds the commit that is checked out, if the path is a repository of its own.
pub(crate) fn with_commit(root: &Path, left: Uncovered) -> Uncovered {
    let is_repository = matches!(left.reason, Reason::Submodule | Reason::NestedRepo);
    let commit = is_repository.then(|| commit_in(&sys::on_disk(root, left.path.as_bytes()))).flatten();
    Uncovered { commit, ..left }
}

/// Returns the commit that is checked out in the repository at `dir`. Its files are read without git, because it is not
/// the user's choice to trust it.
fn commit_in(dir: &Path) -> Option<Oid> {
    let own = dir.join(".git");
    let git_dir = match fs::symlink_metadata(&own).ok()? {
        meta if meta.is_dir() => own,
        _ => dir.join(plain(&own)?.strip_prefix("gitdir: ")?.trim_end_matches('\n')),
    };
    let text = plain(&git_dir.join("HEAD"))?;
    let branch = text.strip_prefix("ref: ").map(|name| name.trim_end_matches('\n'));
    match branch {
        None => Oid::from_line(text.as_bytes()),
        Some(branch) if is_branch(branch) => match resolve(&git_dir, branch) {
            Resolved::Commit(oid) => Some(oid),
            Resolved::Nothing | Resolved::Unclear => None,
        },
        Some(_) => None,
    }
}

fn resolve(common_dir: &Path, name: &str) -> Resolved {
    match fs::symlink_metadata(common_dir.join(name)) {
        Ok(meta) if meta.is_file() => {
            let text = plain(&common_dir.join(name)).unwrap_or_default();
            return Oid::from_line(text.as_bytes()).map_or(Resolved::Unclear, Resolved::Commit);
        }
        // After refs are packed, an empty directory may remain.
        Ok(meta) if !meta.is_dir() => return Resolved::Unclear,
        _ => {}
    }
    let packed = match files::read(&common_dir.join("packed-refs")) {
        Ok(packed) => packed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Resolved::Nothing,
        Err(_) => return Resolved::Unclear,
    };
    let line = [b" ", name.as_bytes(), b"\n"].concat();
    let Some(at) = memchr::memmem::find(&packed, &line) else { return Resolved::Nothing };
    let begin = memchr::memrchr(b'\n', &packed[..at]).map_or(0, |end| end + 1);
    Oid::from_line(&packed[begin..at]).map_or(Resolved::Unclear, Resolved::Commit)
}

/// Reads a short regular file; does not follow links.
fn plain(path: &Path) -> Option<String> {
    let text = regular(path, false).filter(|text| text.len() < 4096)?;
    String::from_utf8(text).ok()
}
