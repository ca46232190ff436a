//! Checks the command on the systems that it is made for.

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::targets::TARGETS;

/// Fails unless the command compiles for every target.
pub(super) fn suite(metadata: &Metadata) -> Result<()> {
    TARGETS.iter().try_for_each(|target| {
        println!("{}, with {}", target.name, target.features);
        target.check(metadata)
    })
}

/// Runs tests and the command for another system in an emulator.
pub(super) fn try_out(system: &str) -> Result<()> {
    let mut script = Command::new("bash");
    script.arg("tools/cross/try.sh").arg(system).current_dir(root());
    run(script)
}
