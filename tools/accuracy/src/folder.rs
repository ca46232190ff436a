//! Temporary folders with the files of a case.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

/// Files by their paths.
pub(crate) type Files = BTreeMap<String, String>;

/// Makes a folder in memory, if possible: a durable write to disk takes many times as long as the patch.
pub(crate) fn fresh_folder() -> Result<TempDir> {
    let memory = PathBuf::from("/dev/shm");
    let place = if memory.is_dir() { memory } else { env::temp_dir() };
    tempfile::tempdir_in(&place).with_context(|| format!("cannot make a folder in {}", place.display()))
}

/// Writes files below a folder; creates it and the folders between.
pub(crate) fn write(tree: &Path, files: &Files) -> Result<()> {
    fs::create_dir_all(tree)?;
    for (name, text) in files {
        let place = tree.join(name);
        fs::create_dir_all(place.parent().unwrap_or(tree))?;
        fs::write(&place, text)?;
    }
    Ok(())
}
