//! Builds the command `fuzzy-edit`: as users get it, and as the tests of the workspace run it.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::Message;

use crate::metadata::Metadata;
use crate::run::{cargo, read, run};

/// Arguments that name a small test beside a program: only then does cargo count the features that tests enable in a
/// shared dependency. Without them it would build most of the workspace again.
const AS_A_TEST: [&str; 2] = ["--test", "registered"];

/// Builds the command like the tests of the workspace do, with failpoints, and returns its path.
pub fn for_tests(metadata: &Metadata) -> Result<PathBuf> {
    program_for_tests(metadata, "fuzzy-edit")
}

/// Builds any program of the workspace in the same way.
pub fn program_for_tests(metadata: &Metadata, name: &str) -> Result<PathBuf> {
    let mut build = metadata.cargo_for_tests("build");
    build.args(["--bin", name]).args(AS_A_TEST);
    run(build)?;
    Ok(metadata.target_dir.join("debug").join(name))
}

/// Builds the libraries of the workspace in the same way, and returns the path of the shared one with this name.
pub fn library_for_tests(metadata: &Metadata, name: &str) -> Result<PathBuf> {
    let mut build = metadata.cargo_for_tests("build");
    build.arg("--lib").args(AS_A_TEST);
    run(build)?;
    Ok(metadata.target_dir.join("debug").join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")))
}

/// Builds the command in a profile (`dist` for measurements) with these cargo features, and returns its path.
pub fn build(profile: &str, features: &[&str]) -> Result<PathBuf> {
    println!("building fuzzy-edit, {profile}");
    let mut build = cargo(["build", "--package", "fuzzy-edit-cli", "--profile", profile, "--quiet"]);
    build.args(["--features", &features.join(","), "--message-format", "json-render-diagnostics"]);
    let program = |message| match message {
        Ok(Message::CompilerArtifact(made)) if made.target.name == "fuzzy-edit" => made.executable,
        _ => None,
    };
    let path = Message::parse_stream(read(build)?.as_bytes()).find_map(program);
    Ok(path.context("cargo did not print the path of fuzzy-edit")?.into())
}
