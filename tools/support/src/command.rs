//! Builds the command `fuzzy-edit`: as its users get it, and as the tests of the workspace run it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::metadata::Metadata;
use crate::run::{cargo, read, run};

/// Names one small test beside a program: only then cargo counts the features that tests turn on in a shared
/// dependency, and without them it builds most of the workspace once more.
const AS_A_TEST: [&str; 2] = ["--test", "registered"];

/// Builds the command as the tests of the workspace do, with failpoints, and returns where it is: after those tests
/// there is nothing left to build.
pub fn for_tests(metadata: &Metadata) -> Result<PathBuf> {
    program_for_tests(metadata, "fuzzy-edit")
}

/// Builds any program of the workspace in the same way.
pub fn program_for_tests(metadata: &Metadata, name: &str) -> Result<PathBuf> {
    let mut build = metadata.cargo_for_tests("build");
    build.args(["--quiet", "--bin", name]).args(AS_A_TEST);
    run(build)?;
    Ok(metadata.target_dir.join("debug").join(name))
}

/// Builds the libraries that other languages load, as the tests of the workspace do.
pub fn libraries_for_tests(metadata: &Metadata) -> Result<()> {
    let mut build = metadata.cargo_for_tests("build");
    build.args(["--quiet", "--lib"]).args(AS_A_TEST);
    run(build)
}

/// Builds the command in a profile, `dist` to be measured, with these cargo features, and returns where it is.
pub fn build(profile: &str, features: &[&str]) -> Result<PathBuf> {
    println!("building fuzzy-edit, {profile}");
    let features = features.join(",");
    let mut build = cargo(["build", "--package", "fuzzy-edit-cli", "--features", &features, "--profile", profile]);
    build.args(["--quiet", "--message-format", "json-render-diagnostics"]);
    read(build)?
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "fuzzy-edit")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo did not say where it put fuzzy-edit")
}
