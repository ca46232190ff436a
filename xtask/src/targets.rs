//! The systems that artefacts are made for, and how they are made for others than this one.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, root, run};

use crate::build::Build;
use crate::needs::Need;
use crate::playground;
use crate::python::Environment;

/// The features of the command as it is released: every verb. Tables of Parquet and stores in Postgres, which few use,
/// are left out: they are about a tenth of the command, and all of it that needs frameworks of macOS.
pub(crate) const RELEASED: &str = "edit,checkpoint,mcp,serve,playground";

/// A system that the command is made for.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its name in Rust.
    pub(crate) name: &'static str,
    /// The features of the command there.
    pub(crate) features: &'static str,
    linker: Linker,
    /// The ending of the names of programs.
    pub(crate) suffix: &'static str,
    /// The names of its packages for npm and Python, one for each C library.
    pub(crate) platforms: &'static [Platform],
}

/// A system as npm and Python know it, where libraries are loaded into programs of others.
#[derive(Debug)]
pub(crate) struct Platform {
    /// The target of libraries in Rust: with a C library, unlike that of the command.
    pub(crate) target: &'static str,
    /// The oldest C library that a wheel runs with, as its tag says; `None` where there is no wheel and no module for Node.
    pub(crate) wheel: Option<&'static str>,
    /// The words of npm: system, processor and C library.
    pub(crate) npm: (&'static str, &'static str, Option<&'static str>),
}

/// The source of the C compiler and the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linker {
    /// Zig, from the index of Python packages.
    Zig,
    /// Debian's compiler for Windows.
    Mingw,
}

/// Every one of them.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "x86_64-unknown-linux-musl",
        features: RELEASED,
        linker: Linker::Zig,
        suffix: "",
        platforms: &[
            Platform {
                target: "x86_64-unknown-linux-gnu",
                wheel: Some("manylinux_2_17"),
                npm: ("linux", "x64", Some("glibc")),
            },
            Platform {
                target: "x86_64-unknown-linux-musl",
                wheel: Some("musllinux_1_2"),
                npm: ("linux", "x64", Some("musl")),
            },
        ],
    },
    Target {
        name: "aarch64-unknown-linux-musl",
        features: RELEASED,
        linker: Linker::Zig,
        suffix: "",
        platforms: &[
            Platform {
                target: "aarch64-unknown-linux-gnu",
                wheel: Some("manylinux_2_17"),
                npm: ("linux", "arm64", Some("glibc")),
            },
            Platform {
                target: "aarch64-unknown-linux-musl",
                wheel: Some("musllinux_1_2"),
                npm: ("linux", "arm64", Some("musl")),
            },
        ],
    },
    Target {
        name: "x86_64-apple-darwin",
        features: RELEASED,
        linker: Linker::Zig,
        suffix: "",
        platforms: &[Platform {
            target: "x86_64-apple-darwin",
            wheel: Some("macosx_10_12"),
            npm: ("darwin", "x64", None),
        }],
    },
    Target {
        name: "aarch64-apple-darwin",
        features: RELEASED,
        linker: Linker::Zig,
        suffix: "",
        platforms: &[Platform {
            target: "aarch64-apple-darwin",
            wheel: Some("macosx_11_0"),
            npm: ("darwin", "arm64", None),
        }],
    },
    Target {
        name: "x86_64-pc-windows-gnu",
        features: RELEASED,
        linker: Linker::Mingw,
        suffix: ".exe",
        platforms: &[Platform { target: "x86_64-pc-windows-gnu", wheel: Some("win"), npm: ("win32", "x64", None) }],
    },
    Target {
        name: "aarch64-pc-windows-gnullvm",
        features: RELEASED,
        linker: Linker::Zig,
        suffix: ".exe",
        platforms: &[Platform { target: "aarch64-pc-windows-gnullvm", wheel: None, npm: ("win32", "arm64", None) }],
    },
];

/// The framework of macOS that the wheel names because of Arrow's time zones, without a symbol of it; Zig has none.
const FRAMEWORKS: &str = "xtask/frameworks";

impl Target {
    /// Returns the one of this name.
    pub(crate) fn of(name: &str) -> Result<&'static Self> {
        TARGETS.iter().find(|target| target.name == name).with_context(|| format!("no target {name}"))
    }

    /// Returns the one whose command runs on this machine.
    pub(crate) fn here() -> Result<&'static Self> {
        Self::of(&format!("{}-unknown-linux-musl", env::consts::ARCH))
    }

    /// Checks that the command compiles.
    pub(crate) fn check(&self, metadata: &Metadata) -> Result<()> {
        run(self.command(metadata, "check")?)
    }

    /// Makes the command, and returns its file.
    pub(crate) fn make(&self, metadata: &Metadata, build: Build) -> Result<PathBuf> {
        let mut command = self.command(metadata, "rustc")?;
        command.args(["--bin", "fuzzy-edit", "--profile", build.profile()]);
        command.args(["--config", "profile.dist.strip=true"]);
        if build == Build::Shipped && self.features.contains("playground") {
            // The page needs the engine in WebAssembly.
            command.env(playground::ENGINE, playground::engine(metadata, build)?);
        }
        self.link(&mut command);
        run(command)?;
        let file = format!("fuzzy-edit{}", self.suffix);
        Ok(metadata.target_dir.join(self.name).join(build.folder()).join(file))
    }

    /// Makes Node's own module for a platform of this target, and returns its file; `None` where there is none.
    pub(crate) fn module(&self, metadata: &Metadata, build: Build, platform: &Platform) -> Result<Option<PathBuf>> {
        if platform.wheel.is_none() {
            return Ok(None);
        }
        let mut command = self.cargo_for(metadata, "rustc", platform.target)?;
        command.args(["--package", "fuzzy-edit-napi", "--lib", "--profile", build.profile()]);
        command.args(["--config", "profile.dist.strip=true"]);
        platform.link_dynamically(&mut command);
        self.link(&mut command);
        run(command)?;
        let folder = metadata.target_dir.join(platform.target).join(build.folder());
        let names = ["libfuzzy_edit_napi.so", "libfuzzy_edit_napi.dylib", "fuzzy_edit_napi.dll"];
        let module = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        module.context("cargo built no module for Node").map(Some)
    }

    /// Adds the arguments of `cargo rustc` with which the frameworks of macOS are found; they end the command line.
    pub(crate) fn link(&self, command: &mut Command) {
        if self.name.ends_with("-apple-darwin") {
            command.args(["--", "-C"]).arg(format!("link-arg=-F{}", root().join(FRAMEWORKS).display()));
        }
    }

    /// Prepares a verb of cargo for the command there.
    fn command(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        let mut command = self.cargo(metadata, verb)?;
        command.args(["--package", "fuzzy-edit-cli", "--no-default-features", "--features", self.features]);
        Ok(command)
    }

    /// Prepares a verb of cargo for what runs there.
    pub(crate) fn cargo(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        self.cargo_for(metadata, verb, self.name)
    }

    /// Prepares a verb of cargo for a target of this system.
    fn cargo_for(&self, metadata: &Metadata, verb: &str, target: &'static str) -> Result<Command> {
        Need::Std(target).provide()?;
        let mut command = match self.linker {
            Linker::Mingw => {
                Need::Mingw.provide()?;
                cargo([verb])
            }
            Linker::Zig => {
                let mut command = Command::new(zig(metadata)?.join("cargo-zigbuild"));
                with_zig(metadata, &mut command)?;
                command.arg(verb).current_dir(root());
                command
            }
        };
        command.args(["--locked", "--target", &linked_target(target)]);
        Ok(command)
    }

    /// Lets a command that builds with cargo find the compiler and the linker for this target.
    pub(crate) fn lend_linker(&self, metadata: &Metadata, command: &mut Command) -> Result<()> {
        match self.linker {
            Linker::Mingw => Need::Mingw.provide(),
            Linker::Zig => {
                with_zig(metadata, command)?;
                command.arg("--zig");
                Ok(())
            }
        }
    }
}

impl Platform {
    /// Returns the name that npm's packages have for it.
    pub(crate) fn package(&self) -> String {
        let (system, processor, library) = self.npm;
        let musl = if library == Some("musl") { "-musl" } else { "" };
        format!("fuzzy-edit-{system}-{processor}{musl}")
    }

    /// Links a library for musl to the musl of the system, as the program has it that loads the library.
    pub(crate) fn link_dynamically(&self, command: &mut Command) {
        if self.target.ends_with("-musl") {
            let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", self.target.to_uppercase().replace('-', "_"));
            command.env(variable, "-C target-feature=-crt-static");
        }
    }
}

/// Returns the target with the oldest glibc that is supported, as Zig is asked for it.
fn linked_target(target: &str) -> String {
    if target.ends_with("-linux-gnu") { format!("{target}.2.17") } else { target.to_owned() }
}

/// Returns the folder of programs with Zig and what links with it.
fn zig(metadata: &Metadata) -> Result<PathBuf> {
    Need::Python.provide()?;
    Ok(Environment::of(metadata, "xtask/requirements-zig.txt")?.programs())
}

/// Lets a command find Zig: it looks among the programs, and for the interpreter that has it.
fn with_zig(metadata: &Metadata, command: &mut Command) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([zig(metadata)?].into_iter().chain(env::split_paths(&path)))?;
    command.env("PATH", path);
    Ok(())
}
