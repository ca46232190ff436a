//! `explain`: says of every strategy of a ladder what it proposes and why that was or was not taken.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use fuzzy_edit::{Editor, Failure};
use fuzzy_pipeline::{Candidate, Document, Edit, Explanation, Policy, Verdict};
use serde::Serialize;

use super::locate::Place;
use crate::options::Search;
use crate::output;

/// Say what every strategy of the ladder proposes, and why it is or is not taken
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file to search
    file: PathBuf,
    /// The text to find, or @FILE to read it from a file as it is
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    old: String,
    /// Explain `apply --all`
    #[arg(long)]
    all: bool,
    /// Print one report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
The exit code is 0 if the search could be explained, also where it finds nothing.

Examples:
  fuzzy-edit explain src/cart.py --old 'total += price'
  fuzzy-edit explain src/cart.py --old @old.txt --ladder full
  fuzzy-edit explain src/cart.py --old cart --all --json";

/// Candidates of a strategy that people are shown.
const SHOWN: usize = 5;

/// What the ladder makes of a needle.
#[derive(Serialize)]
struct Explained {
    status: &'static str,
    file_path: String,
    ladder: &'static str,
    policy: &'static str,
    outcome: Outcome,
    /// In the order in which they are tried.
    strategies: Vec<Tried>,
}

/// How the search ends.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Found {
        status: &'static str,
        strategy: &'static str,
        similarity: f64,
        confidence: f64,
        #[serde(flatten)]
        place: Place,
    },
    Failed(Box<Failure>),
}

/// What one strategy proposes.
#[derive(Serialize)]
struct Tried {
    strategy: &'static str,
    verdict: &'static str,
    why: String,
    /// The first of them.
    candidates: Vec<Proposed>,
    /// Whether there are more.
    more: bool,
}

#[derive(Serialize)]
struct Proposed {
    #[serde(flatten)]
    place: Place,
    similarity: f64,
}

/// Searches and explains.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let explained = || {
        let editor = arguments.search.editor()?;
        let old = arguments.search.text("--old", &arguments.old)?;
        let about = |failure: Box<Failure>| Box::new(failure.about(arguments.file.to_string_lossy()));
        explain(&editor, &arguments.file, &old, arguments.all).map_err(about)
    };
    match explained() {
        Ok(explained) => output::answer(arguments.json, &explained, || describe(&explained)),
        Err(failure) => output::failure(arguments.json, &failure),
    }
}

fn explain(editor: &Editor, path: &Path, old: &str, replace_all: bool) -> Result<Explained, Box<Failure>> {
    let file = editor.read(path)?;
    let (needle, _) = file.without_mark(old, "");
    let replacement = if needle.is_empty() { " " } else { "" };
    let document = Document::new(file.text());
    let deadline = editor.deadline();
    let edit = Edit { needle, replacement, replace_all };
    let attempt = edit.fit(editor.pipeline(), &document).with_deadline(deadline);
    let place = |span| Place::new(file.mark(), file.text(), span);

    let located = attempt.locate();
    if let Err(failure @ (fuzzy_pipeline::Failure::EmptyNeedle | fuzzy_pipeline::Failure::Deadline)) = &located {
        return Err(Failure::of_search(&attempt, failure).into());
    }
    let explanations = attempt.explain();
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        // Strategies that were cut short would read as if they had found nothing.
        return Err(Failure::of_search(&attempt, &fuzzy_pipeline::Failure::Deadline).into());
    }
    let ladder = editor.pipeline().ladder();
    Ok(Explained {
        status: "explained",
        file_path: path.to_string_lossy().into_owned(),
        ladder: ladder.name(),
        policy: ladder.policy().name(),
        outcome: match located {
            Ok(found) => Outcome::Found {
                status: "found",
                strategy: found.strategy,
                similarity: found.similarity.get(),
                confidence: found.confidence.get(),
                place: place(found.span),
            },
            Err(failure) => Outcome::Failed(Failure::of_search(&attempt, &failure).into()),
        },
        strategies: explanations
            .into_iter()
            .map(|explanation| Tried {
                strategy: explanation.strategy,
                verdict: verdict(&explanation.verdict),
                why: why(&explanation, ladder.policy(), replace_all),
                more: explanation.more,
                candidates: explanation
                    .candidates
                    .into_iter()
                    .map(|Candidate { span, similarity }| Proposed { place: place(span), similarity: similarity.get() })
                    .collect(),
            })
            .collect(),
    })
}

/// Returns the word for a verdict.
const fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Nothing => "nothing",
        Verdict::Taken(_) => "taken",
        Verdict::Ended(_) => "ended",
        Verdict::NotUnique => "not_unique",
        Verdict::NotReached => "not_reached",
    }
}

/// Says why a strategy's candidates were or were not taken.
fn why(explanation: &Explanation, policy: Policy, replace_all: bool) -> String {
    let by_text = matches!(policy, Policy::UniqueText | Policy::UniqueTextGuarded);
    match &explanation.verdict {
        Verdict::Nothing => "it proposes nothing".to_owned(),
        Verdict::Taken(_) if replace_all => "its text is replaced everywhere".to_owned(),
        Verdict::Taken(_) if by_text => "its text stands only once".to_owned(),
        Verdict::Taken(_) => "it is the only place".to_owned(),
        Verdict::Ended(failure) => format!("it ended the search: {failure}"),
        Verdict::NotUnique if replace_all && !by_text => "only exact places are replaced everywhere".to_owned(),
        Verdict::NotUnique if by_text => "no text that it proposes stands only once".to_owned(),
        Verdict::NotUnique => "it proposes several places".to_owned(),
        Verdict::NotReached => "the search had ended before".to_owned(),
    }
}

fn describe(explained: &Explained) -> String {
    let Explained { file_path, ladder, policy, .. } = explained;
    let mut text = format!("`{file_path}`, ladder {ladder}, policy {policy}\n\n");
    let width = explained.strategies.iter().map(|tried| tried.strategy.len()).max().unwrap_or(0);
    for (index, tried) in explained.strategies.iter().enumerate() {
        let _ = writeln!(text, "{:>2}  {:<width$}  {:<11}  {}", index + 1, tried.strategy, tried.verdict, tried.why);
        for Proposed { place, similarity } in tried.candidates.iter().take(SHOWN) {
            let (start, end) = place.bytes;
            let place = format!("{}, bytes {start}..{end}", place.lines);
            let _ = writeln!(text, "    {:width$}  {similarity:<11.3}  {place}", "");
        }
        if tried.candidates.len() > SHOWN {
            let least = if tried.more { "at least " } else { "" };
            let _ = writeln!(text, "    {:width$}  and {least}{} more", "", tried.candidates.len() - SHOWN);
        }
    }
    let _ = match &explained.outcome {
        Outcome::Found { strategy, place, .. } => writeln!(text, "\nfound: {} by {strategy}", place.lines),
        Outcome::Failed(failure) => writeln!(text, "\n{failure}"),
    };
    text
}
