//! The failure that every interface returns.

use std::fmt;

use fuzzy_core::report::Proposal;
use fuzzy_core::{Conflict, Failure as Search, Judgement, LineRange, Match, Refusal};
use serde::Serialize;

use crate::blanks::needle_diff;
use crate::context::distinguishing_lines;
use crate::named_lines::{RangeEnd, about_argument};
use crate::{Code, ContestedLines, Status, contested, range_failure, reason};

/// The least similarity of lines that a report names. Less similar lines share only letters with the old text, and a
/// reader learns nothing from them.
const LEAST_ALIKE: f64 = 0.3;

/// The name of the strategy that finds exact occurrences.
const EXACT: &str = "exact";

/// A rejected or failed request: a code, a message and the next step. `D` adds the details, by default those of an
/// edit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Failure{D}"))]
pub struct Failure<D = OfEdit> {
    /// Always [`Status::Failed`].
    pub status: Status,
    /// The one word that names the failure.
    pub code: Code,
    /// The problem, in words.
    pub message: String,
    /// The next step of the caller, in one sentence.
    pub next_step: String,
    /// The details.
    #[serde(flatten)]
    pub details: D,
}

/// The details of a failed edit, which leaves its file unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OfEdit {
    /// The path as the caller gave it, if the failure is about a file.
    pub file_path: Option<String>,
    /// The rule that rejected the edit, such as `different-value`: the name of its file in a folder `rules` of the
    /// engine; a name that begins with `law-` has its file in `laws`. None if no rule rejected the edit, and from
    /// ladders without named rules.
    pub rule: Option<&'static str>,
    /// The lines that are most similar to the old text.
    pub nearest: Option<NearestLines>,
    /// The old lines that the placeholder in the new text would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// The first hundred places that the old text matches.
    pub ambiguous_at: Vec<LineRange>,
    /// The number of places that the old text matches, overlapping ones included; counting stops at 100,000.
    pub count: usize,
    /// The first hundred ranges that an edit from `first` to `last` may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<RangeEnd>,
    /// The first five places where the file and the new text both differ from the old text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ContestedLines>,
    /// The edit that the caller probably intended, to check and to resend.
    pub proposal: Option<Proposal>,
    /// The strategies that did not find the old text.
    pub tried: Vec<&'static str>,
    /// For an edit that failed before in the same session: the code of this failure.
    pub cause: Option<Code>,
    /// The number of failures of this same edit in the session, this one included; 0 without a session.
    pub repeats: usize,
}

/// The details of one kind of failure.
pub trait Details {
    /// Returns the file that the failure names before its message.
    fn file_path(&self) -> Option<&str> {
        None
    }
}

impl Details for OfEdit {
    fn file_path(&self) -> Option<&str> {
        self.file_path.as_deref()
    }
}

/// The interface that reports a failure. Each interface has its own names for commands and options, which next steps
/// use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The command line, for people.
    Command,
    /// The tools of the MCP server, for models.
    Tools,
    /// The HTTP server, for programs.
    Server,
}

impl Surface {
    /// The next step for a model if only the user can help.
    pub const ASK_THE_USER: &str = "Ask the user to run `fuzzy-edit checkpoint doctor`.";
}

/// The lines that are most similar to an old text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NearestLines {
    /// The lines that the ladder compared; otherwise as many lines as the old text has.
    pub lines: LineRange,
    /// The similarity of the old text and these lines, 0 to 1.
    pub similarity: f64,
    /// The diff from the old text (`-`) to these lines (`+`), with differing blanks made visible; long diffs are cut.
    pub diff: String,
}

impl<D: Default> Failure<D> {
    /// Makes a failure without details.
    #[must_use]
    pub fn of(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (message, next_step) = (message.into(), next_step.into());
        Self { status: Status::Failed, code, message, next_step, details: D::default() }
    }
}

impl Failure {
    /// Makes a failure of an edit for a reason outside the engine's search.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::of(code, message, next_step)
    }

    /// Makes a failure of a request with the wrong form.
    #[must_use]
    pub fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    /// Sets the file that the failure is about.
    #[must_use]
    pub fn about(mut self, file_path: impl Into<String>) -> Self {
        self.details.file_path = Some(file_path.into());
        self
    }

    /// Sets the places that the failure is about, and their number `count`, which may be larger.
    #[must_use]
    pub fn at(mut self, lines: Vec<LineRange>, count: usize) -> Self {
        (self.details.ambiguous_at, self.details.count) = (lines, count);
        self
    }

    /// Makes the failure of a search that took too long.
    #[must_use]
    pub fn out_of_time() -> Self {
        Self::new(
            Code::Timeout,
            "the search took longer than the time limit",
            "Give a shorter or more specific old text, or raise the time limit.",
        )
    }

    /// Makes the failure of a search from its judgement; computes the nearest lines or all places.
    #[must_use]
    pub fn of_search(judgement: &Judgement<'_>, failure: &Search) -> Self {
        let mut report = match failure {
            Search::Identical => Self::new(
                Code::Identical,
                "the new text is the same as the old one",
                "Make the new text differ from the old one, or leave this edit out.",
            ),
            Search::EmptyOld => Self::new(Code::EmptyOld, "the old text is empty", "Give the text to replace."),
            Search::AlreadyApplied { .. } => {
                Self::new(Code::AlreadyApplied, "the new text is already there", "Go on; there is nothing to do.")
            }
            Search::Deadline => Self::out_of_time(),
            Search::Ambiguous { strategy, .. } => Self::ambiguous(judgement, strategy),
            Search::Refused(Refusal::Conflict { conflicts }) => Self::conflict(judgement, conflicts),
            Search::Refused(refusal) => Self::refused(judgement, refusal),
            Search::Range(refusal) => range_failure::failure(judgement, refusal),
            _ => Self::not_found(judgement),
        };
        if !matches!(failure, Search::Range(_)) {
            report = about_argument(report, &judgement.edit());
        }
        report.details.tried = judgement.tried();
        // The deadline may pass after the decision, during this report.
        report.details.rule = judgement.rule().filter(|_| !matches!(failure, Search::Deadline));
        report
    }

    fn ambiguous(judgement: &Judgement<'_>, strategy: &str) -> Self {
        const LISTED: usize = 5;
        let text = judgement.document().text();
        let places = judgement.places();
        let lines: Vec<LineRange> = places.spans.iter().map(|span| LineRange::of(text, *span)).collect();
        let listed: Vec<_> = lines.iter().take(LISTED).map(LineRange::to_string).collect();
        let more = if lines.len() > LISTED { " and more" } else { "" };
        let nearest = nearest(judgement);
        let message = match &nearest {
            // Rival places that are only similar to the best one are not listed.
            Some(NearestLines { lines, .. }) if places.count < 2 => {
                format!("the old text may match several places, {lines} among them")
            }
            None if places.count < 2 => "the old text may match several places".to_owned(),
            _ => format!("the old text matches {} places: {}{more}", places.count, listed.join(", ")),
        };
        let or_all = if strategy == EXACT { ", or replace all places" } else { "" };
        // The context of a place that is not listed is unknown.
        let are_all = places.count >= 2 && places.count == places.spans.len();
        let distinguishing =
            if are_all { distinguishing_lines(judgement.document(), &places.spans) } else { Vec::new() };
        let next_step = if distinguishing.is_empty() {
            format!("Add lines from around the intended place until the old text occurs only there{or_all}.")
        } else {
            let distinguishing = distinguishing.join(", ");
            format!("Extend the old text to a nearby line that only the intended place has: {distinguishing}{or_all}.")
        };
        let mut report = Self::new(Code::Ambiguous, message, next_step).at(lines, places.count);
        report.details.nearest = nearest;
        report
    }

    fn conflict(judgement: &Judgement<'_>, conflicts: &[Conflict]) -> Self {
        let conflict_lines = ContestedLines::of(judgement.document().text(), conflicts);
        let proposal = judgement.proposal();
        let message = contested::message(&conflict_lines, conflicts.len());
        let mut report = Self::new(Code::Conflict, message, contested::next_step(&conflict_lines, proposal.is_some()));
        report.details.nearest = nearest(judgement);
        (report.details.conflicts, report.details.proposal) = (conflict_lines, proposal);
        report
    }

    fn refused(judgement: &Judgement<'_>, refusal: &Refusal) -> Self {
        let nearest = nearest(judgement);
        let proposal = judgement.proposal();
        let is_about_likeness = matches!(refusal, Refusal::TooDifferent | Refusal::Uncertain);
        if nearest.is_none() && proposal.is_none() && is_about_likeness {
            return Self::nothing_alike(Code::Refused, judgement);
        }
        let send = "check the proposal and send it if it is the intended edit";
        let next_step = match (refusal, nearest.as_ref().map(|nearest| nearest.lines)) {
            (Refusal::ManyMoreLines { .. } | Refusal::MuchLonger { .. }, _) => {
                "Give every line of the text to replace, not only its first and last ones.".to_owned()
            }
            (Refusal::TooCostly, _) | (_, None) => "Give a shorter or more specific old text.".to_owned(),
            (Refusal::TooDifferent, Some(lines)) if proposal.is_some() => {
                format!("Read {lines} of the file, then {send}.")
            }
            (_, Some(_)) if proposal.is_some() => format!("C{}.", &send[1..]),
            (_, Some(lines)) => copy_from(lines),
        };
        if let Some((message, step)) =
            nearest.as_ref().and_then(|nearest| reason::headline(judgement, refusal, nearest.lines))
        {
            let next_step = step.filter(|_| proposal.is_none()).unwrap_or(next_step);
            let mut report = Self::new(Code::Refused, message, next_step);
            (report.details.nearest, report.details.proposal) = (nearest, proposal);
            return report;
        }
        let message = match (&nearest, refusal) {
            (
                Some(NearestLines { lines, .. }),
                Refusal::TooDifferent | Refusal::Uncertain | Refusal::LowConfidence { .. },
            ) => {
                format!("{refusal}: {lines}")
            }
            (_, Refusal::TooCostly) => format!("{refusal}; give a more specific old text"),
            _ => refusal.to_string(),
        };
        let mut report = Self::new(Code::Refused, message, next_step);
        (report.details.nearest, report.details.proposal) = (nearest, proposal);
        report
    }

    fn not_found(judgement: &Judgement<'_>) -> Self {
        let Some(nearest) = nearest(judgement) else { return Self::nothing_alike(Code::NotFound, judgement) };
        let NearestLines { lines, similarity, .. } = nearest;
        let message = format!("the old text was not found; nearest: {lines} (similarity {similarity:.3})");
        let mut report = Self::new(Code::NotFound, message, copy_from(lines));
        report.details.nearest = Some(nearest);
        report
    }

    /// Makes the failure of a search that found no similar place.
    fn nothing_alike(code: Code, judgement: &Judgement<'_>) -> Self {
        let next_step = "Check that this is the right file, then read it and copy the old text from it.";
        let message = match judgement.document().text().lines().count() {
            _ if judgement.is_out_of_time() => {
                "the old text was not found; the time limit left no time to look for lines that resemble it".to_owned()
            }
            0 => "the old text was not found; the file is empty".to_owned(),
            1 => "the old text was not found; the only line of the file does not resemble it".to_owned(),
            count => format!("the old text was not found; no place in the {count} lines of the file resembles it"),
        };
        Self::new(code, message, next_step)
    }
}

impl<D: Details> fmt::Display for Failure<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        match self.details.file_path() {
            // Errors of files already name their file.
            Some(path) if !self.message.starts_with('`') => write!(f, "`{path}`: ")?,
            _ => {}
        }
        write!(f, "{}. {}", self.message, self.next_step)
    }
}

impl<D: Details + fmt::Debug> std::error::Error for Failure<D> {}

/// Returns a note for the caller if the old text did not match exactly or the new text was adjusted.
#[must_use]
pub fn note(found: &Match) -> Option<String> {
    if let Some(adjustment) = found.adjustment {
        return Some(adjustment.to_string());
    }
    let strategy = found.strategy;
    (!found.is_exact()).then(|| format!("(matched via {strategy} — consider updating old_string to match exactly)"))
}

/// Returns the next step if the old text only has to be copied exactly.
fn copy_from(lines: LineRange) -> String {
    format!("Read {lines} of the file and copy the old text from there exactly.")
}

/// Returns the lines that are most similar to the old text; `None` if none are similar enough.
fn nearest(judgement: &Judgement<'_>) -> Option<NearestLines> {
    let nearest = judgement.nearest().filter(|nearest| nearest.similarity.get() >= LEAST_ALIKE)?;
    let region = nearest.span.text(judgement.document().text());
    Some(NearestLines {
        lines: nearest.lines,
        similarity: nearest.similarity.get(),
        diff: needle_diff(judgement.edit().old, region),
    })
}
