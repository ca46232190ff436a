//! The one failure that every surface tells.

use std::fmt;

use fuzzy_core::report::Proposal;
use fuzzy_core::{Conflict, Failure as Search, Judgement, LineRange, Match, Refusal};
use serde::Serialize;

use crate::blanks::needle_diff;
use crate::checkpoint::{RepoPath, RestoreId};
use crate::context::telling_lines;
use crate::{Code, ContestedLines, Lines, Status, contested, reason};

/// Lines that are less like a needle than this have nothing in common with it but letters, and are not named: a
/// reader learns nothing from them.
const LEAST_ALIKE: f64 = 0.3;

/// Name of the strategy that finds the needle itself.
const EXACT: &str = "exact";

/// What was refused or went wrong: one word for it, what it means here, and what to do next. What else is known depends
/// on what was asked for: `D` is of an edit or of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Failure{D}"))]
pub struct Failure<D = OfEdit> {
    /// Always [`Status::Failed`].
    pub status: Status,
    /// The one word that names the failure.
    pub code: Code,
    /// What is wrong, in words.
    pub message: String,
    /// What to do next, in one sentence.
    pub next_step: String,
    /// What else is known.
    #[serde(flatten)]
    pub details: D,
}

/// What is known of an edit that failed; its file is as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OfEdit {
    /// The path as the caller gave it, if the failure is about a file.
    pub file_path: Option<String>,
    /// The rule that refuses the edit, such as `different-value`: the name of its file in a folder `rules` of the engine;
    /// a name that begins with `law-` has its file in `laws`. None if no rule refuses the edit, and from ladders without
    /// named rules.
    pub rule: Option<&'static str>,
    /// The lines that come nearest to the needle.
    pub nearest: Option<NearestLines>,
    /// The old lines that the new text has a placeholder for, and that would be lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// The places that the needle may mean; the first hundred of them.
    pub ambiguous_at: Vec<Lines>,
    /// How many places the needle may mean, overlapping ones included; of more than 100,000 no more are counted.
    pub count: usize,
    /// Where the file and the new text both differ from the needle; the first five of these places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ContestedLines>,
    /// The edit that was probably meant, for the caller to check and to send.
    pub proposal: Option<ProposedEdit>,
    /// The strategies that looked for the needle in vain.
    pub tried: Vec<&'static str>,
    /// Of an edit that failed before in the same session: the code of this failure.
    pub cause: Option<Code>,
    /// How often this same edit failed in the session, this time included; 0 if no one counts.
    pub repeats: usize,
}

/// What is known of a checkpoint or a restore that failed, or of a request to a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OfCheckpoint {
    /// The paths that it is about, if it is about paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<RepoPath>,
    /// The restore that it is about, or that has to be finished first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_id: Option<RestoreId>,
}

/// Where a failure is told. Each surface has names of its own for the same things, so that a next step that names one
/// depends on it.
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
    /// What a model does next where only a person can help.
    pub const ASK_THE_USER: &str = "Ask the user to run `fuzzy-edit checkpoint doctor`.";
}

/// An edit that would succeed: what the file has, and the new text fitted to that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ProposedEdit {
    /// The text to replace, copied from the file.
    pub old_string: String,
    /// The text to put there.
    pub new_string: String,
}

/// The lines that come nearest to a needle.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NearestLines {
    /// The lines that the ladder judged; else as many as the needle has.
    pub lines: Lines,
    /// How much of the needle is there, 0 to 1.
    pub similarity: f64,
    /// How the needle (`-`) differs from these lines (`+`), with blanks visible where they do; cut after some lines.
    pub diff: String,
}

impl<D: Default> Failure<D> {
    fn of(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (message, next_step) = (message.into(), next_step.into());
        Self { status: Status::Failed, code, message, next_step, details: D::default() }
    }
}

impl Failure<OfCheckpoint> {
    /// Makes a failure of a checkpoint, a restore or a request to a server.
    #[must_use]
    pub fn of_checkpoint(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::of(code, message, next_step)
    }
}

impl Failure {
    /// Makes a failure of an edit that is not about the engine's search.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::of(code, message, next_step)
    }

    /// Reports that a request cannot be understood.
    #[must_use]
    pub fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    /// Says which file the failure is about.
    #[must_use]
    pub fn about(mut self, file_path: impl Into<String>) -> Self {
        self.details.file_path = Some(file_path.into());
        self
    }

    /// Says which places it is about, of `count` in all.
    #[must_use]
    pub fn at(mut self, lines: Vec<Lines>, count: usize) -> Self {
        (self.details.ambiguous_at, self.details.count) = (lines, count);
        self
    }

    /// Reports that a search took too long.
    #[must_use]
    pub fn out_of_time() -> Self {
        Self::new(
            Code::Timeout,
            "the search took longer than the time limit",
            "Give a shorter or more specific old text, or raise the time limit.",
        )
    }

    /// Reports that the search that led to a judgement failed; computes what comes nearest, or all places.
    #[must_use]
    pub fn of_search(judgement: &Judgement<'_>, failure: &Search) -> Self {
        let mut report = match failure {
            Search::Identical => Self::new(
                Code::Identical,
                "the new text is the same as the old one",
                "Make the new text differ from the old one, or leave this edit out.",
            ),
            Search::EmptyOld => {
                Self::new(Code::EmptyNeedle, "the old text is empty", "Give the text that is to be replaced.")
            }
            Search::AlreadyApplied { .. } => {
                Self::new(Code::AlreadyApplied, "the new text is already there", "Go on; there is nothing to do.")
            }
            Search::Deadline => Self::out_of_time(),
            Search::Ambiguous { strategy, .. } => Self::ambiguous(judgement, strategy),
            Search::Refused(Refusal::Conflict { conflicts }) => Self::conflict(judgement, conflicts),
            Search::Refused(refusal) => Self::refused(judgement, refusal),
            _ => Self::not_found(judgement),
        };
        report.details.tried = judgement.tried();
        // A deadline may pass after the decision, while a report is computed.
        report.details.rule = judgement.rule().filter(|_| !matches!(failure, Search::Deadline));
        report
    }

    fn ambiguous(judgement: &Judgement<'_>, strategy: &str) -> Self {
        const SHOWN: usize = 5;
        let text = judgement.document().text();
        let places = judgement.places();
        let lines: Vec<Lines> = places.spans.iter().map(|span| LineRange::of(text, *span).into()).collect();
        let shown: Vec<_> = lines.iter().take(SHOWN).map(Lines::to_string).collect();
        let more = if lines.len() > SHOWN { " and more" } else { "" };
        let nearest = nearest(judgement);
        let message = match &nearest {
            // Places that are about as near as the best one are told of, not listed.
            Some(NearestLines { lines, .. }) if places.count < 2 => {
                format!("the old text may mean several places, {lines} among them")
            }
            None if places.count < 2 => "the old text may mean several places".to_owned(),
            _ => format!("the old text may mean {} places: {}{more}", places.count, shown.join(", ")),
        };
        let or_all = if strategy == EXACT { ", or ask for all places to be replaced" } else { "" };
        // Of a place that is not listed, no one knows what is around it.
        let are_all = places.count >= 2 && places.count == places.spans.len();
        let telling = if are_all { telling_lines(judgement.document(), &places.spans) } else { Vec::new() };
        let next_step = if telling.is_empty() {
            format!("Add lines from around the place that is meant until the old text occurs only there{or_all}.")
        } else {
            let telling = telling.join(", ");
            format!("Extend the old text to a line that only the place meant has nearby: {telling}{or_all}.")
        };
        let mut report = Self::new(Code::Ambiguous, message, next_step).at(lines, places.count);
        report.details.nearest = nearest;
        report
    }

    fn conflict(judgement: &Judgement<'_>, conflicts: &[Conflict]) -> Self {
        let told = ContestedLines::of(judgement.document().text(), conflicts);
        let proposal = judgement.proposal().map(ProposedEdit::from);
        let message = contested::message(&told, conflicts.len());
        let mut report = Self::new(Code::Conflict, message, contested::next_step(&told, proposal.is_some()));
        report.details.nearest = nearest(judgement);
        (report.details.conflicts, report.details.proposal) = (told, proposal);
        report
    }

    fn refused(judgement: &Judgement<'_>, refusal: &Refusal) -> Self {
        let nearest = nearest(judgement);
        let proposal = judgement.proposal().map(ProposedEdit::from);
        let is_about_likeness = matches!(refusal, Refusal::TooDifferent | Refusal::Uncertain);
        if nearest.is_none() && proposal.is_none() && is_about_likeness {
            return Self::nothing_alike(Code::Refused, judgement);
        }
        let send = "check the proposal and send it if it is what you mean";
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
            (_, Refusal::TooCostly) => format!("{refusal}; give a more specific needle"),
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

    /// Reports that there is no place that is worth a look.
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

impl From<Proposal> for ProposedEdit {
    fn from(Proposal { old, new, .. }: Proposal) -> Self {
        Self { old_string: old, new_string: new }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        match &self.details.file_path {
            // Errors of files name their file themselves.
            Some(path) if !self.message.starts_with('`') => write!(f, "`{path}`: ")?,
            _ => {}
        }
        write!(f, "{}. {}", self.message, self.next_step)
    }
}

impl fmt::Display for Failure<OfCheckpoint> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}. {}", self.code, self.message, self.next_step)
    }
}

impl std::error::Error for Failure {}
impl std::error::Error for Failure<OfCheckpoint> {}

/// Returns the note for a caller whose needle did not match exactly, or whose new text did not land byte for byte.
#[must_use]
pub fn note(found: &Match) -> Option<String> {
    if let Some(adjustment) = found.adjustment {
        return Some(adjustment.to_string());
    }
    let strategy = found.strategy;
    (!found.is_exact()).then(|| format!("(matched via {strategy} — consider updating old_string to match exactly)"))
}

/// Returns the next step where nothing is wrong but the copy.
fn copy_from(lines: Lines) -> String {
    format!("Read {lines} of the file and copy the old text from there exactly.")
}

/// Returns the lines that a reader should look at, if any resemble the needle.
fn nearest(judgement: &Judgement<'_>) -> Option<NearestLines> {
    let nearest = judgement.nearest().filter(|nearest| nearest.similarity.get() >= LEAST_ALIKE)?;
    let region = nearest.span.text(judgement.document().text());
    Some(NearestLines {
        lines: nearest.lines.into(),
        similarity: nearest.similarity.get(),
        diff: needle_diff(judgement.edit().old, region),
    })
}
