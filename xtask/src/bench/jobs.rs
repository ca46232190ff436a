//! Measures how much sooner two jobs of `batch` are done than one, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::table::{Table, number};

/// How often each is run; the median counts.
const ROUNDS: usize = 11;
/// How many edits one run answers.
const EDITS: usize = 2_000;
/// How many lines the text of an edit has.
const LINES: usize = 1_000;
/// The least that two jobs have to be faster than one.
const AT_LEAST: f64 = 1.7;

/// Builds the command, answers the same edits with one job and with two, and compares times and answers.
pub(super) fn table() -> Result<String> {
    let program = command::build("dist")?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("edits.jsonl");
    fs::write(&input, (0..EDITS).map(edit).collect::<String>())?;
    let (mut alone, mut both) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (one, first) = answer(&program, &input, "1")?;
        let (two, second) = answer(&program, &input, "2")?;
        ensure!(first == second, "two jobs answer in other bytes than one");
        ensure!(first.lines().count() == EDITS, "an edit has no answer");
        alone.push(one);
        both.push(two);
    }
    let [alone, both] = [alone, both].map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    let holds = if alone / both >= AT_LEAST { "yes" } else { "NO" };
    let mut table = Table::new(1, &["edits", "one job, s", "two jobs, s", "times as fast", "at least", "holds"]);
    let what = format!("{EDITS} of {LINES} lines each, the indentation differs");
    let cells = [alone, both, alone / both, AT_LEAST].map(number);
    table.row([vec![what], cells.to_vec(), vec![holds.to_owned()]].concat());
    Ok(format!(
        "Median of {ROUNDS} runs of `batch --jobs` in turn; the answers are the same bytes.\n\n{}",
        table.render()
    ))
}

/// Returns an edit whose needle lacks the indentation of the text.
fn edit(case: usize) -> String {
    let line =
        |number: usize| format!("    let value_{number} = measure(input[{number}], {});\n", (number + case) % 101);
    let content: String = (0..LINES).map(line).collect();
    let at = case * 7 % (LINES - 3);
    let old: String = (at..at + 3).map(|number| line(number).trim_start().to_owned()).collect();
    let new = old.replacen("measure", "compute", 2);
    let case = serde_json::json!({"id": case, "content": content, "old": old, "new": new});
    format!("{case}\n")
}

/// Runs `batch`; returns how long it took, in seconds, and its answers.
fn answer(program: &Path, input: &PathBuf, jobs: &str) -> Result<(f64, String)> {
    let mut command = Command::new(program);
    command.args(["batch", "--ladder", "adaptive", "--jobs", jobs]).stdin(Stdio::from(fs::File::open(input)?));
    let start = Instant::now();
    let output = command.output().with_context(|| format!("cannot start {}", program.display()))?;
    let took = start.elapsed().as_secs_f64();
    ensure!(output.status.success(), "a measured process ended with {}", output.status);
    Ok((took, String::from_utf8(output.stdout)?))
}
