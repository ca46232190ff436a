//! Generates edits with slips, and plain edits of real files, and counts the results of each kind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fuzzy_edit::Code;
use fuzzy_pipeline::{Applied, Failure};
use fuzzy_testkit::plain_edits;
use fuzzy_testkit::slipped_edits::{self, Case};
use fuzzy_testkit::verdict::Verdict;
use fuzzy_tools::table::Table;
use serde_json::json;

use crate::cases::Counts;
use crate::engine::pipeline;
use crate::jsonl;

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

/// At most one edit of this number may be reported as already applied when it is not.
const EDITS_PER_CLAIM: usize = 1_000;

/// Generates edits, prints the results, and fails if too many went wrong.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let pipeline = pipeline(&arguments.ladder)?;
    let started = Instant::now();
    let (mut failures, mut saved) = (Vec::new(), Vec::new());
    let (mut kinds, mut all, mut claims) = (BTreeMap::<String, Counts>::new(), Counts::default(), 0);
    let texts = arguments.texts.as_deref().map(texts_below).transpose()?;
    let cases: Box<dyn Iterator<Item = Case>> = match &texts {
        Some(texts) => Box::new(texts.cases(arguments.seed)),
        None => Box::new(slipped_edits::cases(arguments.seed)),
    };
    for case in cases.take(arguments.edits) {
        let answer = case.apply(&pipeline);
        let is_plain = case.kind.starts_with(plain_edits::PREFIX);
        let verdict = if is_plain { plain_edits::verdict(&case, &answer) } else { case.verdict(&answer) };
        claims += usize::from(verdict == Verdict::Refused && matches!(answer, Err(Failure::AlreadyApplied { .. })));
        *kinds.entry(case.kind.clone()).or_default() += verdict;
        if case.kind != slipped_edits::EXACT {
            all += verdict;
        }
        if arguments.save.is_some() {
            saved.push(labelled(&case));
        }
        if verdict != Verdict::Right {
            failures.push(failed(&case, verdict, &answer));
        }
    }
    for (path, lines) in [(&arguments.save, saved), (&arguments.failures, failures)] {
        path.as_ref().map_or(Ok(()), |path| jsonl::save(path, lines))?;
    }
    println!("{}", table(kinds.iter().chain([(&"all".to_owned(), &all)])));
    println!(
        "{} edits, ladder {}, --seed {}, {:.1} s",
        arguments.edits,
        arguments.ladder,
        arguments.seed,
        started.elapsed().as_secs_f64()
    );
    println!("{claims} of them refused because they are wrongly reported as already applied");
    check(all.of(Verdict::Wrong), EDITS_PER_WRONG, all.all(), "went wrong")?;
    check(claims, EDITS_PER_CLAIM, all.all(), "are wrongly reported as already applied")
}

/// Real texts, for both kinds of edits.
#[derive(Default)]
struct Texts {
    slipped: slipped_edits::Texts,
    plain: plain_edits::Texts,
}

impl Texts {
    fn add(&mut self, extension: &str, text: String) {
        self.plain.add(extension, &text);
        self.slipped.add(extension, text);
    }

    /// Generates edits with slips and plain ones in turn.
    fn cases(&self, seed: u64) -> impl Iterator<Item = Case> {
        let slipped = (!self.slipped.is_empty()).then(|| slipped_edits::cases_of(seed, &self.slipped));
        let mut slipped = slipped.into_iter().flatten();
        let plain = plain_edits::cases(seed, &self.plain);
        plain.flat_map(move |plain| [Some(plain), slipped.next()]).flatten()
    }
}

/// Reads the texts below a directory, in the order of their names; skips hidden, built and installed files.
fn texts_below(directory: &Path) -> Result<Texts> {
    let mut texts = Texts::default();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries = fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || matches!(&*name, "target" | "node_modules") || path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if let (Some(extension), Ok(text)) = (path.extension(), fs::read_to_string(&path)) {
                texts.add(&extension.to_string_lossy(), text);
            }
        }
    }
    ensure!(!texts.plain.is_empty(), "{} has no usable text", directory.display());
    Ok(texts)
}

/// Fails if more than one edit in `one_in` had this result.
fn check(count: usize, one_in: usize, edits: usize, how: &str) -> Result<()> {
    ensure!(count * one_in <= edits, "{count} of {edits} edits {how}; at most one in {one_in} may");
    Ok(())
}

fn table<'k>(kinds: impl Iterator<Item = (&'k String, &'k Counts)>) -> String {
    let header: Vec<&str> = ["kind", "edits"].into_iter().chain(Verdict::ALL.map(Verdict::name)).collect();
    let mut table = Table::new(1, &header);
    for (kind, counts) in kinds {
        let verdicts = Verdict::ALL.map(|verdict| counts.of(verdict).to_string());
        table.row([kind.clone(), counts.all().to_string()].into_iter().chain(verdicts).collect());
    }
    table.render()
}

/// Writes an edit as a labelled case.
fn labelled(case: &Case) -> serde_json::Value {
    let Case { id, kind, content, old, new, expected } = case;
    json!({"id": id, "drift": kind, "content": content, "old": old, "new": new, "expected": expected, "accept_noop": true})
}

fn failed(case: &Case, verdict: Verdict, answer: &Result<Applied, Failure>) -> serde_json::Value {
    let mut line = labelled(case);
    line["verdict"] = verdict.name().into();
    match answer {
        Ok(applied) => {
            line["output"] = applied.output.clone().into();
            line["strategy"] = applied.found.strategy.into();
            line["confidence"] = applied.found.confidence_or_similarity().get().into();
        }
        Err(failure) => line["error"] = format!("{}: {failure}", Code::from(failure)).into(),
    }
    line
}
