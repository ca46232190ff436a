//! Runs programs for another processor under QEMU.

use std::fs;
use std::process::Command;

use anyhow::{Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, run};

use crate::build::Build;
use crate::emulator::QEMU;
use crate::targets::Target;

/// Fails unless the engine passes its tests and the command edits on arm64.
pub(super) fn arm(metadata: &Metadata) -> Result<()> {
    let target = Target::of("aarch64-unknown-linux-musl")?;
    let mut tests = target.cargo(metadata, "test")?;
    // Crates whose tests start themselves are excluded, because the kernel is not configured to use the emulator.
    for package in ["fuzzy-core", "fuzzy-merge", "fuzzy-audit", "fuzzy-adaptive"] {
        tests.args(["--package", package]);
    }
    tests.args(["--lib", "--tests"]).env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", QEMU);
    run(tests)?;
    let made = target.make(metadata, Build::Debug)?;
    edits(|| {
        let mut command = Command::new(QEMU);
        command.arg(&made);
        command
    })
}

/// Edits a file with the command, undoes the edit, and runs an edit that is refused.
pub(super) fn edits(fuzzy_edit: impl Fn() -> Command) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
    fs::create_dir_all(tree.join("Shop"))?;
    let file = tree.join("Shop/cart.py");
    let before = "def total(cart):\r\n\treturn sum(cart)\r\n";
    fs::write(&file, before)?;
    let with = |arguments: &[&str]| {
        let mut command = fuzzy_edit();
        command.args(arguments).current_dir(&tree).env("XDG_STATE_HOME", &state).env("LOCALAPPDATA", &state);
        command
    };
    let edit = ["apply", "Shop/cart.py", "--old", "    return sum(cart)", "--new", "    return 0"];
    read(with(&edit))?;
    let edited = fs::read_to_string(&file)?;
    ensure!(edited == "def total(cart):\r\n\treturn 0\r\n", "the edit made {edited:?}");
    read(with(&["undo"]))?;
    ensure!(fs::read_to_string(&file)? == before, "nothing was undone");
    let refused = with(&["apply", "--root", "Shop", "../out", "--old", "a", "--new", "b"]).output()?;
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(!refused.status.success() && said.contains("outside_root"), "it said {said:?}");
    Ok(())
}
