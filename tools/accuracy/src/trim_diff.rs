//! Compares trimmed diffs with recorded ones.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::jsonl;

/// Differences to print in full.
const SHOWN: usize = 10;

/// Compare `fuzzy_edit::trim_diff` with recorded `{id, diff, trimmed}`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz).
    cases: PathBuf,
}

/// Runs the comparison and fails on any difference.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let cases = jsonl::load(&arguments.cases)?;
    ensure!(!cases.is_empty(), "no case in {}", arguments.cases.display());
    let mut different = 0;
    for case in &cases {
        let expected = jsonl::text(case, "trimmed")?;
        let got = fuzzy_edit::trim_diff(jsonl::text(case, "diff")?);
        if got != expected {
            different += 1;
            if different <= SHOWN {
                println!("case {} differs", case["id"]);
                println!("  diff      {}", case["diff"]);
                println!("  recorded  {expected:?}\n  got       {got:?}");
            }
        }
    }
    println!("trim-diff: {} cases, {} equal, {different} different", cases.len(), cases.len() - different);
    ensure!(different == 0, "{different} diffs differ");
    Ok(())
}
