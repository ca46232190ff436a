//! The settings in force: those of the user's file, made stricter by the project's file.
//!
//! Options win over both. A project's file comes with a clone, so it can only raise `min-confidence`, lower
//! `timeout-ms`, turn `seen` off, and restrict edits to a part of the project.

mod file;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use fuzzy_edit::Failure;
use fuzzy_pipeline::Similarity;

pub(crate) use file::{Steps, Switch, Values, user_file};

/// The name of a project's file.
const PROJECT: &str = "fuzzy-edit.toml";

/// The settings of both files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    pub(crate) user: Values,
    /// Only what makes the command stricter.
    pub(crate) project: Values,
    /// The project's file, if there is one.
    pub(crate) project_file: Option<PathBuf>,
}

impl Config {
    /// Returns the ladder, unless it is the usual one.
    pub(crate) fn ladder(&self) -> Option<&str> {
        self.user.ladder.as_deref()
    }

    /// Returns the least confidence: the highest one that is set.
    pub(crate) fn min_confidence(&self) -> Similarity {
        let set = [self.user.min_confidence, self.project.min_confidence].into_iter().flatten();
        set.fold(Similarity::ZERO, |least, value| least.max(Similarity::new(value)))
    }

    /// Returns the longest time of a search in milliseconds: the user's or else `usual`, and at most the project's.
    pub(crate) fn timeout_ms(&self, usual: u64) -> u64 {
        let own = self.user.timeout_ms.unwrap_or(usual);
        self.project.timeout_ms.map_or(own, |timeout| own.min(timeout))
    }

    /// Returns whether hooks remember what agents were shown: unless one of the files turns it off.
    pub(crate) fn remembers_seen(&self) -> bool {
        ![self.user.seen, self.project.seen].contains(&Some(Switch::Off))
    }

    /// Returns the directories that edits are restricted to; a file must be in each of them.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        [&self.user.root, &self.project.root].into_iter().flatten().cloned().collect()
    }
}

/// Returns the settings for the current directory. They are read once.
///
/// # Errors
///
/// Returns the failure of a file that cannot be read or has a key that it must not have.
pub(crate) fn current() -> Result<&'static Config, Box<Failure>> {
    static CURRENT: OnceLock<Result<Config, Box<Failure>>> = OnceLock::new();
    let read = || {
        let user = user()?.clone();
        let Some(path) = std::env::current_dir().ok().and_then(|directory| above(&directory)) else {
            return Ok(Config { user, ..Config::default() });
        };
        match Values::of_project(&path)? {
            (_, Some(failure)) => Err(failure),
            (project, None) => Ok(Config { user, project, project_file: Some(path) }),
        }
    };
    CURRENT.get_or_init(read).as_ref().map_err(Clone::clone)
}

/// Returns the settings for a hook in a project. A project's file that cannot be read is ignored, and so is a key that it
/// must not have; the text says why.
///
/// # Errors
///
/// Returns the failure of the user's file. Without its limits, a hook must not repair.
pub(crate) fn of_hook(directory: &Path) -> Result<(Config, Option<String>), Box<Failure>> {
    let user = user()?.clone();
    let Some(path) = above(directory) else { return Ok((Config { user, ..Config::default() }, None)) };
    let (project, failure) = match Values::of_project(&path) {
        Ok((project, failure)) => (project, failure),
        Err(failure) => (Values::default(), Some(failure)),
    };
    let ignored = failure.map(|failure| format!("ignored in the settings: {}", failure.message));
    Ok((Config { user, project, project_file: Some(path) }, ignored))
}

/// Returns the user's settings. They are read once.
///
/// # Errors
///
/// Returns the failure of the file.
pub(crate) fn user() -> Result<&'static Values, Box<Failure>> {
    static USER: OnceLock<Result<Values, Box<Failure>>> = OnceLock::new();
    let read = || user_file().map_or_else(|| Ok(Values::default()), |path| Values::of_user(&path));
    USER.get_or_init(read).as_ref().map_err(Clone::clone)
}

/// The usual wait for a step, in milliseconds.
pub(crate) const STEP_WAIT_MS: u64 = 2000;

/// Returns the longest wait of a hook for a step, in milliseconds.
#[cfg(feature = "checkpoint")]
pub(crate) fn step_wait_ms() -> i64 {
    let own = user().ok().and_then(|user| user.step_wait);
    i64::try_from(own.unwrap_or(STEP_WAIT_MS)).unwrap_or(i64::MAX)
}

/// Returns the project's file: the nearest one in the directory or above it, up to the top of its repository.
fn above(directory: &Path) -> Option<PathBuf> {
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    for directory in directory.ancestors() {
        let file = directory.join(PROJECT);
        if exists(&file) {
            return Some(file);
        }
        if exists(&directory.join(".git")) {
            return None;
        }
    }
    None
}
