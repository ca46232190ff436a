//! Rates the results that other programs made of edits.

use std::io::stdin;

use anyhow::{Context, Result};
use clap::Args;
use fuzzy_report::Labelled;
use serde::Deserialize;

/// Rate results of edits: a line of JSON each, `{content, expected, accept?, output}`; prints a verdict a line
#[derive(Args)]
pub(crate) struct Arguments {}

/// An edit with its label, and a result of it.
#[derive(Deserialize)]
struct Made {
    content: String,
    expected: Option<String>,
    #[serde(default)]
    accept: Vec<Option<String>>,
    /// `None` for a refusal.
    output: Option<String>,
}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    for line in stdin().lines() {
        let Made { content, expected, accept, output } = serde_json::from_str(&line?)?;
        let labelled =
            Labelled { content: &content, expected: expected.as_deref(), accept: &accept, ..Labelled::default() };
        println!("{}", labelled.verdict(output.as_deref()).context("the label is not sufficient")?.name());
    }
    Ok(())
}
