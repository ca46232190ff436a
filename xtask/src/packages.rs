//! The scripts that make our packages.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use crate::build::Build;
use crate::{needs, tools};

/// Prepares a Python script of the folder `tools`, in the current folder, with these pinned programs in its path.
pub(crate) fn script(
    name: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    programs: &[&str],
) -> Result<Command> {
    needs::PYTHON.provide()?;
    let mut python = Command::new("python3");
    python.arg(root().join("tools").join(name)).args(arguments);
    if !programs.is_empty() {
        let folder = tools::programs(&Metadata::load()?, programs)?;
        let path = env::var_os("PATH").unwrap_or_default();
        python.env("PATH", env::join_paths([folder].into_iter().chain(env::split_paths(&path)))?);
    }
    Ok(python)
}

/// Makes the artefacts in a separate folder, then installs and uses them.
///
/// Optimising takes most of the time, and does not affect the packaging, the installation or the use of an artefact.
pub(crate) fn made_and_tried(build: Build) -> Result<()> {
    let folder = root().join("target/tried").join(build.folder());
    for try_out in [None, Some("--try-out")] {
        let mut dist = dist(build, try_out)?;
        dist.arg("--folder").arg(&folder);
        run(dist)?;
    }
    Ok(())
}

/// Makes the npm packages that a project needs on this machine, and returns their tarballs: the main package, the
/// engine in WebAssembly, and the native module.
pub(crate) fn library(build: Build) -> Result<Vec<PathBuf>> {
    printed(dist(build, ["--packages", "library"])?)
}

/// Makes the npm package of the opencode plugin, and returns its tarball.
pub(crate) fn plugin() -> Result<PathBuf> {
    printed(dist(Build::Debug, ["--packages", "plugin"])?)?.pop().context("no plugin was made")
}

fn dist(build: Build, arguments: impl IntoIterator<Item = &'static str>) -> Result<Command> {
    let debug = (build == Build::Debug).then_some("--debug");
    let arguments: Vec<_> = arguments.into_iter().chain(debug).map(OsString::from).collect();
    make(&arguments)
}

/// Prepares the script that makes artefacts, with these arguments and the programs that it needs.
pub(crate) fn make(arguments: &[OsString]) -> Result<Command> {
    let has = |option| arguments.iter().any(|argument| argument == option);
    let mut programs = vec!["uv"];
    if !has("--debug") && !has("--try-out") && !has("--help") {
        programs.extend(["cargo-zigbuild", "ziglang"]);
    }
    script("dist.py", arguments, &programs)
}

/// Runs the script, and returns the paths after the line that announces them.
fn printed(dist: Command) -> Result<Vec<PathBuf>> {
    let output = read(dist)?;
    Ok(output.lines().skip_while(|line| *line != "made:").skip(1).map(PathBuf::from).collect())
}
