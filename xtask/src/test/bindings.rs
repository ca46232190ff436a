//! Tests the packages for other languages.

use anyhow::Result;
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::python::{Environment, PACKAGE};

/// The folder of the Spark tests, relative to the package.
const SCALE: &str = "scale";

/// Tests the Python package, unoptimised, beside the command.
pub(super) fn python(metadata: &Metadata) -> Result<()> {
    let command = command::for_tests(metadata)?;
    let environment = Environment::of(metadata, "bindings/python/requirements-test.txt")?;
    let wheel = environment.build_wheel(metadata, Build::Debug)?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
    pip.arg(wheel);
    run(pip)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest"]).current_dir(root().join(PACKAGE));
    pytest.env("PYTHONDONTWRITEBYTECODE", "1").env("FUZZY_EDIT", command);
    run(pytest)
}

/// Tests the package on Spark, installed as users install it, together with the command.
pub(super) fn scale(metadata: &Metadata) -> Result<()> {
    let command = command::for_tests(metadata)?;
    let environment = Environment::of(metadata, "bindings/python/requirements-spark.txt")?;
    let wheel = environment.build_wheel(metadata, Build::Debug)?;
    environment.install_with_spark(&wheel)?;
    let mut pytest = environment.python();
    // The settings file belongs to another folder of tests.
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."]);
    pytest.current_dir(root().join(PACKAGE).join(SCALE)).env("PYTHONDONTWRITEBYTECODE", "1").env("FUZZY_EDIT", command);
    run(pytest)
}
