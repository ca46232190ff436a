//! Compares the answers of this tree's command with those of another commit's: refactoring the engine must not change
//! any.

mod commands;
mod compare;
mod report;
pub(crate) mod sets;

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use anyhow::Result;

use commands::Commands;
use report::Report;
use sets::Set;

/// Compares the command's answers with those of another commit, and fails on any difference.
///
/// Labelled edits go through `batch`, which returns the resulting bytes, the confidence, the code and the proposal, and
/// through `locate --json`, which returns the places in bytes and the conflicts. Labelled patches go through `patch
/// --dry-run --json`, which returns the diff instead of the bytes. Generated edits go through `batch` alone. All fields
/// are compared except `rule` and the texts for people: `message`, `next_step` and `note`. The ladder is the default
/// one, and the timeout is so long that a slow machine changes no answer.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The other commit's command, built before.
    #[arg(long, value_name = "BINARY", required_unless_present = "since")]
    against: Option<PathBuf>,
    /// The other commit; its command is built in release in a checkout below target/answers, once.
    #[arg(long, value_name = "COMMIT", conflicts_with = "against")]
    since: Option<String>,
    /// The labelled edits and patches (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Default: the
    /// folder ../shared/data beside the repository.
    files: Vec<PathBuf>,
    /// The number of generated edits to compare, in equal parts of fixed seeds.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    generated: usize,
    /// Write every case with different answers, and both answers, to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    differences: Option<PathBuf>,
}

/// Compares set after set, prints the differences and a table of counts, and fails if any answer differs.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let files = sets::files(&arguments.files)?;
    let jobs = thread::available_parallelism().map_or(1, NonZero::get);
    let commands = Commands::new(arguments.against.as_deref(), arguments.since.as_deref())?;
    let mut report = Report::new(arguments.differences.as_deref())?;
    for path in files {
        let set = Set::load(&path)?;
        report.add(&set, &compare::compare(&commands, &set.cases, jobs)?)?;
    }
    for set in sets::generated(arguments.generated, jobs) {
        report.add(&set, &compare::compare(&commands, &set.cases, jobs)?)?;
    }
    report.finish()
}
