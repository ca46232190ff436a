//! Tests the command with default features, as the README first builds it; every other suite enables all features.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use super::rust::cargo_test;

/// The environment variable with the path of the program to test, instead of the one built with the tests.
const PROGRAM: &str = "FUZZY_EDIT_PROGRAM";

/// Fails unless the first command of the README prints the diff shown there, and the verbs that are not included report
/// that.
pub(super) fn suite(metadata: &Metadata) -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md")).context("cannot read README.md")?;
    let (command, diff) = (block(&readme, "sh")?, block(&readme, "diff")?);
    println!("$ {}", command.trim_end());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", command]).current_dir(root());
    let printed = read(shell)?;
    ensure!(printed.ends_with(diff), "the README shows another diff than the one that is printed:\n{printed}");
    // The tests come from the suite `workspace`; the program is the one that the README's command built.
    let mut tests = cargo_test(metadata);
    tests.args(["--test", "it", "unlinked", "--", "--ignored"]);
    tests.env(PROGRAM, metadata.target_dir.join("release/fuzzy-edit"));
    run(tests)
}

/// Returns the first code block in a language.
fn block<'a>(text: &'a str, language: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(&format!("\n```{language}\n")).with_context(|| format!("no block {language}"))?;
    after.split_once("```\n").map(|(block, _)| block).with_context(|| format!("the block {language} has no end"))
}
