//! Runs programs of other systems on this one: under Wine and under QEMU.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use crate::build::Build;
use crate::targets::Target;

/// Fails unless files are written safely and the command edits under Wine.
pub(super) fn windows(metadata: &Metadata) -> Result<()> {
    let wine = Wine::with_shim(&metadata.target_dir.join("wine"))?;
    let target = Target::of("x86_64-pc-windows-gnu")?;
    let mut tests = target.cargo(metadata, "test")?;
    tests.args(["--package", "fuzzy-safe-write", "--lib", "--test", "it"]);
    wine.lend_to(tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"));
    run(tests)?;
    let made = target.make(metadata, Build::Debug)?;
    edits(|| {
        let mut command = Command::new("wine");
        wine.lend_to(command.arg(&made));
        command
    })
}

/// Fails unless the engine agrees with its tests and the command edits on arm64.
pub(super) fn arm(metadata: &Metadata) -> Result<()> {
    const QEMU: &str = "qemu-aarch64-static";
    let target = Target::of("aarch64-unknown-linux-musl")?;
    let mut tests = target.cargo(metadata, "test")?;
    // No crate whose tests start themselves: the system does not know the emulator.
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

/// Edits a file with the command, takes that back, and asks for what is refused.
fn edits(fuzzy_edit: impl Fn() -> Command) -> Result<()> {
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
        compiler.arg(root().join("xtask/src/test/bcryptprimitives.c")).arg("-ladvapi32");
        run(compiler)?;
        Ok(wine)
    }

    /// Lets a command run programs of Windows.
    fn lend_to(&self, command: &mut Command) {
        // Its drive Z is the root of this system.
        command.env("WINEPREFIX", &self.home).env("WINEPATH", format!("Z:{}", self.libraries.display()));
        command.env("WINEDEBUG", "-all");
    }
}
