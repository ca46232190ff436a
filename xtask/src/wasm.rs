//! Builds libraries in WebAssembly.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, run};

use crate::build::Build;

use crate::needs::WASM;

/// Builds the engine in WebAssembly and returns its file.
pub(crate) fn engine(metadata: &Metadata, build: Build, features: &[&str]) -> Result<PathBuf> {
    let (profile, folder) = match build {
        Build::Debug => ("dev", "debug"),
        Build::Shipped => ("wasm", "wasm"),
    };
    let mut command = cargo_for_wasm("fuzzy-edit-wasm", profile);
    command.args(features);
    run(command)?;
    Ok(metadata.target_dir.join(WASM).join(folder).join("fuzzy_edit_wasm.wasm"))
}

/// Prepares the build of a package's library in WebAssembly.
pub(crate) fn cargo_for_wasm(package: &str, profile: &str) -> Command {
    let mut command =
        cargo(["build", "--quiet", "--package", package, "--lib", "--target", WASM, "--profile", profile]);
    // A browser instantiates at most 8 MB on its main thread; the symbols in an unoptimised module are five times as
    // large as the code.
    command.args(["--config", "profile.dev.strip='symbols'"]);
    // A search for bytes is several times as fast with SIMD, which every current engine supports.
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Ctarget-feature=+simd128");
    command
}
