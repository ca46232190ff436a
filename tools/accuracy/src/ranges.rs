//! Names the lines of labelled edits by their ends, and of blocks of real files, and counts the results.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use fastrand::Rng;
use fuzzy_edit::{Cause, apply_within};
use fuzzy_pipeline::{Document, Failure, Pipeline};
use fuzzy_testkit::named_edits::{Block, Named, Place, blocks, cases, insertions, ranges, slipped};
use fuzzy_tools::table::Table;
use rayon::prelude::*;
use serde_json::json;

use crate::cases::{Case, Set};
use crate::engine::{ADAPTIVE, pipeline};
use crate::jsonl;
use crate::texts::each_text_below;

/// Name the lines of labelled edits by their ends instead of quoting them, and count the results.
///
/// Every answer has to be the text of the plain edit, or a refusal. The same edits are made with slips in the quotes;
/// blocks of the files are named by their ends, and by stale line numbers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of labelled edits that land exactly (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// Also name blocks of the files below this directory.
    #[arg(long, value_name = "DIRECTORY")]
    texts: Option<PathBuf>,
    /// The number of edits with slips, and of those with stale numbers.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    edits: usize,
    /// The seed of slips and stale numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The ladder to run.
    #[arg(long, value_name = "NAME", default_value = ADAPTIVE)]
    ladder: String,
    /// Write every answer that is not the expected text to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
}

/// The fewest old lines of an edit that is named by its ends.
const LEAST_LINES: usize = 4;

/// The lines of a block, at least and at most.
const BLOCK: (usize, usize) = (4, 60);

/// The lines that a file gets above and below an edit, at most.
const GROWTH: usize = 40;

/// At most one edit with a slip of this number may go wrong.
const EDITS_PER_WRONG: usize = 2_000;

/// The kind of edits whose first text occurs exactly in spite of its slip.
const EXACT: &str = "exact";

/// Wrong answers to print in full.
const SHOWN: usize = 3;

/// The results of edits, by kind.
#[derive(Default)]
struct Counts {
    kinds: BTreeMap<String, [usize; 4]>,
    failures: Vec<serde_json::Value>,
}

/// The result of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Right,
    Refused,
    /// Reported as already applied, which it is not.
    Claimed,
    Wrong,
}

impl Counts {
    fn add(&mut self, kind: &str, edit: &Named, (ending, answer): (Ending, String)) {
        self.kinds.entry(kind.to_owned()).or_default()[ending as usize] += 1;
        if ending != Ending::Right {
            let Named { content, place, new, expected } = edit;
            self.failures.push(json!({
                "kind": kind, "ending": format!("{ending:?}"), "answer": answer, "place": format!("{place:?}"), "new": new,
                "content": content, "expected": expected,
            }));
        }
    }

    /// Makes edits, each with its kind, and counts their results.
    fn of_all<K: AsRef<str> + Sync>(edits: &[(K, Named)], pipeline: &Pipeline) -> Self {
        let results: Vec<_> = edits.par_iter().map(|(_, edit)| result(edit, pipeline)).collect();
        let mut counts = Self::default();
        for ((kind, edit), result) in edits.iter().zip(results) {
            counts.add(kind.as_ref(), edit, result);
        }
        counts
    }

    fn of(&self, ending: Ending) -> usize {
        self.kinds.values().map(|counts| counts[ending as usize]).sum()
    }

    fn all(&self) -> usize {
        self.kinds.values().flatten().sum()
    }

    fn share(&self, ending: Ending) -> f64 {
        self.of(ending) as f64 / self.all().max(1) as f64 * 100.0
    }

    fn print(&self, title: &str) {
        let mut table = Table::new(1, &["kind", "edits", "right", "refused", "claimed", "WRONG"]);
        for (kind, counts) in &self.kinds {
            let all: usize = counts.iter().sum();
            let cells = counts.iter().map(usize::to_string);
            table.row([kind.clone(), all.to_string()].into_iter().chain(cells).collect());
        }
        let (all, right, wrong) = (self.all(), self.share(Ending::Right), self.of(Ending::Wrong));
        println!("{title}: {all} edits, {right:.2} % right, {wrong} WRONG\n\n{}", table.render());
    }
}

/// Returns the result of an edit, and its failure in words.
fn result(edit: &Named, pipeline: &Pipeline) -> (Ending, String) {
    let document = Document::new(edit.content.as_str());
    let attempt = edit.edit().attempt(pipeline, &document);
    let judgement = attempt.decide();
    match apply_within(&judgement, u64::MAX) {
        Ok(applied) if applied.output == edit.expected => (Ending::Right, String::new()),
        Ok(applied) => (Ending::Wrong, applied.output),
        Err(Cause::Search(Failure::AlreadyApplied { .. })) => (Ending::Claimed, String::new()),
        Err(cause) => (Ending::Refused, format!("{cause}: {cause:?}")),
    }
}

/// Returns the shortest way to name an edit that lands, or else the last one, as an author extends a quote that is refused.
fn shortest(ways: Vec<Named>, pipeline: &Pipeline) -> Option<(Named, (Ending, String))> {
    let mut last = None;
    for way in ways {
        let result = result(&way, pipeline);
        if result.0 != Ending::Refused {
            return Some((way, result));
        }
        last = Some((way, result));
    }
    last
}

/// Characters of the arguments of some edits.
#[derive(Default)]
struct Characters {
    edits: usize,
    old: usize,
    quotes: usize,
    new: usize,
    /// The new text of an insertion by its anchor.
    added: usize,
}

impl Characters {
    fn add(&mut self, case: &Case, named: &Named) {
        self.edits += 1;
        self.old += case.old.chars().count();
        self.new += case.new.chars().count();
        self.quotes += named.place.characters();
        self.added += named.new.chars().count();
    }

    fn row(&self, kind: &str) -> Vec<String> {
        let share = |part: usize, whole: usize| format!("{:.0} %", part as f64 / whole.max(1) as f64 * 100.0);
        vec![
            kind.to_owned(),
            self.edits.to_string(),
            self.old.to_string(),
            self.quotes.to_string(),
            share(self.quotes, self.old),
            share(self.quotes + self.added, self.old + self.new),
        ]
    }
}

/// Makes edits that name blocks of generated files, with slips in their quotes; prints the counts, and fails if too many
/// went wrong.
pub(crate) fn generated(edits: usize, seed: u64, pipeline: &Pipeline) -> Result<()> {
    let made: Vec<_> = cases(seed).take(edits).collect();
    let counts = Counts::of_all(&made, pipeline);
    counts.print(&format!("named lines, --seed {seed}"));
    let (wrong, all) = (counts.of(Ending::Wrong), counts.all());
    for failure in counts.failures.iter().filter(|failure| failure["ending"] == "Wrong").take(SHOWN) {
        println!("{failure:#}");
    }
    ensure!(wrong * EDITS_PER_WRONG <= all, "{wrong} of {all} named edits went wrong");
    Ok(())
}

/// Names the edits, prints the counts, and fails if a line is missed.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let pipeline = pipeline(&arguments.ladder)?;
    let mut labelled = Vec::new();
    for path in &arguments.cases {
        labelled.extend(Set::load(path)?.edits);
    }
    let (mut of_ranges, mut of_insertions) = (Counts::default(), Counts::default());
    let mut characters = [Characters::default(), Characters::default()];
    let mut landed = Vec::new();
    let named: Vec<_> = labelled
        .par_iter()
        .map(|case| {
            let plain = case.edit().run(&pipeline, &Document::new(case.content.as_str()));
            if matches!(plain, Err(Failure::AlreadyApplied { .. })) {
                return (None, None);
            }
            let by_ends = shortest(ranges(&case.content, &case.old, &case.new, LEAST_LINES), &pipeline);
            (by_ends, shortest(insertions(&case.content, &case.old, &case.new), &pipeline))
        })
        .collect();
    for (case, (by_ends, by_anchor)) in labelled.iter().zip(named) {
        let both = [(by_ends, &mut of_ranges, "range"), (by_anchor, &mut of_insertions, "insertion")];
        for (index, (found, counts, kind)) in both.into_iter().enumerate() {
            let Some((edit, result)) = found else { continue };
            if result.0 == Ending::Right {
                characters[index].add(case, &edit);
                landed.push(edit.clone());
            }
            counts.add(kind, &edit, result);
        }
    }
    of_ranges.print("ranges");
    of_insertions.print("insertions");
    let mut table =
        Table::new(1, &["edits", "number", "old texts", "quotes", "share of the old texts", "share of all texts"]);
    table.row(characters[0].row("replace at least four lines"));
    table.row(characters[1].row("only insert lines"));
    println!("characters of the arguments\n\n{}", table.render());

    let with_slips = with_slips(&landed, arguments, &pipeline);
    with_slips.print("slips in the quotes");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in &labelled {
        texts.entry("cases".to_owned()).or_default().push(case.content.replace("\r\n", "\n"));
    }
    if let Some(directory) = &arguments.texts {
        each_text_below(directory, |extension, text| {
            texts.entry(extension.to_owned()).or_default().push(text.replace("\r\n", "\n"));
        })?;
    }
    let stale = stale(&texts, arguments, &pipeline);
    stale.print("stale line numbers with guards");
    let natural = natural(&texts, &pipeline);
    natural.print("natural blocks");
    let all = [&of_ranges, &of_insertions, &with_slips, &stale, &natural];
    if let Some(path) = &arguments.failures {
        jsonl::save(path, all.iter().flat_map(|counts| &counts.failures))?;
    }
    let is_wrong = |counts: &Counts| counts.of(Ending::Wrong) + counts.of(Ending::Claimed);
    ensure!(is_wrong(&of_ranges) == 0, "a range is neither equal nor refused");
    ensure!(is_wrong(&of_insertions) == 0, "an insertion is neither equal nor refused");
    ensure!(of_ranges.share(Ending::Right) >= 93.0, "less than 93 % of the ranges land");
    ensure!(of_insertions.share(Ending::Right) >= 80.0, "less than 80 % of the insertions land");
    let rated =
        |ending| with_slips.of(ending) - with_slips.kinds.get(EXACT).map_or(0, |counts| counts[ending as usize]);
    let all = [Ending::Right, Ending::Refused, Ending::Claimed, Ending::Wrong].map(rated).iter().sum::<usize>();
    ensure!(rated(Ending::Wrong) * EDITS_PER_WRONG <= all, "too many slips go wrong");
    ensure!(stale.of(Ending::Wrong) == 0 && natural.of(Ending::Wrong) == 0, "a block goes wrong");
    Ok(())
}

/// Makes slips in the quotes of edits that land.
fn with_slips(landed: &[Named], arguments: &Arguments, pipeline: &Pipeline) -> Counts {
    let mut rng = Rng::with_seed(arguments.seed);
    let mut made = Vec::new();
    while !landed.is_empty() && made.len() < arguments.edits {
        let edit = &landed[rng.usize(..landed.len())];
        let slip = slipped(edit, &mut rng);
        let is_other = |slipped: &Named| slipped.is_exact() && slipped.place.quoted() != edit.place.quoted();
        made.extend(slip.map(|(kind, slipped)| (if is_other(&slipped) { EXACT } else { kind }, slipped)));
    }
    Counts::of_all(&made, pipeline)
}

/// Names blocks by line numbers and guards, in files that grew above and below since.
fn stale(texts: &BTreeMap<String, Vec<String>>, arguments: &Arguments, pipeline: &Pipeline) -> Counts {
    let mut rng = Rng::with_seed(arguments.seed);
    let all: Vec<(&str, Vec<Block>)> =
        texts.values().flatten().map(|text| (text.as_str(), blocks(text, BLOCK.0, BLOCK.1))).collect();
    let all: Vec<_> = all.into_iter().filter(|(_, blocks)| !blocks.is_empty()).collect();
    let mut made = Vec::new();
    while !all.is_empty() && made.len() < arguments.edits {
        let (text, blocks) = &all[rng.usize(..all.len())];
        let block = blocks[rng.usize(..blocks.len())];
        let lines: Vec<&str> = text.lines().collect();
        let mut some = |limit: usize, others: &[&str]| -> Vec<String> {
            let count = rng.usize(..=limit);
            // New lines are like those of the file, so that they may equal the guards.
            (0..count).map(|_| others[rng.usize(..others.len())].to_owned()).collect()
        };
        let (above, below) = (some(GROWTH, &lines), some(GROWTH, &lines));
        let has_last = rng.bool();
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let new = format!(
            "{}replaced()",
            &lines[block.start][..lines[block.start].len() - lines[block.start].trim_start().len()]
        );
        let head = [above.clone(), owned(&lines[..block.start])].concat();
        let tail = [owned(&lines[block.end..]), below].concat();
        let join = |parts: &[Vec<String>]| parts.concat().join("\n") + "\n";
        let edit = Named {
            content: join(&[head.clone(), owned(&lines[block.start..block.end]), tail.clone()]),
            expected: join(&[head, vec![new.clone()], tail]),
            place: Place::Numbers {
                lines: (block.start + 1, block.end),
                first: lines[block.start].to_owned(),
                last: if has_last { lines[block.end - 1].to_owned() } else { String::new() },
            },
            new,
        };
        made.push((if has_last { "first and last line" } else { "first line" }, edit));
    }
    Counts::of_all(&made, pipeline)
}

/// Names every block of some texts by its first line and its last one.
fn natural(texts: &BTreeMap<String, Vec<String>>, pipeline: &Pipeline) -> Counts {
    /// Blocks of a text, at most.
    const MOST: usize = 20;

    let texts = texts.iter().flat_map(|(kind, texts)| texts.iter().map(move |text| (kind, text)));
    let made: Vec<_> = texts
        .flat_map(|(kind, text)| {
            let all = blocks(text, BLOCK.0, BLOCK.1);
            let step = all.len().div_ceil(MOST).max(1);
            all.into_iter()
                .step_by(step)
                .filter_map(|block| {
                    let lines: Vec<&str> = text.split_inclusive('\n').collect();
                    let (first, last) = (lines[block.start], lines[block.end - 1].trim_end_matches('\n'));
                    let line_break = if lines[block.end - 1].ends_with('\n') { "\n" } else { "" };
                    let new = format!("{}replaced(){line_break}", &first[..first.len() - first.trim_start().len()]);
                    // Only blocks whose first line occurs once can be named by it.
                    let is_only = format!("\n{text}").matches(&format!("\n{first}")).count() == 1;
                    let edit = Named {
                        content: text.clone(),
                        expected: [&lines[..block.start], &[new.as_str()], &lines[block.end..]].concat().concat(),
                        place: Place::Range { first: first.to_owned(), last: last.to_owned() },
                        new,
                    };
                    is_only.then_some((kind, edit))
                })
                .collect::<Vec<_>>()
        })
        .collect();
    Counts::of_all(&made, pipeline)
}
