//! The programs and targets outside the Rust toolchain that a suite or an artefact needs: found, or installed if
//! permitted.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, run, works};

use crate::instructions;
use crate::npm;
use crate::test::postgres;
use crate::wasm::WASM;

/// A dependency outside the toolchain.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Need {
    /// Git, whose worktrees are captured.
    Git,
    /// Curl, with which the documentation of the service shows requests.
    Curl,
    /// Node.js, to run WebAssembly and JavaScript.
    Node,
    /// The package manager of Node.js.
    Npm,
    /// A browser, and a font for it.
    Chromium,
    /// Python, with the module that makes environments.
    Python,
    /// A Java runtime, which Spark needs.
    Java,
    /// The standard library for WebAssembly.
    WasmTarget,
    /// The standard library for another target.
    Std(&'static str),
    /// A C compiler and linker for Windows.
    Mingw,
    /// A Windows library that git is built with.
    MingwZlib,
    /// Wine, to run Windows programs.
    Wine,
    /// QEMU, to run programs for arm64.
    Qemu,
    /// Opencode from npm.
    Opencode,
    /// Valgrind, to count instructions.
    Valgrind,
    /// A machine for which the committed counts of instructions are valid.
    CountedMachine,
    /// The programs of a Postgres server.
    Postgres,
}

impl Need {
    /// Returns the name for the table of suites.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Curl => "curl",
            Self::Node => "node",
            Self::Npm => "npm",
            Self::Chromium => "chromium",
            Self::Python => "python",
            Self::Java => "java",
            Self::WasmTarget => WASM,
            Self::Std(target) => target,
            Self::Mingw => "mingw-w64",
            Self::MingwZlib => "zlib for mingw-w64",
            Self::Wine => "wine",
            Self::Qemu => "qemu",
            Self::Opencode => "opencode",
            Self::Valgrind => "valgrind",
            Self::CountedMachine => "the machine of benches/instructions.toml",
            Self::Postgres => "postgres",
        }
    }

    /// Finds the dependency, otherwise installs it; the error names the reason why it is not available.
    pub(crate) fn provide(self) -> Result<()> {
        if self.found()? {
            return Ok(());
        }
        println!("{} is not here, installing it", self.name());
        self.install().with_context(|| format!("{} is not here and cannot be installed", self.name()))?;
        if !self.found()? {
            bail!("{} is still not here after its installation", self.name());
        }
        Ok(())
    }

    fn found(self) -> Result<bool> {
        match self {
            Self::Git => Ok(works("git", &["--version"])),
            Self::Curl => Ok(works("curl", &["--version"])),
            Self::Node => Ok(works("node", &["--version"])),
            Self::Npm => Ok(works("npm", &["--version"])),
            Self::Chromium => Ok(works("chromium", &["--version"])),
            Self::Python => Ok(works("python3", &["-c", "import ensurepip, venv"])),
            Self::Opencode => Ok(npm::find_opencode(&Metadata::load()?).is_some()),
            Self::Java => Ok(works("java", &["-version"])),
            Self::Valgrind => Ok(works("valgrind", &["--version"])),
            Self::CountedMachine => instructions::are_comparable(),
            Self::Postgres => Ok(postgres::programs().is_some()),
            Self::WasmTarget => has_std(WASM),
            Self::Std(target) => has_std(target),
            Self::Wine => Ok(works("wine", &["--version"])),
            Self::Qemu => Ok(works("qemu-aarch64-static", &["--version"])),
            Self::Mingw => Ok(works("x86_64-w64-mingw32-gcc", &["--version"])),
            Self::MingwZlib => Ok(Path::new("/usr/x86_64-w64-mingw32/include/zlib.h").is_file()),
        }
    }

    fn install(self) -> Result<()> {
        match self {
            Self::Git => apt("git"),
            Self::Curl => apt("curl"),
            Self::Node => apt("nodejs"),
            Self::Npm => apt("npm"),
            Self::Chromium => apt("chromium").and_then(|()| apt("fonts-dejavu-core")),
            Self::Python => apt("python3-venv"),
            Self::Opencode => npm::opencode(&Metadata::load()?).map(drop),
            Self::Java => apt("default-jre-headless"),
            Self::Valgrind => apt("valgrind"),
            Self::CountedMachine => bail!("the committed counts are for another set of instructions"),
            Self::Postgres => apt("postgresql"),
            Self::WasmTarget => add_std(WASM),
            Self::Std(target) => add_std(target),
            Self::Wine => apt("wine64").and_then(|()| apt("wine")),
            Self::Qemu => apt("qemu-user-static"),
            Self::Mingw => apt("gcc-mingw-w64-x86-64"),
            Self::MingwZlib => apt("libz-mingw-w64-dev"),
        }
    }
}

/// Returns whether the toolchain contains the standard library for a target, with any method of installation.
fn has_std(target: &str) -> Result<bool> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    Ok(PathBuf::from(read(rustc)?.trim()).is_dir())
}

fn add_std(target: &str) -> Result<()> {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]);
    run(rustup)
}

/// Installs a Debian package if this user is root; never prompts for a password.
fn apt(package: &str) -> Result<()> {
    if !works("sh", &["-c", "test \"$(id -u)\" = 0 && command -v apt-get"]) {
        bail!("installing {package} takes apt-get and root");
    }
    for arguments in [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends", package]] {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        run(command)?;
    }
    Ok(())
}
