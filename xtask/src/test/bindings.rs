//! The packages for other languages.

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::python::{Environment, PACKAGE};

/// Tests the Python package as it is, unoptimised, with a strategy that panics.
pub(super) fn python(metadata: &Metadata) -> Result<()> {
    let environment = Environment::of(metadata, "requirements-test.txt")?;
    let wheel = environment.build_wheel("dev", &["failpoints"], &metadata.target_dir.join("wheels/dev"))?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
    pip.arg(wheel);
    run(pip)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest"]).current_dir(root().join(PACKAGE)).env("PYTHONDONTWRITEBYTECODE", "1");
    run(pytest)
}
