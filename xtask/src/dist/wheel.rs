//! The wheel of the Python package.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::python::{Environment, PACKAGE};

/// What the wheel may weigh, in bytes.
const LARGEST: u64 = 3_000_000;

pub(super) fn make(metadata: &Metadata, build: Build) -> Result<Vec<PathBuf>> {
    let environment = Environment::of(metadata, "bindings/python/requirements-build.txt")?;
    let wheel = environment.build_wheel(metadata, build)?;
    let size = fs::metadata(&wheel)?.len();
    ensure!(build == Build::Debug || size < LARGEST, "the wheel has {size} bytes, {LARGEST} are allowed");
    Ok(vec![wheel])
}

/// Installs the wheel in a fresh environment and uses every function of it.
pub(super) fn try_out(files: &[PathBuf], _: Build) -> Result<()> {
    let [wheel] = files else { bail!("there are {} wheels, not one", files.len()) };
    let folder = tempfile::tempdir()?;
    let environment = Environment::fresh(&folder.path().join("venv"))?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-index"]);
    pip.arg(wheel);
    run(pip)?;
    let mut python = environment.python();
    // Not where the sources are, or they would be imported.
    python.arg(root().join(PACKAGE).join("tests/installed.py")).current_dir(folder.path());
    python.env("XDG_STATE_HOME", folder.path().join("state"));
    run(python)
}
