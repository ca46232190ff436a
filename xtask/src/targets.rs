//! The systems that the command is made for, and how it is made for others than this one.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, root, run};

use crate::build::Build;
use crate::needs::Need;
use crate::python::Environment;

/// A system that the command is made for.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its name in Rust.
    pub(crate) name: &'static str,
    /// The features of the command there.
    pub(crate) features: &'static str,
    linker: Linker,
    /// The ending of the names of programs.
    suffix: &'static str,
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
    Target { name: "x86_64-unknown-linux-musl", features: "full", linker: Linker::Zig, suffix: "" },
    Target { name: "aarch64-unknown-linux-musl", features: "full", linker: Linker::Zig, suffix: "" },
    Target { name: "x86_64-apple-darwin", features: "full", linker: Linker::Zig, suffix: "" },
    Target { name: "aarch64-apple-darwin", features: "full", linker: Linker::Zig, suffix: "" },
    Target { name: "x86_64-pc-windows-gnu", features: "full", linker: Linker::Mingw, suffix: ".exe" },
    Target { name: "aarch64-pc-windows-gnullvm", features: "full", linker: Linker::Zig, suffix: ".exe" },
];

/// The frameworks of macOS that the command is linked to, as far as it uses them; Zig has none.
const FRAMEWORKS: &str = "xtask/frameworks";

impl Target {
    /// Returns the one of this name.
    pub(crate) fn of(name: &str) -> Result<&'static Self> {
        TARGETS.iter().find(|target| target.name == name).with_context(|| format!("no target {name}"))
    }

    /// Checks that the command compiles.
    pub(crate) fn check(&self, metadata: &Metadata) -> Result<()> {
        run(self.command(metadata, "check")?)
    }

    /// Makes the command; returns its file, and what that is called where those of all targets are.
    pub(crate) fn make(&self, metadata: &Metadata, build: Build) -> Result<(PathBuf, String)> {
        let mut command = self.command(metadata, "rustc")?;
        command.args(["--bin", "fuzzy-edit", "--profile", build.profile()]);
        command.args(["--config", "profile.dist.strip=true"]);
        if self.name.ends_with("-apple-darwin") {
            command.args(["--", "-C"]).arg(format!("link-arg=-F{}", root().join(FRAMEWORKS).display()));
        }
        run(command)?;
        let file = format!("fuzzy-edit{}", self.suffix);
        let made = metadata.target_dir.join(self.name).join(build.folder()).join(file);
        Ok((made, format!("fuzzy-edit-{}{}", self.name, self.suffix)))
    }

    /// Prepares a verb of cargo for the command there.
    fn command(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        let mut command = self.cargo(metadata, verb)?;
        command.args(["--package", "fuzzy-edit-cli", "--no-default-features", "--features", self.features]);
        Ok(command)
    }

    /// Prepares a verb of cargo for what runs there.
    pub(crate) fn cargo(&self, metadata: &Metadata, verb: &str) -> Result<Command> {
        Need::Std(self.name).provide()?;
        let mut command = match self.linker {
            Linker::Mingw => {
                Need::Mingw.provide()?;
                cargo([verb])
            }
            Linker::Zig => {
                Need::Python.provide()?;
                let zig = Environment::of(metadata, "xtask/requirements-zig.txt")?.programs();
                let mut command = Command::new(zig.join("cargo-zigbuild"));
                // It looks for Zig among the programs, and for the interpreter that has it.
                let path = env::var_os("PATH").unwrap_or_default();
                let path = env::join_paths([zig].into_iter().chain(env::split_paths(&path)))?;
                command.arg(verb).env("PATH", path).current_dir(root());
                command
            }
        };
        command.args(["--locked", "--target", self.name]);
        Ok(command)
    }
}
