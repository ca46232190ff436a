//! The command `fuzzy-edit` as its users get it: with every verb, and nothing that only tests need.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{cargo, read};

/// Builds the command in a profile, `dev` for what is tested and `dist` for what is measured, and returns where it is.
pub fn build(profile: &str) -> Result<PathBuf> {
    build_with(profile, &["full"], &[])
}

/// Builds the command with these cargo features, in an environment with these variables.
pub fn build_with(profile: &str, features: &[&str], environment: &[(&str, &OsStr)]) -> Result<PathBuf> {
    println!("building fuzzy-edit, {profile}");
    let features = features.join(",");
    let mut build = cargo(["build", "--package", "fuzzy-edit-cli", "--features", &features, "--profile", profile]);
    build.envs(environment.iter().copied());
    build.args(["--quiet", "--message-format", "json-render-diagnostics"]);
    read(build)?
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "fuzzy-edit")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo did not say where it put fuzzy-edit")
}
