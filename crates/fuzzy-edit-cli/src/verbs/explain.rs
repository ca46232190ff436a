//! `explain`: says of every strategy of a ladder what it proposes and why that was or was not taken.

mod alignment;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use fuzzy_edit::{Asked, Code, Editor, Failure, Place, apply_within};
use fuzzy_pipeline::{Candidate, Document, Feature, Verdict, Weighed};
use schemars::JsonSchema;
use serde::Serialize;

use self::alignment::Alignment;
use super::locate::Sought;
use crate::options::{Reach, Search};
use crate::output;

/// Say what every strategy of the ladder proposes, and why it is or is not taken
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file to search
    file: PathBuf,
    #[command(flatten)]
    sought: Sought,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
The exit code is 0 if the search could be explained, also where it finds nothing.
Under the ladder adaptive, needle and file are shown side by side. Between them stands = for equal lines, ~ for lines
that differ, - for a line that only the needle has and + for one that only the file has; blanks are visible where they
differ. With --new, each line that lands is said to be the file's, the new text's or merged of both, and each feature of
the place is listed with what it adds to the log-odds that it is the one that is meant.

Examples:
  fuzzy-edit explain src/cart.py --old 'total += price'
  fuzzy-edit explain src/cart.py --old @old.txt --new @new.txt
  fuzzy-edit explain src/cart.py --old @old.txt --ladder full
  fuzzy-edit explain src/cart.py --old cart --all --json";

/// Candidates of a strategy that people are shown.
const SHOWN: usize = 5;

/// What the ladder makes of a needle.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Explained {
    status: &'static str,
    file_path: String,
    ladder: &'static str,
    policy: &'static str,
    outcome: Outcome,
    /// In the order in which they are tried.
    strategies: Vec<Tried>,
    /// The needle beside the file, under a ladder that aligns them.
    alignment: Option<Alignment>,
    /// How likely the place is the one that is meant, under a ladder that weighs it.
    weighed: Option<Weights>,
}

/// What makes a place likely or not.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Weights {
    probability: f64,
    /// The probability that it takes.
    accepted: f64,
    /// The log-odds of a place without a flaw.
    perfect: f64,
    features: Vec<Weight>,
    /// What keeps the edit from landing however likely the place is.
    ruled_out: Option<&'static str>,
    /// The same for people.
    #[serde(skip)]
    text: String,
}

/// A feature of a place.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Weight {
    name: &'static str,
    meaning: &'static str,
    value: f64,
    /// What that adds to the log-odds; never more than 0.
    adds: f64,
}

impl From<Weighed> for Weights {
    fn from(weighed: Weighed) -> Self {
        let decimals = |value: f64| (value * 1000.0).round() / 1000.0 + 0.0;
        let weight = |feature: &Feature| Weight {
            name: feature.name,
            meaning: feature.meaning,
            value: decimals(feature.value),
            adds: decimals(feature.adds),
        };
        Self {
            probability: decimals(weighed.probability),
            accepted: decimals(weighed.accepted),
            perfect: decimals(weighed.perfect),
            features: weighed.features.iter().map(weight).collect(),
            ruled_out: weighed.ruled_out,
            text: weighed.to_string(),
        }
    }
}

/// How the search ends.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Found {
        status: &'static str,
        strategy: &'static str,
        similarity: f64,
        confidence: f64,
        #[serde(flatten)]
        place: Place,
    },
    AlreadyApplied {
        status: &'static str,
        changed: bool,
        #[serde(flatten)]
        place: Place,
    },
    Failed(Box<Failure>),
}

/// What one strategy proposes.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Tried {
    strategy: &'static str,
    verdict: &'static str,
    why: String,
    /// The first of them.
    candidates: Vec<Proposed>,
    /// Whether there are more.
    more: bool,
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct Proposed {
    #[serde(flatten)]
    place: Place,
    similarity: f64,
}

/// Searches and explains.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let Arguments { file, sought, json, reach, search } = arguments;
    let explained = || {
        let editor = search.editor(reach.of_named(search.workspace()?)?)?;
        let asked = sought.asked(search)?;
        explain(&editor, file, &asked).map_err(|failure| Box::new(failure.about(file.to_string_lossy())))
    };
    match explained() {
        Ok(explained) => output::answer(*json, &explained, || describe(&explained)),
        Err(failure) => output::failure(*json, &failure),
    }
}

fn explain(editor: &Editor, path: &Path, asked: &Asked) -> Result<Explained, Box<Failure>> {
    use fuzzy_pipeline::Failure::{AlreadyApplied, Deadline, EmptyNeedle, Identical};

    let file = editor.workspace().read(path)?;
    let document = Document::new(file.text());
    let attempt = editor.ask(asked, &file, &document);
    let deadline = editor.workspace().limits().deadline();
    let place = |span| file.place(span);

    let judgement = attempt.decide();
    let found = judgement.found();
    if let Err(failure @ (EmptyNeedle | Identical | Deadline)) = &found {
        return Err(Failure::of_search(&judgement, failure).into());
    }
    // A place may be found for a text that must not be written there.
    let unfit = match found {
        Ok(_) => apply_within(&judgement, editor.workspace().limits().max_bytes).err(),
        Err(_) => None,
    };
    let explanations = judgement.explain();
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        // Strategies that were cut short would read as if they had found nothing.
        return Err(Failure::of_search(&judgement, &Deadline).into());
    }
    let ladder = editor.pipeline().ladder();
    let outcome = match (found, unfit) {
        (Ok(_), Some(unfit)) => Outcome::Failed(unfit.into()),
        (Ok(found), None) => Outcome::Found {
            status: "found",
            strategy: found.strategy,
            similarity: found.similarity.get(),
            confidence: found.confidence.get(),
            place: place(found.span),
        },
        (Err(AlreadyApplied { span }), _) => {
            Outcome::AlreadyApplied { status: "already_applied", changed: false, place: place(span) }
        }
        (Err(failure), _) => Outcome::Failed(Failure::of_search(&judgement, &failure).into()),
    };
    // Lines that have nothing in common with the needle are not shown beside it.
    let is_alike = !matches!(&outcome, Outcome::Failed(failure)
        if failure.details.nearest.is_none() && matches!(failure.code, Code::NotFound | Code::Refused));
    Ok(Explained {
        status: "explained",
        file_path: path.to_string_lossy().into_owned(),
        ladder: ladder.name(),
        policy: ladder.decider().name(),
        outcome,
        strategies: explanations
            .into_iter()
            .map(|explanation| Tried {
                strategy: explanation.strategy,
                verdict: verdict(&explanation.verdict),
                why: explanation.why,
                more: explanation.more,
                candidates: explanation
                    .candidates
                    .into_iter()
                    .map(|Candidate { span, similarity }| Proposed { place: place(span), similarity: similarity.get() })
                    .collect(),
            })
            .collect(),
        alignment: judgement.side_by_side().filter(|_| is_alike).map(Alignment::from),
        weighed: judgement.weighed().map(Weights::from),
    })
}

/// Returns the word for a verdict.
const fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Nothing => "nothing",
        Verdict::Taken(_) => "taken",
        Verdict::Ended(_) => "ended",
        Verdict::NotUnique => "not_unique",
        Verdict::PassedOver => "passed_over",
        Verdict::NotReached => "not_reached",
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
    if let Some(alignment) = &explained.alignment {
        let _ = write!(text, "\n{alignment}");
    }
    if let Some(weighed) = &explained.weighed {
        let _ = write!(text, "\n{}", weighed.text);
    }
    let _ = match &explained.outcome {
        Outcome::Found { strategy, place, confidence, .. } => {
            writeln!(text, "\nfound: {} by {strategy}, confidence {confidence:.3}", place.lines)
        }
        Outcome::AlreadyApplied { place, .. } => {
            writeln!(text, "\nalready applied: the new text stands on {}; there is nothing to do", place.lines)
        }
        Outcome::Failed(failure) => writeln!(text, "\n{failure}"),
    };
    text
}
