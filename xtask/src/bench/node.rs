//! Measures the npm package and opencode's own code.

use std::fs;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::{npm, packages};

const SCRIPT: &str = "bindings/node/package/bench/opencode.mjs";

/// Prints a table of both release builds and opencode.
pub(super) fn compare() -> Result<()> {
    let metadata = Metadata::load()?;
    let opencode = npm::opencode(&metadata)?;
    let project = metadata.target_dir.join("npm").join("bench");
    npm::install(&packages::library(&metadata, Build::Shipped)?, &project)?;
    fs::copy(root().join(SCRIPT), project.join("opencode.mjs"))?;
    let mut node = Command::new("node");
    node.arg("opencode.mjs").arg(opencode).current_dir(&project);
    run(node)
}
