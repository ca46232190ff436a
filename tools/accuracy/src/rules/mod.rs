//! Measures what each rule of the ladder `adaptive` prevents and costs.

mod measure;
mod report;

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use crate::answers::sets;
use crate::cases::CaseFile;
use crate::eval::patches::PatchFile;
use crate::jsonl;
use measure::Engines;
use report::{Report, Set};

/// Measure what each rule of the ladder adaptive prevents and costs.
///
/// The whole engine decides every edit. An edit whose refusal names a rule is decided again without that rule:
///
/// - fires: the refusals that name the rule;
/// - WRONG prevented: the edits that land without the rule, and not as labelled;
/// - right refused: the edits that land as labelled without the rule.
///
/// The other edits are rejected by another rule, or differ only in blanks. A refusal names one rule, the gravest; an
/// edit that another rule would reject too counts only for the named one. Rules that are no check can only fire.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The labelled edits (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Patches are skipped.
    /// Default: the folder ../shared/data beside the repository.
    files: Vec<PathBuf>,
    /// The number of generated edits, in equal parts of fixed seeds.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    generated: usize,
    /// Write the table of crates/engine/fuzzy-adaptive/src/rules/README.md.
    #[arg(long)]
    write: bool,
}

/// Measures set after set, prints the figures, and writes the table on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let files = sets::files(&arguments.files)?;
    let jobs = thread::available_parallelism().map_or(1, NonZero::get);
    let engines = Engines::new()?;
    let mut report = Report::default();
    for path in files {
        let values = jsonl::load(&path)?;
        if values.first().is_some_and(PatchFile::has) {
            continue;
        }
        let CaseFile { name, cases, .. } = CaseFile::new(&path, values)?;
        let effects = engines.measure(&cases, jobs)?;
        report.labelled.push(Set { name, edits: cases.len(), effects });
    }
    for (name, cases) in sets::cases_of_seeds(arguments.generated, jobs) {
        let effects = engines.measure(&cases, jobs)?;
        report.generated.push(Set { name, edits: cases.len(), effects });
    }
    println!("{}", report.by_set());
    println!("{}", report.sums());
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
    if arguments.write { report.write() } else { Ok(()) }
}
