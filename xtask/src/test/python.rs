//! Tests of the Python package.

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::python::{Environment, PACKAGE};

/// Tests the package beside the command, with the native module that the tests of the workspace build. The suites `dist`
/// and `scale` build a wheel.
pub(super) fn package(metadata: &Metadata) -> Result<()> {
    let command = command::for_tests(metadata)?;
    let example = command::program_for_tests(metadata, "edit-tool")?;
    let environment = Environment::of(metadata, "bindings/python/requirements-test.txt")?;
    environment.put_package(&command::library_for_tests(metadata, "_native")?)?;
    run(pytest(&environment, &[], "").env("FUZZY_EDIT", command).env("EDIT_TOOL", example))
}

/// Tests the package on Spark, installed as users install it, together with the command.
pub(super) fn scale(metadata: &Metadata) -> Result<()> {
    let command = command::for_tests(metadata)?;
    let environment = Environment::of(metadata, "bindings/python/requirements-spark.txt")?;
    let wheel = environment.build_wheel(metadata, Build::Debug)?;
    environment.install_with_spark(&wheel)?;
    // The settings file belongs to another folder of tests.
    let options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."];
    run(pytest(&environment, &options, "scale").env("FUZZY_EDIT", command))
}

/// Prepares pytest in a folder of the package.
fn pytest(environment: &Environment, options: &[&str], folder: &str) -> Command {
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest"]).args(options).current_dir(root().join(PACKAGE).join(folder));
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    pytest
}
