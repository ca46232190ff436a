//! The failure of a search, from its judgement.

use fuzzy_core::{Conflict, Failure as Search, Judgement, LineRange, Refusal};

use crate::compared::{Compared, compare};
use crate::context::{distinguishing_lines, distinguishing_pieces};
use crate::failure::{Failure, NearestLines, Remedy};
use crate::named_lines::about_argument;
use crate::reason::Differing;
use crate::{Code, ContestedLines, contested, range_failure, reason};

/// The least similarity of lines that a report names. Less similar lines share only letters with the old text, and a
/// reader learns nothing from them.
const LEAST_ALIKE: f64 = 0.3;

/// The name of the strategy that finds exact occurrences.
const EXACT: &str = "exact";

impl Failure {
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
        if let Some(step) = reason::by_ends_if_elided(judgement) {
            let is_all = judgement.rule() == Some(reason::ELIDED) && report.details.proposal.is_none();
            report.next_step = if is_all { step } else { format!("{} {step}", report.next_step) };
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
        if let (Some(reason), Some(NearestLines { lines: near, .. })) = (judgement.reason(), &nearest)
            && !reason.apart.is_empty()
        {
            let next_step = format!("Copy the old text from one block alone, such as {near}.");
            let mut report = Self::new(Code::Ambiguous, reason::apart(reason.apart), next_step).at(lines, places.count);
            report.details.nearest = nearest;
            return report;
        }
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
        let pieces = if are_all { distinguishing_pieces(judgement.document(), &places.spans) } else { Vec::new() };
        let next_step = if !pieces.is_empty() {
            format!(
                "Extend the old text inside its line until only the intended place has it: {}{or_all}.",
                pieces.join(", ")
            )
        } else if distinguishing.is_empty() {
            format!("Add lines from around the intended place until the old text occurs only there{or_all}.")
        } else {
            let distinguishing = distinguishing.join(", ");
            format!("Extend the old text to a nearby line that only the intended place has: {distinguishing}{or_all}.")
        };
        let remedy = (strategy == EXACT).then_some(Remedy::AllPlaces);
        let mut report = Self::new(Code::Ambiguous, message, next_step).at(lines, places.count).with_remedy(remedy);
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
        let (nearest, differing) = compared(judgement).unzip();
        let differing = differing.unwrap_or_default();
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
            nearest.as_ref().and_then(|nearest| reason::headline(judgement, refusal, nearest.lines, &differing))
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
                format!("{refusal}: {lines}{}", differing.first)
            }
            (_, Refusal::TooCostly) => format!("{refusal}; give a more specific old text"),
            _ => refusal.to_string(),
        };
        let mut report = Self::new(Code::Refused, message, next_step);
        (report.details.nearest, report.details.proposal) = (nearest, proposal);
        report
    }

    fn not_found(judgement: &Judgement<'_>) -> Self {
        let Some((nearest, differing)) = compared(judgement) else {
            return Self::nothing_alike(Code::NotFound, judgement);
        };
        let lines = nearest.lines;
        let message = format!("the old text was not found; most like it: {lines}{}", differing.first);
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

/// Returns the next step if the old text only has to be copied exactly.
fn copy_from(lines: LineRange) -> String {
    format!("Read {lines} of the file and copy the old text from there exactly.")
}

/// Returns the lines that are most similar to the old text, and a clause about the first difference and one that the
/// diff may hide; `None` if none are similar enough.
fn compared(judgement: &Judgement<'_>) -> Option<(NearestLines, Differing)> {
    let nearest = judgement.nearest().filter(|nearest| nearest.similarity.get() >= LEAST_ALIKE)?;
    let region = nearest.span.text(judgement.document().text());
    let Compared { diff, first, is_hidden } = compare(judgement.edit().old, region);
    let first = first.map(|(at, words)| match nearest.lines {
        LineRange { first, last } if first == last => format!("; {words}"),
        LineRange { first, .. } => format!("; line {}: {words}", first + at),
    });
    let differing = Differing { first: first.unwrap_or_default(), is_hidden };
    Some((NearestLines { lines: nearest.lines, similarity: nearest.similarity.get(), diff }, differing))
}

/// Returns the lines that are most similar to the old text; `None` if none are similar enough.
fn nearest(judgement: &Judgement<'_>) -> Option<NearestLines> {
    compared(judgement).map(|(nearest, _)| nearest)
}
