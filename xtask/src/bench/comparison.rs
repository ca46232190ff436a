//! Compares the times of two commands that run in turn.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::{Table, number, yes_or_no};
use fuzzy_tools::times::{milliseconds, percentile};

/// A measurement in turn with another process.
pub(crate) struct Comparison {
    pub(crate) what: String,
    pub(crate) ours: Vec<Duration>,
    pub(crate) theirs: Vec<Duration>,
    /// How many times as long as the other it may take.
    pub(crate) at_most: f64,
}

impl Comparison {
    /// Returns whether it takes no longer than it may.
    pub(crate) fn holds(&self) -> bool {
        median(&self.ours) / median(&self.theirs) <= self.at_most
    }
}

/// Renders comparisons, one a row.
pub(crate) fn rendered(all: &[Comparison]) -> String {
    let mut table = Table::new(1, &["process", "ms", "the other's ms", "times as long", "at most", "holds"]);
    for one in all {
        let (ours, theirs) = (median(&one.ours), median(&one.theirs));
        let cells = [ours, theirs, ours / theirs, one.at_most].map(number);
        table.row([vec![one.what.clone()], cells.to_vec(), vec![yes_or_no(one.holds())]].concat());
    }
    table.render()
}

/// Runs a command to its end; returns how long it took.
pub(super) fn took(command: Command) -> Result<Duration> {
    took_with(command, Stdio::null())
}

/// Runs a command with this input to its end; returns how long it took. Nobody reads what it prints.
pub(super) fn took_with(mut command: Command, input: Stdio) -> Result<Duration> {
    command.stdin(input).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let took = start.elapsed();
    ensure!(status.success(), "a measured process ended with {status}");
    Ok(took)
}

/// Returns the median in milliseconds.
pub(super) fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    milliseconds(percentile(&times, 50))
}
