//! Builds libraries in WebAssembly.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, run};

use crate::build::Build;
use crate::needs::{WASM, WASM_TARGET};

/// Builds the engine in WebAssembly, without patches, and returns its file.
pub(crate) fn engine(metadata: &Metadata, build: Build) -> Result<PathBuf> {
    WASM_TARGET.provide()?;
    let (profile, folder) = match build {
        Build::Debug => ("dev", "debug"),
        Build::Shipped => ("wasm", "wasm"),
    };
    run(cargo_for_wasm("fuzzy-edit-wasm", profile))?;
    Ok(metadata.target_dir.join(WASM).join(folder).join("fuzzy_edit_wasm.wasm"))
}

/// Prepares the build of a package's library in WebAssembly.
pub(crate) fn cargo_for_wasm(package: &str, profile: &str) -> Command {
    let mut command =
        cargo(["build", "--quiet", "--package", package, "--lib", "--target", WASM, "--profile", profile]);
    // A browser instantiates at most 8 MB on its main thread; the symbols in an unoptimised module are five times as
    // large as the code.
    command.args(["--config", "profile.dev.strip='symbols'"]);
    command
}
