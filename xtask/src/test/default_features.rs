//! The command as the README builds it first, with default features: every other suite has all of them.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use super::rust::cargo_test;

/// The environment variable that has the tests run another program than the one built with them.
const PROGRAM: &str = "FUZZY_EDIT_PROGRAM";

/// Fails unless the first command of the README prints the diff that it shows, and the verbs that are not linked say so.
pub(super) fn suite(metadata: &Metadata) -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md")).context("cannot read README.md")?;
    let (command, diff) = (block(&readme, "sh")?, block(&readme, "diff")?);
    println!("$ {}", command.trim_end());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", command]).current_dir(root());
    let printed = read(shell)?;
    ensure!(printed.ends_with(diff), "the README shows another diff than the one that is printed:\n{printed}");
    // The tests are those that the suite `workspace` built; the program is the one that the README just built.
    let mut tests = cargo_test(metadata);
    tests.args(["--test", "it", "unlinked", "--", "--ignored"]);
    tests.env(PROGRAM, metadata.target_dir.join("release/fuzzy-edit"));
    run(tests)
}

/// Returns the first block of a language.
fn block<'a>(text: &'a str, language: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(&format!("\n```{language}\n")).with_context(|| format!("no block {language}"))?;
    after.split_once("```\n").map(|(block, _)| block).with_context(|| format!("the block {language} has no end"))
}
