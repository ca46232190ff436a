//! Measures the playground in a browser: the first answer after loading, later answers after a key press, and a large file.

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::read;
use fuzzy_tools::table::{Table, number, yes_or_no};
use serde::Deserialize;

use crate::build::Build;
use crate::test::on_the_playground;

/// The times that the browser measured, in milliseconds.
#[derive(Deserialize)]
struct Measured {
    first: f64,
    later: f64,
    worst: f64,
    rounds: usize,
    keys: usize,
    lines: usize,
    /// Size of the large file.
    megabytes: usize,
    /// From opening it to the answer.
    answer: f64,
    /// The longest time between two frames meanwhile.
    frame: f64,
}

/// Builds the command with the page in it, opens the page, and renders the times of its answers.
pub(super) fn table(metadata: &Metadata) -> Result<String> {
    let mut node = on_the_playground(metadata, Build::Shipped)?;
    node.arg("measure.mjs");
    let text = read(node)?;
    let measured: Measured =
        serde_json::from_str(text.trim()).with_context(|| format!("the browser measured nothing: {text}"))?;
    let Measured { first, later, worst, rounds, keys, lines, megabytes, answer, frame } = measured;
    let mut table = Table::new(1, &["answer on the page", "ms", "at most", "holds"]);
    for (what, ms, at_most) in [
        (format!("the first, from the start of loading, median of {rounds}"), first, 300.0),
        (format!("after a key, file of {lines} lines, median of {keys}"), later, 100.0),
        ("the same, the slowest".to_owned(), worst, 100.0),
        (format!("file of {megabytes} MB, from opening it"), answer, 10_000.0),
        ("the same, the longest frame".to_owned(), frame, 200.0),
    ] {
        table.row(vec![what, number(ms), number(at_most), yes_or_no(ms <= at_most)]);
    }
    Ok(table.render())
}
