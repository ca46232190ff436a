//! Measures the speed-up of `batch` with two jobs compared with one, in one run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::{Table, number, yes_or_no};

use super::comparison::{median, took_with};

/// The number of runs of each; the median counts.
const ROUNDS: usize = 11;
/// The number of edits in a run.
const EDITS: usize = 2_000;
/// The number of lines of an edit's text.
const LINES: usize = 1_000;
/// The smallest permitted speed-up of two jobs.
const AT_LEAST: f64 = 1.7;

/// Runs the same edits with one job and with two, and compares times and answers.
pub(super) fn table(program: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("edits.jsonl");
    fs::write(&input, (0..EDITS).map(edit).collect::<String>())?;
    let (mut alone, mut both) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        // The answers are discarded, because a process that read them would use one of two cores.
        alone.push(took_with(batch(program, "1"), open(&input)?)?);
        both.push(took_with(batch(program, "2"), open(&input)?)?);
    }
    let (first, second) = (answers(program, &input, "1")?, answers(program, &input, "2")?);
    ensure!(first == second, "two jobs answer in other bytes than one");
    ensure!(first.lines().count() == EDITS, "an edit has no answer");
    let (alone, both) = (median(&alone), median(&both));
    let mut table = Table::new(1, &["edits", "one job, ms", "two jobs, ms", "ratio", "at least", "holds"]);
    let what = format!("{EDITS} of {LINES} lines each, the indentation differs");
    let cells = [alone, both, alone / both, AT_LEAST].map(number);
    table.row([vec![what], cells.to_vec(), vec![yes_or_no(alone / both >= AT_LEAST)]].concat());
    Ok(format!(
        "Median of {ROUNDS} alternating runs of `batch --jobs`; the answers are identical.\n\n{}",
        table.render()
    ))
}

/// Returns an edit whose old text lacks the indentation of the file.
fn edit(case: usize) -> String {
    let lines: Vec<String> = (0..LINES)
        .map(|number| format!("    let value_{number} = measure(input[{number}], {});\n", (number + case) % 101))
        .collect();
    let content = lines.concat();
    let at = case * 7 % (LINES - 3);
    let old: String = lines[at..at + 3].iter().map(|line| line.trim_start()).collect();
    let new = old.replacen("measure", "compute", 2);
    let case = serde_json::json!({"id": case, "content": content, "old": old, "new": new});
    format!("{case}\n")
}

/// Runs `batch`; returns its answers.
fn answers(program: &Path, input: &Path, jobs: &str) -> Result<String> {
    let mut batch = batch(program, jobs);
    let output = batch.stdin(open(input)?).output().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(output.status.success(), "a measured process ended with {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

fn batch(program: &Path, jobs: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["batch", "--ladder", "adaptive", "--jobs", jobs]);
    command
}

fn open(input: &Path) -> Result<Stdio> {
    Ok(fs::File::open(input)?.into())
}
