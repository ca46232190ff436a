//! The variables and the settings that select the places of records and checkpoints.

use std::env;
use std::path::{Path, PathBuf};

use fuzzy_edit::State;
use fuzzy_system as sys;

use crate::config;

/// The variable with the database.
pub(super) const DATABASE: &str = "FUZZY_EDIT_DATABASE";

/// The variable with the directory of the checkpoints.
pub(super) const STORE: &str = "FUZZY_EDIT_STORE";

/// Returns the directory that its variable names. A relative path is in the current directory.
pub(super) fn store() -> Option<PathBuf> {
    env::var_os(STORE).filter(|dir| !dir.is_empty()).map(|dir| absolute(dir.into()))
}

/// Returns the path from the root; the path itself without a current directory.
pub(super) fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns the variables and settings that select directories of checkpoints or records, each with whether a path is in
/// its directory.
pub(super) fn selectors(path: &Path) -> Vec<(&'static str, bool)> {
    let is_around =
        |dir: PathBuf| path.starts_with(&dir) || sys::canonical(&dir).is_ok_and(|dir| path.starts_with(dir));
    let setting = config::user().ok().and_then(|user| user.store.clone());
    let all = [(STORE, store()), ("The setting `store`", setting), ("XDG_STATE_HOME", State::lasting())];
    all.into_iter().filter_map(|(name, dir)| Some((name, is_around(dir?)))).collect()
}
