//! The systems for which artefacts are made, and the builds for other systems than this one.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, root, run};

use crate::build::Build;
use crate::needs::{self, Need};
use crate::playground;
use crate::tools;

/// The features of the released command: every verb. Tables of Parquet and stores in Postgres are excluded, because few
/// people use them, they are about a tenth of the command, and only they need frameworks of macOS.
pub(crate) const RELEASED: &str = "edit,checkpoint,mcp,serve,playground";

/// A system for which the command is built.
#[derive(Debug)]
pub(crate) struct Target {
    /// The name of the Rust target.
    pub(crate) name: &'static str,
    /// The features of the command on this system.
    pub(crate) features: &'static str,
    linker: Linker,
    /// The suffix of the names of programs.
    pub(crate) suffix: &'static str,
    /// The platforms of its npm and Python packages, one for each C library.
    pub(crate) platforms: &'static [Platform],
}

/// A platform of npm and Python, on which libraries are loaded into other programs.
#[derive(Debug)]
pub(crate) struct Platform {
    /// The Rust target of libraries: with a C library, unlike the target of the command.
    pub(crate) target: &'static str,
    /// The oldest C library that a wheel supports, as in its tag; `None` if there is no wheel and no native Node
    /// module.
    pub(crate) wheel: Option<&'static str>,
    /// The system, the processor and the C library in npm's terms.
    pub(crate) npm: (&'static str, &'static str, Option<&'static str>),
}

/// The source of the C compiler and the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linker {
    /// Zig, from the Python package index.
    Zig,
    /// Debian's compiler for Windows.
    Mingw,
}

/// All targets.
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

/// The stub of the macOS framework that the wheel links because of Arrow's time zones; no symbol of it is used, and Zig
/// lacks it.
const FRAMEWORKS: &str = "xtask/frameworks";

impl Target {
    /// Returns the target with this name.
    pub(crate) fn of(name: &str) -> Result<&'static Self> {
        TARGETS.iter().find(|target| target.name == name).with_context(|| format!("no target {name}"))
    }

    /// Returns the target whose command runs on this machine.
    pub(crate) fn here() -> Result<&'static Self> {
        Self::of(&format!("{}-unknown-linux-musl", env::consts::ARCH))
    }

    /// Checks that the command compiles for this target.
    pub(crate) fn check(&self, metadata: &Metadata) -> Result<()> {
        run(self.command(metadata, "check")?)
    }

    /// Builds the command, and returns its file.
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

    /// Builds the native Node module for a platform of this target, and returns its file; `None` if the platform has
    /// none.
    pub(crate) fn module(&self, metadata: &Metadata, build: Build, platform: &Platform) -> Result<Option<PathBuf>> {
        if platform.wheel.is_none() {
            return Ok(None);
        }
        let mut command = self.cargo_for(metadata, "rustc", platform.target)?;
        command.args(["--package", "fuzzy-edit-napi", "--lib", "--profile", build.profile()]);
        command.args(["--config", "profile.dist.strip=true"]);
        platform.link_dynamically(&mut command);
        if self.linker == Linker::Mingw {
            command.env("LIBNODE_PATH", empty_node_library(metadata)?);
        }
        self.link(&mut command);
        run(command)?;
        let folder = metadata.target_dir.join(platform.target).join(build.folder());
        let names = ["libfuzzy_edit_napi.so", "libfuzzy_edit_napi.dylib", "fuzzy_edit_napi.dll"];
        let module = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        module.context("cargo built no module for Node").map(Some)
    }

    /// Adds the arguments of `cargo rustc` that locate the macOS frameworks; they must be the last arguments.
    pub(crate) fn link(&self, command: &mut Command) {
        if self.name.ends_with("-apple-darwin") {
            command.args(["--", "-C"]).arg(format!("link-arg=-F{}", root().join(FRAMEWORKS).display()));
        }
    }

    /// Prepares a cargo subcommand for the command on this target.
    fn command(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        let mut command = self.cargo(metadata, verb)?;
        command.args(["--package", "fuzzy-edit-cli", "--no-default-features", "--features", self.features]);
        Ok(command)
    }

    /// Prepares a cargo subcommand for programs on this target.
    pub(crate) fn cargo(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        self.cargo_for(metadata, verb, self.name)
    }

    /// Prepares a cargo subcommand for a Rust target of this system.
    fn cargo_for(&self, metadata: &Metadata, verb: &str, target: &'static str) -> Result<Command> {
        Need::target(target).provide()?;
        let mut command = match self.linker {
            Linker::Mingw => {
                needs::MINGW.provide()?;
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

    /// Configures a command that builds with cargo to use the compiler and the linker for this target.
    pub(crate) fn lend_linker(&self, metadata: &Metadata, command: &mut Command) -> Result<()> {
        match self.linker {
            Linker::Mingw => needs::MINGW.provide(),
            Linker::Zig => {
                with_zig(metadata, command)?;
                command.arg("--zig");
                Ok(())
            }
        }
    }
}

impl Platform {
    /// Returns the suffix of the npm package's name.
    pub(crate) fn package(&self) -> String {
        let (system, processor, library) = self.npm;
        let musl = if library == Some("musl") { "-musl" } else { "" };
        format!("fuzzy-edit-{system}-{processor}{musl}")
    }

    /// Links a library for musl dynamically, so that it uses the musl of the program that loads it.
    pub(crate) fn link_dynamically(&self, command: &mut Command) {
        if self.target.ends_with("-musl") {
            let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", self.target.to_uppercase().replace('-', "_"));
            command.env(variable, "-C target-feature=-crt-static");
        }
    }
}

/// Makes a library of Node.js without symbols, and returns its folder.
///
/// The build of `napi` demands one. The module takes every symbol from the running program instead (`dyn-symbols`).
fn empty_node_library(metadata: &Metadata) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("libnode");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // The build looks for the first one, the linker takes the second one.
    fs::write(folder.join("libnode.dll"), "")?;
    fs::write(folder.join("libnode.a"), "!<arch>\n")?;
    Ok(folder)
}

/// Returns the target with the oldest supported glibc, in Zig's notation.
fn linked_target(target: &str) -> String {
    if target.ends_with("-linux-gnu") { format!("{target}.2.17") } else { target.to_owned() }
}

/// Returns the folder of programs that contains Zig and cargo-zigbuild.
fn zig(metadata: &Metadata) -> Result<PathBuf> {
    tools::programs(metadata, &["cargo-zigbuild", "ziglang"])
}

/// Configures a command to find Zig through the path and the interpreter.
fn with_zig(metadata: &Metadata, command: &mut Command) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([zig(metadata)?].into_iter().chain(env::split_paths(&path)))?;
    command.env("PATH", path);
    Ok(())
}
