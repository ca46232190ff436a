//! Generates edits with slips, and plain edits of real files, and counts the results of each kind.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use fuzzy_testkit::slipped_edits::{EXACT, Texts, cases, cases_of};
use serde_json::json;

use crate::cases::{Case, Set};
use crate::engine::pipeline;
use crate::eval::{Report, kinds};
use crate::texts::each_text_below;
use crate::{jsonl, past, ranges};

/// Generate edits with slips, and count the results of each kind.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of edits.
    #[arg(long, value_name = "N")]
    edits: usize,
    /// The seed of the edits.
    #[arg(long)]
    seed: u64,
    /// Use the files below this directory, for edits with slips and as many plain edits. Default: generated files.
    #[arg(long, value_name = "DIRECTORY")]
    texts: Option<PathBuf>,
    /// The ladder to run.
    #[arg(long, value_name = "NAME")]
    ladder: String,
    /// Write every edit that went wrong or was refused to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write every edit to this file as a labelled case.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// At most one edit of this number may go wrong.
const EDITS_PER_WRONG: usize = 2_000;

/// At most one edit with a base of this number may go wrong.
const EDITS_PER_WRONG_PAST: usize = 500;

/// Wrong edits with a base to print in full.
const SHOWN: usize = 3;

/// One edit that names lines for this number of edits that quote all of them.
const EDITS_PER_NAMED: usize = 4;

/// One edit of a file that changed since it was read for this number of edits that quote the file as it is.
const EDITS_PER_PAST: usize = 10;

/// At most one edit of this number may be reported as already applied when it is not.
const EDITS_PER_CLAIM: usize = 1_000;

/// Generates edits, prints the results, and fails if too many went wrong.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { edits, seed, ladder, .. } = arguments;
    let made: Vec<Case> = match &arguments.texts {
        Some(directory) => cases_of(*seed, &texts_below(directory)?).take(*edits).map(Case::from).collect(),
        None => cases(*seed).take(*edits).map(Case::from).collect(),
    };
    if let Some(path) = &arguments.save {
        jsonl::save(path, made.iter().map(|case| json!(case)))?;
    }
    let set = Set { name: format!("{edits} edits, --seed {seed}"), edits: made, ..Set::default() };
    let mut failures = Vec::new();
    let report = Report::of_edits(&set, ladder, &pipeline(ladder)?, &mut failures);
    failures.retain(|line| line["verdict"] != "changed again");
    println!("{}\n{}", kinds(&report, true), report.summary());
    let claims = failures.iter().filter(|line| line["verdict"] == "refused" && line["answer"]["ok"] == true).count();
    let wrong = failures.iter().filter(|line| line["verdict"] == "WRONG" && line["drift"] != EXACT).count();
    println!("{claims} of them refused because they are wrongly reported as already applied");
    if let Some(path) = &arguments.failures {
        jsonl::save(path, failures)?;
    }
    let rated = edits - report.of(EXACT).all();
    if arguments.texts.is_none() {
        ranges::generated(edits / EDITS_PER_NAMED, *seed, &pipeline(ladder)?)?;
        changed_since(edits / EDITS_PER_PAST, *seed, ladder)?;
    }
    check(wrong, EDITS_PER_WRONG, rated, "went wrong")?;
    check(claims, EDITS_PER_CLAIM, rated, "are wrongly reported as already applied")
}

/// Rates edits of files that changed since they were read, and fails if too many went wrong.
fn changed_since(edits: usize, seed: u64, ladder: &str) -> Result<()> {
    let name = format!("{edits} edits with a base, --seed {seed}");
    let set = Set { name, edits: past::cases(edits, seed)?, ..Set::default() };
    let mut failures = Vec::new();
    let report = Report::of_edits(&set, ladder, &pipeline(ladder)?, &mut failures);
    println!("{}\n{}", kinds(&report, true), report.summary());
    let wrong: Vec<_> = failures.iter().filter(|line| line["verdict"] == "WRONG").collect();
    wrong.iter().take(SHOWN).for_each(|failure| println!("{failure:#}"));
    check(wrong.len(), EDITS_PER_WRONG_PAST, edits, "with a base went wrong")
}

/// Reads the texts below a directory.
fn texts_below(directory: &Path) -> Result<Texts> {
    let mut texts = Texts::default();
    each_text_below(directory, |extension, text| texts.add(extension, text))?;
    ensure!(!texts.is_empty(), "{} has no usable text", directory.display());
    Ok(texts)
}

/// Fails if more than one edit in `one_in` had this result.
fn check(count: usize, one_in: usize, edits: usize, how: &str) -> Result<()> {
    ensure!(count * one_in <= edits, "{count} of {edits} edits {how}; at most one in {one_in} may");
    Ok(())
}
