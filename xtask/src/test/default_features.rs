//! The command as the README builds it first, with default features: every other suite has all of them.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{cargo, read, root, run};

/// Fails unless the first command of the README prints the diff that it shows, and what is not linked says so.
pub(super) fn suite() -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md")).context("cannot read README.md")?;
    let (command, diff) = (block(&readme, "sh")?, block(&readme, "diff")?);
    println!("$ {}", command.trim_end());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", command]).current_dir(root());
    let printed = read(shell)?;
    ensure!(printed.ends_with(diff), "the README shows another diff than the one that is printed:\n{printed}");
    run(cargo(["test", "--package", "fuzzy-edit-cli", "--test", "cli", "unlinked"]))
}

/// Returns the first block of a language.
fn block<'a>(text: &'a str, language: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(&format!("\n```{language}\n")).with_context(|| format!("no block {language}"))?;
    after.split_once("```\n").map(|(block, _)| block).with_context(|| format!("the block {language} has no end"))
}
