//! Counts the strategies that register themselves in WebAssembly.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::needs::WASM;
use crate::metadata::Metadata;
use crate::run::{cargo, read, run};

/// The package that counts: a library for node, a program for this machine.
const PACKAGE: &str = "wasm-linkage";

/// Loads the module that is named by the first argument and prints its count.
const SCRIPT: &str = "\
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
console.log(new WebAssembly.Instance(module, {}).exports.strategies());
";

/// How the module is built.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    /// Unoptimised, where the linker drops most readily what nothing calls.
    Dev,
    /// Optimised.
    Release,
}

/// Fails unless node counts as many strategies as this machine does, and more than none.
pub(super) fn counts_agree(metadata: &Metadata, profile: Profile) -> Result<()> {
    let native = read(cargo(["run", "--quiet", "--package", PACKAGE]))?;
    let mut build = vec!["build", "--package", PACKAGE, "--lib", "--target", WASM];
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            build.push("--release");
            "release"
        }
    };
    run(cargo(build))?;
    let module = metadata.target_dir.join(WASM).join(folder).join("wasm_linkage.wasm");
    let (native, wasm) = (number(&native)?, count(&module)?);
    println!("{native} strategies here, {wasm} in node");
    ensure!(native > 0, "no strategy is registered on this machine");
    ensure!(native == wasm, "{native} strategies here, {wasm} in node");
    Ok(())
}

fn count(module: &Path) -> Result<usize> {
    let mut node = Command::new("node");
    node.args(["--eval", SCRIPT]).arg(module);
    number(&read(node)?)
}

fn number(text: &str) -> Result<usize> {
    text.trim().parse().with_context(|| format!("not a count: {text:?}"))
}
