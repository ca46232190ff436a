//! Counts the registered strategies in WebAssembly, and decides an edit there.

use std::process::Command;

use anyhow::{Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, run};

use crate::needs::WASM;
use crate::wasm;

/// The tested package: a library for Node.js, a program for this machine.
const PACKAGE: &str = "wasm-linkage";

/// Loads the module in the first argument and prints its results as the program does; checksums are unsigned.
const SCRIPT: &str = "\
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
const { strategies, edited, steps, gives_up } = new WebAssembly.Instance(module, {}).exports;
console.log([strategies, edited, steps, gives_up].map((ask) => ask() >>> 0).join(' '));
";

/// Fails unless Node.js has the same number of strategies as this machine, and at least one, and decides an edit with
/// the same result in the same number of steps: unoptimised, where the linker is most likely to drop code that is not
/// called, and optimised.
pub(super) fn answers_agree(metadata: &Metadata) -> Result<()> {
    // The number of strategies, the checksum of an edited text, the number of steps of its decision, and whether the
    // decision ends early with a smaller budget.
    let here = read(Command::new(command::program_for_tests(metadata, PACKAGE)?))?;
    let numbers: Vec<u32> = here.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    ensure!(numbers.len() == 4 && numbers[0] > 0, "no strategy is registered on this machine: {here}");
    ensure!(numbers[1] > 0 && numbers[3] == 1, "the edit is not applied, or its budget has no end: {here}");
    for (profile, folder) in [("dev", "debug"), ("release", "release")] {
        run(wasm::cargo_for_wasm(PACKAGE, profile))?;
        let mut node = Command::new("node");
        node.args(["--eval", SCRIPT]).arg(metadata.target_dir.join(WASM).join(folder).join("wasm_linkage.wasm"));
        let there = read(node)?;
        ensure!(here.trim() == there.trim(), "{profile}: {here} here, {there} in Node.js");
        println!("{profile}: {}", there.trim());
    }
    Ok(())
}
