//! Runs programs of Windows on this system, under Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use super::elsewhere::edits;
use crate::build::Build;
use crate::targets::Target;

mod checkpoints;
mod git;
mod verbs;

/// Processes, files, and edits of each process: 1,000 edits in all.
const CROWD: &str = "20 10 50";

/// Fails unless, under Wine, files are written safely, whoever else writes them and whenever a process is killed, and
/// every verb of the command does its work.
pub(super) fn windows(metadata: &Metadata) -> Result<()> {
    let wine = Wine::with_shim(&metadata.target_dir.join("wine"))?;
    let target = Target::of("x86_64-pc-windows-gnu")?;
    let mut tests = target.cargo(metadata, "test")?;
    for package in ["fuzzy-system", "fuzzy-safe-write", "fuzzy-edit"] {
        tests.args(["--package", package]);
    }
    tests.args(["--lib", "--test", "it"]).env("FUZZY_EDIT_CROWD", CROWD).env("FUZZY_EDIT_BATCHES", "8");
    wine.lend_to(tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"));
    run(tests)?;
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

/// Wine, with a home of its own.
struct Wine {
    home: PathBuf,
    /// The folder of libraries that it lacks.
    libraries: PathBuf,
}

impl Wine {
    fn with_shim(folder: &Path) -> Result<Self> {
        let wine = Self { home: folder.join("home"), libraries: folder.join("libraries") };
        fs::create_dir_all(&wine.libraries).with_context(|| format!("cannot make {}", wine.libraries.display()))?;
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-O1", "-o"]).arg(wine.libraries.join("bcryptprimitives.dll"));
        compiler.arg(root().join("xtask/src/test/wine/bcryptprimitives.c")).arg("-ladvapi32");
        run(compiler)?;
        Ok(wine)
    }

    /// Lets a command run programs of Windows.
    fn lend_to(&self, command: &mut Command) {
        // Its drive Z is the root of this system.
        command.env("WINEPREFIX", &self.home).env("WINEPATH", on_drive_z(&self.libraries));
        command.env("WINEDEBUG", "-all");
    }
}

/// Returns the name that programs of Windows know a path by.
fn on_drive_z(path: &Path) -> String {
    format!("Z:{}", path.display())
}
