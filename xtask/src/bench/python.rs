//! Measures the Python package as it is released.

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::python::{Environment, PACKAGE};

/// Builds the wheel, installs it and prints what it takes.
pub(super) fn measure() -> Result<()> {
    let metadata = Metadata::load()?;
    let environment = Environment::of(&metadata, "requirements-test.txt")?;
    let wheel = environment.build_wheel(&metadata, Build::Shipped)?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
    pip.arg(&wheel);
    run(pip)?;
    let mut python = environment.python();
    python.arg(root().join(PACKAGE).join("tools/measure.py")).arg(wheel).current_dir(&metadata.target_dir);
    run(python)
}
