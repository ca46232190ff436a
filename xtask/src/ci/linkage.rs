//! Checks that there is one registry.

use anyhow::{Result, ensure};

use crate::metadata::Metadata;

/// Packages that hold the registry: two versions of one would be two registries, each half full.
const SINGLE: &[&str] = &["fuzzy-core", "inventory"];

/// Fails when a package that holds the registry is in the build twice.
pub(super) fn one_registry(metadata: &Metadata) -> Result<()> {
    for name in SINGLE {
        let versions: Vec<&str> = metadata
            .packages
            .iter()
            .filter(|package| package.name == *name)
            .map(|package| package.version.as_str())
            .collect();
        println!("{name} {}", versions.join(" and "));
        ensure!(
            versions.len() == 1,
            "{name} must be in the build once, not {} times ({})",
            versions.len(),
            versions.join(", ")
        );
    }
    Ok(())
}
