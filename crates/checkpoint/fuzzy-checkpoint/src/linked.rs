//! Finds the directory to which a git directory belongs: a file `.git` can refer to any git directory, and so does a
//! copy of it.

use std::path::{Path, PathBuf};

use fuzzy_system as sys;

use crate::files::regular;
use crate::git::Git;
use crate::worktree::QUIET;
use crate::{Error, Result};

/// Returns the directory to which the git directory belongs, according to itself.
///
/// # Errors
///
/// Refuses a copy of a linked worktree, because its index, branch and checkpoints are the original's.
pub(crate) fn home(git: &Git, root: &Path, git_dir: &Path, common_dir: &Path) -> Result<PathBuf> {
    if git_dir.file_name().is_some_and(|name| name == ".git") {
        return Ok(git_dir.parent().unwrap_or(git_dir).to_owned());
    }
    if git_dir == common_dir {
        // A submodule, or a separate git directory.
        let config = git_dir.join("config");
        let call = git.call(git_dir, &QUIET, "config").arg("--file").arg(&config);
        let answer = call.args(["-z", "--get", "core.worktree"]).run()?;
        let named = answer.stdout.strip_suffix(b"\0").filter(|_| answer.code == 0);
        let is_roots = named.is_some_and(|named| is_same(&git_dir.join(path(named)), root));
        return Ok(if is_roots { root } else { git_dir }.to_owned());
    }
    let refuse = |reason: String| Error::NotAWorktree { path: root.to_owned(), reason };
    let Some(named) = regular(&git_dir.join("gitdir"), false) else {
        return Err(refuse("its git directory names no worktree".into()));
    };
    let file = git_dir.join(path(named.trim_ascii_end()));
    let home = file.parent().unwrap_or(&file);
    if is_same(home, root) {
        return Ok(root.to_owned());
    }
    // The recorded path of a moved worktree leads nowhere, or to something else.
    if leads_to(&file, git_dir) {
        return Err(refuse(format!(
            "it is a copy of {}, to which its git directory belongs; `git worktree repair` makes it the original",
            home.display()
        )));
    }
    Ok(sys::canonical(home).unwrap_or_else(|_| home.to_owned()))
}

/// Returns whether a file `.git` refers to this git directory.
fn leads_to(file: &Path, git_dir: &Path) -> bool {
    let Some(text) = regular(file, false) else { return false };
    let Some(named) = text.strip_prefix(b"gitdir: ") else { return false };
    let named = file.parent().unwrap_or(file).join(path(named.trim_ascii_end()));
    is_same(&named, git_dir)
}

fn is_same(one: &Path, other: &Path) -> bool {
    sys::identity(one).is_ok_and(|one| sys::identity(other).is_ok_and(|other| other == one))
}

fn path(bytes: &[u8]) -> PathBuf {
    sys::path_of(bytes.to_vec()).into()
}
