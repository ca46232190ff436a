//! Caches git's version check and the user's configuration until the program or the configuration changes.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_system::{self as sys, Fingerprint};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::engine::{Engine, check_version};
use crate::files::{self, regular, write_if_new};
use crate::git::Git;
use crate::pipes::Reads;
use crate::worktree::{Worktree, usual_excludes_file};

/// The cached facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cached {
    /// The git program and the configuration files, with their fingerprints.
    of: Vec<(PathBuf, Option<Fingerprint>)>,
    home: Option<PathBuf>,
    excludes_file: Option<PathBuf>,
}

impl Engine {
    /// Checks that git is recent enough, and finds the user's `core.excludesFile`.
    ///
    /// # Errors
    ///
    /// Fails if git is too old or cannot be run.
    pub(crate) fn find_excludes_file(&self, git: &Git, worktree: &Worktree) -> Result<Option<PathBuf>> {
        let path = self.state_dir().join("git.json");
        let known: Option<Cached> = files::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        if let Some(known) = known.filter(|known| known.is_current(git)) {
            return Ok(known.excludes_file);
        }
        let vars = GitVars::read(git)?;
        let excludes_file = match vars.excludes_file() {
            Some(found) => found,
            None => worktree.users_excludes_file()?,
        };
        if vars.files.is_empty() {
            // A git that does not list its files may be too old.
            check_version(git)?;
        } else if !vars.files.iter().any(|file| may_include(file)) {
            let of = vars.files.into_iter().chain([git.program.clone()]);
            let of = of.map(|path| (path.clone(), sys::fingerprint(&path).ok())).collect();
            let cached = Cached { of, home: sys::home(), excludes_file: excludes_file.clone() };
            // If the cache cannot be written, the next call runs git again.
            if sys::make_own(self.state_dir()).is_ok() {
                let _ = serde_json::to_vec(&cached).map(|text| write_if_new(&path, &text));
            }
        }
        Ok(excludes_file)
    }
}

impl Cached {
    fn is_current(&self, git: &Git) -> bool {
        self.home == sys::home()
            && self.of.last().is_some_and(|(program, seen)| *program == git.program && seen.is_some())
            && self.of.iter().all(|(path, seen)| sys::fingerprint(path).ok() == *seen)
    }
}

/// Git's variables and its configuration outside any repository, from one call.
struct GitVars {
    text: String,
    /// The files of the user's and the system's configuration; empty if git does not list them all.
    files: Vec<PathBuf>,
}

impl GitVars {
    fn read(git: &Git) -> Result<Self> {
        let call = git.call(Path::new("/"), &[], "var").arg("-l").env("GIT_DIR", "/dev/null");
        let answer = call.beware_of_pipes(Reads::Configuration).run()?;
        let text = if answer.code == 0 { String::from_utf8_lossy(&answer.stdout).into_owned() } else { String::new() };
        let named = |name: &str| text.lines().filter_map(|line| line.strip_prefix(name)).map(PathBuf::from).collect();
        let kinds: [Vec<PathBuf>; 2] = ["GIT_CONFIG_SYSTEM=", "GIT_CONFIG_GLOBAL="].map(named);
        let is_whole = kinds.iter().all(|files| !files.is_empty() && files.iter().all(|file| file.is_absolute()));
        let files = if is_whole { kinds.concat() } else { Vec::new() };
        Ok(Self { text, files })
    }

    /// Returns the user's `core.excludesFile`, or git's default if it is not set; the outer `None` means that git must
    /// be run to find it.
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

/// Returns whether a configuration file exists and may include others.
fn may_include(path: &Path) -> bool {
    let text = regular(path, true);
    fs::metadata(path).is_ok()
        && text.is_none_or(|text| memchr::memmem::find(&text.to_ascii_lowercase(), b"include").is_some())
}
