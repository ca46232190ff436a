//! Checks the command on all its target systems.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, read};

use crate::targets::{TARGETS, Target};

/// Crates that are linked in two versions, because a dependency needs another version, and the dependency.
const TWICE: &[(&str, &str)] = &[
    ("base64", "postgres-protocol"),
    ("fallible-iterator", "rusqlite and postgres"),
    ("getrandom", "ahash, of parquet"),
    ("syn", "macros of several, at build time"),
];

/// Crates with the same function; the command links at most one crate of each row.
const SAME_JOB: &[&[&str]] = &[
    &["directories", "dirs", "etcetera", "home"],
    &["windows", "windows-sys", "winapi"],
    &["cap-std", "nix", "rustix"],
    &["fs2", "fs4", "file-lock"],
];

/// Fails unless the command compiles for every target, and links one crate for each function.
pub(super) fn suite(metadata: &Metadata) -> Result<()> {
    for target in TARGETS {
        println!("{}, with {}", target.name, target.features);
        one_crate_for_each_job(target)?;
        target.check(metadata)?;
    }
    Ok(())
}

fn one_crate_for_each_job(target: &Target) -> Result<()> {
    let mut tree = cargo(["tree", "--locked", "--package", "fuzzy-edit-cli", "--edges", "normal"]);
    tree.args(["--no-default-features", "--features", target.features, "--target", target.name]);
    tree.args(["--prefix", "none", "--format", "{p}"]);
    let text = read(tree)?;
    let linked: BTreeSet<(&str, &str)> =
        text.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once(' ')).collect();
    let names: BTreeSet<&str> = linked.iter().map(|(name, _)| *name).collect();
    for name in &names {
        let versions = linked.iter().filter(|(other, _)| other == name).count();
        let is_known = TWICE.iter().any(|(known, _)| known == name);
        ensure!(versions == 1 || is_known, "{}: {name} is linked in {versions} versions", target.name);
    }
    for job in SAME_JOB {
        let doing: Vec<_> = job.iter().filter(|name| names.contains(**name)).collect();
        ensure!(doing.len() <= 1, "{}: {doing:?} do the same job", target.name);
    }
    Ok(())
}
