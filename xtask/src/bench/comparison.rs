//! Compares the times of two commands that run alternately.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::{Table, number, yes_or_no};
use fuzzy_tools::times::{milliseconds, percentile};

/// Times of a process, measured alternately with another process.
pub(crate) struct Comparison {
    pub(crate) what: String,
    pub(crate) ours: Vec<Duration>,
    pub(crate) theirs: Vec<Duration>,
    /// The largest permitted ratio of the two medians.
    pub(crate) at_most: f64,
}

impl Comparison {
    /// Returns whether the ratio of the medians is within the limit.
    pub(crate) fn holds(&self) -> bool {
        median(&self.ours) / median(&self.theirs) <= self.at_most
    }
}

/// Renders comparisons, one per row.
pub(crate) fn rendered(all: &[Comparison]) -> String {
    let mut table = Table::new(1, &["process", "ms", "the other's ms", "ratio", "at most", "holds"]);
    for one in all {
        let (ours, theirs) = (median(&one.ours), median(&one.theirs));
        let cells = [ours, theirs, ours / theirs, one.at_most].map(number);
        table.row([vec![one.what.clone()], cells.to_vec(), vec![yes_or_no(one.holds())]].concat());
    }
    table.render()
}

/// Runs a command to completion; returns its run time.
pub(super) fn took(command: Command) -> Result<Duration> {
    took_with(command, Stdio::null())
}

/// Runs a command with this input to completion and discards its output; returns its run time.
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
