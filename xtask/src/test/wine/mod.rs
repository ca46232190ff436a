//! Runs Windows programs on this system, under Wine.

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

use super::elsewhere::edits;
use crate::build::Build;
use crate::emulator::Wine;
use crate::targets::Target;

mod checkpoints;
mod git;
mod verbs;

/// The numbers of processes, files, and edits of each process: 1,000 edits in total.
const CROWD: &str = "20 10 50";

/// The tests of edits that run: those with many processes, and with processes that are killed.
const CAMPAIGNS: [&str; 2] = ["many_processes_lose_nothing", "killed_at_every_step"];

/// Fails unless, under Wine, files are written safely despite other writers and killed processes, and every verb of the
/// command works.
pub(super) fn windows(metadata: &Metadata) -> Result<()> {
    let wine = Wine::with_shim(&metadata.target_dir.join("wine"))?;
    let target = Target::of("x86_64-pc-windows-gnu")?;
    let cargo = |packages: &[&str]| {
        let mut tests = target.cargo(metadata, "test")?;
        for package in packages {
            tests.args(["--package", package]);
        }
        tests.args(["--lib", "--test", "it"]).env("FUZZY_EDIT_CROWD", CROWD).env("FUZZY_EDIT_BATCHES", "8");
        wine.lend_to(tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"));
        anyhow::Ok(tests)
    };
    run(cargo(&["fuzzy-system", "fuzzy-safe-write"])?)?;
    let mut campaigns = cargo(&["fuzzy-edit"])?;
    campaigns.arg("--").args(CAMPAIGNS);
    run(campaigns)?;
    let made = target.make(metadata, Build::Debug)?;
    let command = || {
        let mut command = Command::new("wine");
        wine.lend_to(command.arg(&made));
        command
    };
    edits(command)?;
    verbs::answer(command)?;
    match git::provide(&metadata.target_dir.join("wine/git")) {
        Ok(git) => checkpoints::go_back(command, &git),
        Err(error) => {
            println!("the verbs of checkpoints are left out, because there is no git for Windows: {error:#}");
            Ok(())
        }
    }
}
