//! The failure of a search, from its judgement.

use fuzzy_core::{Conflict, Failure as Search, Judgement, LineRange, Refusal};

use crate::compared::{Compared, compare};
use crate::context::{distinguishing_lines, distinguishing_pieces};
use crate::failure::{Failure, NearestLines, Remedy};
use crate::named_lines::searched;
use crate::reason::Differing;
use crate::words::Words;
use crate::{Code, ContestedLines, contested, reason};

/// The least similarity of lines that a report names. Less similar lines share only letters with the old text, and a
/// reader learns nothing from them: the old text of an edit of another file reaches 0.3 in 21 % of the cases, and 0.4 in
/// 5 %.
const LEAST_ALIKE: f64 = 0.4;

/// The name of the strategy that finds exact occurrences.
const EXACT: &str = "exact";

impl Failure {
    /// Makes the failure of a search from its judgement; computes the nearest lines or all places.
    #[must_use]
    pub fn of_search(judgement: &Judgement<'_>, failure: &Search) -> Self {
        Self::of_search_in(judgement, failure, &|lines| format!("{lines} of the file"))
    }

    /// Makes the failure as [`of_search`](Self::of_search) does; `place` names lines of the searched text, which may not be
    /// the whole file.
    #[must_use]
    pub fn of_search_in(judgement: &Judgement<'_>, failure: &Search, place: &dyn Fn(LineRange) -> String) -> Self {
        let quote = searched(&judgement.edit());
        let (code, old) = (Code::from(failure), quote.unwrap_or("the old text"));
        let words = Words { judgement, code, place, old, is_quote: quote.is_some() };
        let mut report = match failure {
            Search::Identical => {
                words.failure(failure.to_string(), "Make the new text differ from the old one, or leave this edit out.")
            }
            Search::EmptyOld => words.failure(failure.to_string(), "Give the text to replace."),
            Search::AlreadyApplied { .. } => words.failure(failure.to_string(), "Go on; there is nothing to do."),
            Search::Deadline => Self::out_of_time(),
            Search::Ambiguous { strategy, .. } => words.ambiguous(strategy),
            Search::Refused(Refusal::Conflict { conflicts }) => words.conflict(conflicts),
            Search::Refused(refusal) => words.refused(refusal),
            Search::Range(refusal) => words.range(refusal),
            Search::NotFound => words.not_found(),
        };
        if let Some(step) = reason::by_ends_if_elided(judgement) {
            let is_all = judgement.rule() == Some(reason::ELIDED) && report.details.proposal.is_none();
            report.next_step = if is_all { step } else { format!("{} {step}", report.next_step) };
        }
        report.details.tried = judgement.tried();
        // The deadline may pass after the decision, during this report.
        report.details.rule = judgement.rule().filter(|_| !matches!(failure, Search::Deadline));
        report
    }
}

impl Words<'_, '_> {
    fn ambiguous(&self, strategy: &str) -> Failure {
        const LISTED: usize = 5;
        let Self { judgement, old, .. } = self;
        let text = judgement.document().text();
        let places = judgement.places();
        let lines: Vec<LineRange> = places.spans.iter().map(|span| LineRange::of(text, *span)).collect();
        let listed: Vec<_> = lines.iter().take(LISTED).map(LineRange::to_string).collect();
        let more = if lines.len() > LISTED { " and more" } else { "" };
        let nearest = self.nearest();
        if let (Some(reason), Some(NearestLines { lines: near, .. })) = (judgement.reason(), &nearest)
            && !reason.apart.is_empty()
        {
            let next_step = format!("Copy {old} from one block alone, such as {near}.");
            let mut report = self.failure(reason::apart(old, reason.apart), next_step).at(lines, places.count);
            report.details.nearest = nearest;
            return report;
        }
        let message = match &nearest {
            // Rival places that are only similar to the best one are not listed.
            Some(NearestLines { lines, .. }) if places.count < 2 => {
                format!("{old} may match several places, {lines} among them")
            }
            None if places.count < 2 => format!("{old} may match several places"),
            _ => format!("{old} matches {} places: {}{more}", places.count, listed.join(", ")),
        };
        let (or_all, remedy) = match strategy {
            EXACT if self.is_quote => (", or give `line`", None),
            EXACT => (", or replace all places", Some(Remedy::AllPlaces)),
            _ => ("", None),
        };
        // The context of a place that is not listed is unknown.
        let are_all = places.count >= 2 && places.count == places.spans.len();
        let distinguishing =
            if are_all { distinguishing_lines(judgement.document(), &places.spans) } else { Vec::new() };
        let pieces = if are_all { distinguishing_pieces(judgement.document(), &places.spans) } else { Vec::new() };
        let next_step = if !pieces.is_empty() {
            format!("Extend {old} inside its line until only the intended place has it: {}{or_all}.", pieces.join(", "))
        } else if distinguishing.is_empty() {
            format!("Add lines from around the intended place until {old} occurs only there{or_all}.")
        } else {
            let distinguishing = distinguishing.join(", ");
            format!("Extend {old} to a nearby line that only the intended place has: {distinguishing}{or_all}.")
        };
        let mut report = self.failure(message, next_step).at(lines, places.count).with_remedy(remedy);
        report.details.nearest = nearest;
        report
    }

    fn conflict(&self, conflicts: &[Conflict]) -> Failure {
        let judgement = self.judgement;
        let conflict_lines = ContestedLines::of(judgement.document().text(), conflicts);
        let proposal = judgement.proposal();
        let message = contested::message(&conflict_lines, conflicts.len());
        let mut report = self.failure(message, contested::next_step(&conflict_lines, proposal.is_some()));
        report.details.nearest = self.nearest();
        (report.details.conflicts, report.details.proposal) = (conflict_lines, proposal);
        report
    }

    fn refused(&self, refusal: &Refusal) -> Failure {
        let judgement = self.judgement;
        let (nearest, differing) = self.compared().unzip();
        let differing = differing.unwrap_or_default();
        let proposal = judgement.proposal();
        let is_about_likeness = matches!(refusal, Refusal::TooDifferent | Refusal::Uncertain);
        if nearest.is_none() && proposal.is_none() && is_about_likeness {
            return self.nothing_alike();
        }
        let send = "check the proposal and send it if it is the intended edit";
        let next_step = match (refusal, nearest.as_ref().map(|nearest| nearest.lines)) {
            (Refusal::ManyMoreLines { .. } | Refusal::MuchLonger { .. }, _) => {
                "Give every line of the text to replace, not only its first and last ones.".to_owned()
            }
            (Refusal::TooCostly, _) | (_, None) => "Give a shorter or more specific old text.".to_owned(),
            (Refusal::TooDifferent, Some(lines)) if proposal.is_some() => {
                format!("Read {}, then {send}.", (self.place)(lines))
            }
            (_, Some(_)) if proposal.is_some() => format!("C{}.", &send[1..]),
            (_, Some(lines)) => self.copy_from(lines),
        };
        if let Some((message, step)) =
            nearest.as_ref().and_then(|nearest| self.headline(refusal, nearest.lines, &differing))
        {
            let next_step = step.filter(|_| proposal.is_none()).unwrap_or(next_step);
            let mut report = self.failure(message, next_step);
            (report.details.nearest, report.details.proposal) = (nearest, proposal);
            return report;
        }
        let message = match (&nearest, refusal) {
            (
                Some(NearestLines { lines, .. }),
                Refusal::TooDifferent | Refusal::Uncertain | Refusal::LowConfidence { .. },
            ) => {
                format!("{}: {lines}{}", self.of_constant(&refusal.to_string()), differing.first)
            }
            (_, Refusal::TooCostly) => format!("{refusal}; give a more specific old text"),
            _ => self.of_constant(&refusal.to_string()),
        };
        let mut report = self.failure(message, next_step);
        (report.details.nearest, report.details.proposal) = (nearest, proposal);
        report
    }

    fn not_found(&self) -> Failure {
        let old = self.old;
        let Some((nearest, differing)) = self.compared() else {
            return self.nothing_alike();
        };
        let lines = nearest.lines;
        let message = format!("{old} was not found; most like it: {lines}{}", differing.first);
        let mut report = self.failure(message, self.copy_from(lines));
        report.details.nearest = Some(nearest);
        report
    }

    /// Makes the failure of a search that found no similar place.
    fn nothing_alike(&self) -> Failure {
        let Self { judgement, old, .. } = self;
        let next_step = format!("Check that this is the right file, then read it and copy {old} from it.");
        let message = match judgement.document().text().lines().count() {
            _ if judgement.is_out_of_time() => {
                format!("{old} was not found; the time limit left no time to look for lines that resemble it")
            }
            0 => format!("{old} was not found; the file is empty"),
            1 => format!("{old} was not found; the only line of the file does not resemble it"),
            count => format!("{old} was not found; no place in the {count} lines of the file resembles it"),
        };
        self.failure(message, next_step)
    }

    /// Returns the next step if the old text only has to be copied exactly.
    fn copy_from(&self, lines: LineRange) -> String {
        format!("Read {} and copy {} from there exactly.", (self.place)(lines), self.old)
    }

    /// Returns the lines that are most similar to the old text, and a clause about the first difference and one that the
    /// diff may hide; `None` if none are similar enough.
    fn compared(&self) -> Option<(NearestLines, Differing)> {
        let judgement = self.judgement;
        let nearest = judgement.nearest().filter(|nearest| nearest.similarity.get() >= LEAST_ALIKE)?;
        let region = nearest.span.text(judgement.document().text());
        let Compared { diff, first, is_hidden } = compare(self.old, judgement.edit().old, region);
        let first = first.map(|(at, words)| match nearest.lines {
            LineRange { first, last } if first == last => format!("; {words}"),
            LineRange { first, .. } => format!("; line {}: {words}", first + at),
        });
        let differing = Differing { first: first.unwrap_or_default(), is_hidden };
        Some((NearestLines { lines: nearest.lines, similarity: nearest.similarity.get(), diff }, differing))
    }

    /// Returns the lines that are most similar to the old text; `None` if none are similar enough.
    fn nearest(&self) -> Option<NearestLines> {
        self.compared().map(|(nearest, _)| nearest)
    }
}
