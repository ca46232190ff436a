//! Counts the registered strategies in WebAssembly, and decides an edit there.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, run};

use crate::wasm::{self, WASM};

/// The tested package: a library for Node.js, a program for this machine.
const PACKAGE: &str = "wasm-linkage";

/// Loads the module in the first argument and prints its results; checksums are unsigned.
const SCRIPT: &str = "\
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
const { strategies, edited, steps, gives_up } = new WebAssembly.Instance(module, {}).exports;
console.log([strategies, edited, steps, gives_up].map((ask) => ask() >>> 0).join(' '));
";

/// The number of strategies, the checksum of an edited text, the number of steps of its decision, and whether the
/// decision ends early with a smaller budget.
#[derive(Debug, PartialEq, Eq)]
struct Answers([u32; 4]);

/// The build profile of the module.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    /// Unoptimised: the linker is most likely to drop code that is not called.
    Dev,
    /// Optimised.
    Release,
}

/// Fails unless Node.js has the same number of strategies as this machine, and at least one, and decides an edit with
/// the same result in the same number of steps.
pub(super) fn answers_agree(metadata: &Metadata, profile: Profile) -> Result<()> {
    let native = read(Command::new(command::program_for_tests(metadata, PACKAGE)?))?;
    let (profile, folder) = match profile {
        Profile::Dev => ("dev", "debug"),
        Profile::Release => ("release", "release"),
    };
    run(wasm::cargo_for_wasm(PACKAGE, profile))?;
    let module = metadata.target_dir.join(WASM).join(folder).join("wasm_linkage.wasm");
    let (native, wasm) = (answers(&native)?, in_node(&module)?);
    println!("{native:?} here, {wasm:?} in node");
    let Answers([strategies, edited, _, gives_up]) = native;
    ensure!(strategies > 0, "no strategy is registered on this machine");
    ensure!(edited > 0 && gives_up == 1, "the edit does not land, or its budget has no end");
    ensure!(native == wasm, "{native:?} here, {wasm:?} in node");
    Ok(())
}

fn in_node(module: &Path) -> Result<Answers> {
    let mut node = Command::new("node");
    node.args(["--eval", SCRIPT]).arg(module);
    answers(&read(node)?)
}

fn answers(text: &str) -> Result<Answers> {
    let numbers: Vec<u32> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.try_into().map(Answers).map_err(|_| anyhow!("not four answers: {text:?}"))
}
