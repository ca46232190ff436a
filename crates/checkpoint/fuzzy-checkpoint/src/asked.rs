//! Remembers what git said of itself and of the user's configuration, as long as neither has changed.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system::{self as sys, Fingerprint};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::engine::{Engine, check_version};
use crate::files::{self, private_dir, regular, write_if_new};
use crate::git::Git;
use crate::worktree::Worktree;

/// What git said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    /// The program and the files of the configuration, as they were.
    of: Vec<(PathBuf, Option<Fingerprint>)>,
    home: Option<PathBuf>,
    excludes_file: Option<PathBuf>,
}

impl Engine {
    /// Makes sure that git is recent enough, and finds the user's `core.excludesFile`.
    ///
    /// # Errors
    ///
    /// Fails when git is too old or cannot be run.
    pub(crate) fn ask(&self, git: &Git, worktree: &Worktree) -> Result<Option<PathBuf>> {
        let path = self.state_dir().join("git.json");
        let known: Option<Asked> = files::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        if let Some(known) = known.filter(|known| known.is_still_so(git)) {
            return Ok(known.excludes_file);
        }
        check_version(git)?;
        let excludes_file = worktree.users_excludes_file()?;
        if let Some(mut of) = configurations(git)? {
            of.push(git.program.clone());
            let of = of.into_iter().map(|path| (path.clone(), sys::fingerprint(&path).ok())).collect();
            let asked = Asked { of, home: sys::home(), excludes_file: excludes_file.clone() };
            // Where it cannot be kept, git is asked again.
            let _ = private_dir(self.state_dir());
            let _ = serde_json::to_vec(&asked).map(|text| write_if_new(&path, &text));
        }
        Ok(excludes_file)
    }
}

impl Asked {
    fn is_still_so(&self, git: &Git) -> bool {
        self.home == sys::home()
            && self.of.last().is_some_and(|(program, seen)| *program == git.program && seen.is_some())
            && self.of.iter().all(|(path, seen)| sys::fingerprint(path).ok() == *seen)
    }
}

/// Returns the files of the user's and the system's configuration; `None` where git does not tell them, or where one
/// includes others.
fn configurations(git: &Git) -> Result<Option<Vec<PathBuf>>> {
    let mut files = Vec::new();
    for variable in ["GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL"] {
        let answer = git.call(Path::new("/"), &[], "var").arg(variable).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let named: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
        if answer.code != 0 || named.is_empty() || !named.iter().all(|path| path.is_absolute()) {
            return Ok(None);
        }
        files.extend(named);
    }
    Ok(if files.iter().any(|file| may_include(file)) { None } else { Some(files) })
}

/// Returns whether a file of settings is there and may include others.
fn may_include(path: &Path) -> bool {
    let text = regular(path, true);
    fs::metadata(path).is_ok()
        && text.is_none_or(|text| memchr::memmem::find(&text.to_ascii_lowercase(), b"include").is_some())
}
