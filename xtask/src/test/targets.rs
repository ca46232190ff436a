//! Checks the command on the systems that it is made for.

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::packages::make;

/// Fails unless the command compiles for every target.
pub(super) fn suite(_: &Metadata) -> Result<()> {
    run(make(&["--check".into(), "--all-targets".into()])?)
}

/// Runs tests and the command for another system in an emulator.
pub(super) fn try_out(system: &str) -> Result<()> {
    let mut script = Command::new("bash");
    script.arg("tools/cross/try.sh").arg(system).current_dir(root());
    run(script)
}
