//! Measures the release build of the Python package: alone, and with tables of edits on Spark and without it.

use std::fs;
use std::path::{self, Path};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::machine;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use crate::build::Build;
use crate::python::{Environment, PACKAGE};

/// The document that contains the table.
const DOCUMENT: &str = "docs/scale.md";

/// The command that writes the table.
const COMMAND: &str = "cargo xtask bench --scale --write --cases CASES";

/// Builds the wheel, installs it, and prints the figures.
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

/// Measures tables of edits, prints the figures, and writes them into the document if `write` is set. Drifted edits of
/// labelled cases are measured if `cases` is given; the document requires them.
pub(super) fn measure_tables(cases: Option<&Path>, write: bool) -> Result<()> {
    ensure!(!write || cases.is_some(), "name the labelled cases: --cases CASES");
    let metadata = Metadata::load()?;
    let environment = Environment::of(&metadata, "requirements-spark.txt")?;
    let wheel = environment.build_wheel(&metadata, Build::Shipped)?;
    environment.install_with_spark(&wheel)?;
    let mut python = environment.python();
    python.arg("bench.py").arg("--folder").arg(metadata.target_dir.join("bench/scale"));
    if let Some(cases) = cases {
        python.arg("--cases").arg(path::absolute(cases)?);
    }
    python.current_dir(root().join(PACKAGE).join("scale")).env("PYTHONDONTWRITEBYTECODE", "1");
    let table = format!("{}\n{}.\n", read(python)?, machine::machine()?);
    print!("{table}");
    if write {
        let path = root().join(DOCUMENT);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        fs::write(&path, replace_block(&text, "figures", COMMAND, &table)?)?;
    }
    Ok(())
}
