//! Remembers what git said of itself and of the user's configuration, as long as neither has changed.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system::{self as sys, Fingerprint};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::engine::{Engine, check_version};
use crate::files::{self, private_dir, regular, write_if_new};
use crate::git::Git;
use crate::worktree::{Worktree, usual_excludes_file};

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
        let said = Said::ask(git)?;
        let excludes_file = match said.excludes_file() {
            Some(found) => found,
            None => worktree.users_excludes_file()?,
        };
        if said.files.is_empty() {
            // One that does not name its files may be older than those that do.
            check_version(git)?;
        } else if !said.files.iter().any(|file| may_include(file)) {
            let of = said.files.into_iter().chain([git.program.clone()]);
            let of = of.map(|path| (path.clone(), sys::fingerprint(&path).ok())).collect();
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

/// Git's variables and its configuration outside any repository, from one call.
struct Said {
    text: String,
    /// The files of the user's and the system's configuration; none where git does not tell them all.
    files: Vec<PathBuf>,
}

impl Said {
    fn ask(git: &Git) -> Result<Self> {
        let answer = git.call(Path::new("/"), &[], "var").arg("-l").env("GIT_DIR", "/dev/null").run()?;
        let text = if answer.code == 0 { String::from_utf8_lossy(&answer.stdout).into_owned() } else { String::new() };
        let named = |name: &str| text.lines().filter_map(|line| line.strip_prefix(name)).map(PathBuf::from).collect();
        let kinds: [Vec<PathBuf>; 2] = ["GIT_CONFIG_SYSTEM=", "GIT_CONFIG_GLOBAL="].map(named);
        let is_whole = kinds.iter().all(|files| !files.is_empty() && files.iter().all(|file| file.is_absolute()));
        let files = if is_whole { kinds.concat() } else { Vec::new() };
        Ok(Self { text, files })
    }

    /// Returns the user's `core.excludesFile`, or the usual one where none is named; `None` where git has to be asked.
    #[expect(clippy::option_option, reason = "whether it is known, and whether there is one")]
    fn excludes_file(&self) -> Option<Option<PathBuf>> {
        if self.files.is_empty() {
            return None;
        }
        match self.text.lines().filter_map(|line| line.strip_prefix("core.excludesfile=")).next_back() {
            None => Some(usual_excludes_file()),
            Some(path) if path.starts_with('/') => Some(Some(path.into())),
            Some(path) => Some(Some(sys::home()?.join(path.strip_prefix("~/")?))),
        }
    }
}

/// Returns whether a file of settings is there and may include others.
fn may_include(path: &Path) -> bool {
    let text = regular(path, true);
    fs::metadata(path).is_ok()
        && text.is_none_or(|text| memchr::memmem::find(&text.to_ascii_lowercase(), b"include").is_some())
}
