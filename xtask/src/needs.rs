//! Finds programs and targets outside the Rust toolchain, or installs them where that is permitted.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{read, run, works};

use crate::test::postgres;

/// A dependency outside the toolchain.
#[derive(Debug)]
pub(crate) struct Need {
    /// The name for the table of suites.
    pub(crate) name: &'static str,
    found: Found,
    /// The Debian packages that contain it.
    debian: &'static [&'static str],
}

/// The way to find a dependency.
#[derive(Debug)]
enum Found {
    /// This command succeeds.
    Command(&'static [&'static str]),
    /// This function returns true.
    By(fn() -> bool),
    /// The toolchain contains the standard library for this target.
    Target(&'static str),
}

/// The target of the engine in WebAssembly.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Git, whose worktrees are captured.
pub(crate) const GIT: Need = Need::program("git", &["git", "--version"], &["git"]);
/// Curl, with which the documentation of the service shows requests.
pub(crate) const CURL: Need = Need::program("curl", &["curl", "--version"], &["curl"]);
/// Node.js, to run WebAssembly and JavaScript.
pub(crate) const NODE: Need = Need::program("node", &["node", "--version"], &["nodejs"]);
/// The package manager of Node.js.
pub(crate) const NPM: Need = Need::program("npm", &["npm", "--version"], &["npm"]);
/// A browser, and a font for it.
pub(crate) const CHROMIUM: Need =
    Need::program("chromium", &["chromium", "--version"], &["chromium", "fonts-dejavu-core"]);
/// Python, with the modules that make environments.
pub(crate) const PYTHON: Need =
    Need::program("python", &["python3", "-c", "import ensurepip, venv"], &["python3-venv"]);
/// A Java runtime, for Spark.
pub(crate) const JAVA: Need = Need::program("java", &["java", "-version"], &["default-jre-headless"]);
/// Valgrind, to count instructions.
pub(crate) const VALGRIND: Need = Need::program("valgrind", &["valgrind", "--version"], &["valgrind"]);
/// A C compiler and linker for Windows.
pub(crate) const MINGW: Need =
    Need::program("mingw-w64", &["x86_64-w64-mingw32-gcc", "--version"], &["gcc-mingw-w64-x86-64"]);
/// Wine, to run Windows programs.
pub(crate) const WINE: Need = Need::program("wine", &["wine", "--version"], &["wine64", "wine"]);
/// QEMU, to run programs for arm64.
pub(crate) const QEMU: Need = Need::program("qemu", &["qemu-aarch64-static", "--version"], &["qemu-user-static"]);
/// The programs of a Postgres server.
pub(crate) const POSTGRES: Need =
    Need { name: "postgres", found: Found::By(postgres::is_found), debian: &["postgresql"] };
/// The standard library for WebAssembly.
pub(crate) const WASM_TARGET: Need = Need::target(WASM);

impl Need {
    const fn program(name: &'static str, command: &'static [&'static str], debian: &'static [&'static str]) -> Self {
        Self { name, found: Found::Command(command), debian }
    }

    /// Describes the standard library for a target.
    pub(crate) const fn target(name: &'static str) -> Self {
        Self { name, found: Found::Target(name), debian: &[] }
    }

    /// Finds the dependency, otherwise installs it; the error names the reason why it is not available.
    pub(crate) fn provide(&self) -> Result<()> {
        if self.is_found()? {
            return Ok(());
        }
        println!("installing {}", self.name);
        self.install().with_context(|| format!("{} is not installed, and cannot be installed", self.name))?;
        ensure!(self.is_found()?, "{} is not found after its installation", self.name);
        Ok(())
    }

    fn is_found(&self) -> Result<bool> {
        match self.found {
            Found::Command(command) => Ok(works(command[0], &command[1..])),
            Found::By(find) => Ok(find()),
            Found::Target(target) => {
                let mut rustc = Command::new("rustc");
                rustc.args(["--print", "target-libdir", "--target", target]);
                Ok(PathBuf::from(read(rustc)?.trim()).is_dir())
            }
        }
    }

    fn install(&self) -> Result<()> {
        if let Found::Target(target) = self.found {
            let mut rustup = Command::new("rustup");
            rustup.args(["target", "add", target]);
            return run(rustup);
        }
        // A prompt for a password would stop a run that no person watches.
        let root = works("sh", &["-c", "test \"$(id -u)\" = 0 && command -v apt-get"]);
        ensure!(root, "its installation ({}) requires root and apt-get", self.debian.join(", "));
        for arguments in [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends"]] {
            let mut apt = Command::new("apt-get");
            apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
            if arguments.contains(&"install") {
                apt.args(self.debian);
            }
            run(apt)?;
        }
        Ok(())
    }
}
