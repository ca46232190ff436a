//! Checks that there is one registry.

use std::fs;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::root;

/// Packages that hold the registry: two versions of one would be two registries, each half full.
const SINGLE: &[&str] = &["fuzzy-core", "inventory"];

/// Fails when a package that holds the registry is in the build twice.
pub(super) fn one_registry() -> Result<()> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    for name in SINGLE {
        let versions = versions(&lock, name);
        println!("{name} {}", versions.join(" and "));
        ensure!(versions.len() == 1, "{name} is in the build {} times, not once", versions.len());
    }
    Ok(())
}

/// Returns the versions of a package in a lock file, where each follows its name.
fn versions<'a>(lock: &'a str, package: &str) -> Vec<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    let mut versions = Vec::new();
    while lines.any(|line| line == name) {
        versions.extend(lines.next().and_then(|line| line.split('"').nth(1)));
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::versions;

    #[test]
    fn counts_every_version() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"ab\"\n\
                    version = \"3.0.0\"\n\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n";
        assert_eq!(versions(lock, "a"), ["1.0.0", "2.0.0"]);
        assert_eq!(versions(lock, "b"), <[&str; 0]>::default());
    }
}
