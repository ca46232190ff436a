//! The decider of the ladder `adaptive`.

use std::cell::OnceCell;
use std::ops::Range;

use fuzzy_core::blank::is_blank_text;
use fuzzy_core::{
    Adjustment, Decided, Decider, Failure, Landing, Match, Query, Question, Refusal, Restored, Similarity, Span,
    Splice, Strategy,
};
use fuzzy_locate::{Search, has_any_word, trimmed_place, variants_of};
use fuzzy_merge::{LeftOut, narrowed};

use crate::based;
use crate::decide::PlaceDecider;
use crate::decision::{Decision, NAME, candidate, whole_lines};
use crate::exact::{self, exact};
use crate::mechanisms::BASE;
use crate::rules::{lost_characters, torn_word};
use crate::token_equal::{self, Tokens};
use crate::trace::{AdaptiveTrace, Outcome, SearchState};
use crate::trimmed;

/// Accepts the place with the best alignment of the needle's lines if it is good enough and clearly ahead, and merges
/// the new text with it.
///
/// # Complexity
///
/// A few substring passes over the haystack for an exact needle, for one that differs only in the blanks around its
/// lines, and for one without a word of the haystack. Otherwise one pass to index the lines, and alignments of the
/// needle with a few windows of its size.
#[derive(Debug)]
pub struct Adaptive;

impl Decider for Adaptive {
    fn name(&self) -> &'static str {
        "confident"
    }

    fn fits_line_endings(&self) -> bool {
        true
    }

    fn fills_empty_documents(&self) -> bool {
        true
    }

    fn restore(&self, file: &str, old: &str, new: &str) -> Option<Restored> {
        restored(file, old, new)
    }

    fn reach(&self, new: &str, has_carriage_return: bool) -> Option<usize> {
        // Characters outside ASCII are compared with the words of the whole file.
        let is_local = new.is_ascii() || cfg!(not(feature = "code-pages"));
        is_local.then(|| exact::reach(new, has_carriage_return))
    }

    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q> {
        Without(&[]).decide(strategies, question)
    }
}

/// Decides as [`Adaptive`], without some rules or mechanisms: a measurement of what each of them does. Never edit files
/// with it.
#[derive(Debug)]
pub struct Without(pub &'static [&'static str]);

impl Decider for Without {
    fn name(&self) -> &'static str {
        Adaptive.name()
    }

    fn fits_line_endings(&self) -> bool {
        Adaptive.fits_line_endings()
    }

    fn restore(&self, file: &str, old: &str, new: &str) -> Option<Restored> {
        restored(file, old, new)
    }

    fn fills_empty_documents(&self) -> bool {
        Adaptive.fills_empty_documents()
    }

    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q> {
        let mut state = SearchState::default();
        let decision = state.decide(question, LeftOut(self.0));
        let (mut result, mut outcome) = convert(question, decision);
        if let Some(stop) = question.query.stopped() {
            result = Err(stop.into());
            // A limit is no rule.
            outcome.rule = None;
        }
        let found = result.as_ref().map(|landing| landing.found).map_err(Failure::clone);
        let trace = AdaptiveTrace { strategies, found, state, outcome, resembling: OnceCell::new() };
        Decided { result, trace: Box::new(trace) }
    }
}

impl<'q> SearchState<'q> {
    fn decide(&mut self, question: &Question<'q>, left_out: LeftOut) -> Decision {
        let Question { query, new, replace_all, .. } = question;
        if let Some(word) = question.restored.and_then(|restored| restored.lost.as_deref()) {
            return Decision::uncertain(&lost_characters::RULE).about("", word);
        }
        let found = exact(question, left_out);
        let is_open = found.as_ref().is_none_or(|(decision, _)| decision.is_ambiguous());
        if let (Some(base), Some(new), false, true) = (question.base, new, replace_all, is_open)
            && let Some(decision) = left_out.found(&BASE, || based::decide(query, base, new, left_out))
        {
            return decision;
        }
        if let Some((decision, places)) = found {
            self.exact = places;
            return decision;
        }
        with_torn_word(query, self.decide_by_search(question, left_out))
    }

    /// Decides about a needle that does not occur exactly, or only inside words.
    fn decide_by_search(&mut self, question: &Question<'q>, left_out: LeftOut) -> Decision {
        let Question { query, new, replace_all, .. } = question;
        let needle = query.needle();
        if is_blank_text(needle) {
            return Decision::not_found();
        }
        if !replace_all && let Some(place) = trimmed_place(query) {
            let Some(new) = new else {
                let end = place.end - usize::from(query.haystack()[place.clone()].ends_with('\r'));
                return Decision::Found { strategy: NAME, at: place.start..end, similarity: 1.0, confidence: 1.0 };
            };
            return decide_at(query, new, place, left_out);
        }
        let tokens = if *replace_all { None } else { token_equal::find(question, left_out) };
        if let Some(decision) = tokens.as_ref().and_then(|tokens| tokens.decided(question)) {
            return decision;
        }
        // With `replace_all` and no new text, the places are those of a deletion.
        let written = new.unwrap_or(if *replace_all { "" } else { needle });
        let (variants, found) = match tokens {
            Some(Tokens { variant, lines, pairs, .. }) => (vec![variant], Some((lines, pairs))),
            None => (variants_of(needle, written, left_out), None),
        };
        if found.is_none() && !has_any_word(query, &variants, written) {
            return Decision::not_found();
        }
        let search = self.search.insert(Search::new(query, variants, left_out));
        if query.stopped().is_some() {
            return Decision::not_found();
        }
        if let Some((lines, pairs)) = found {
            self.located = OnceCell::from(Some(trimmed::located(&search.index, lines.start, pairs)));
        }
        let decider = PlaceDecider { query, search, is_chosen: false, left_out };
        if *replace_all {
            return decider.replace_all();
        }
        let Some(located) = self.located.get_or_init(|| search.locate(query)) else {
            return Decision::not_found();
        };
        let chosen = self.chosen.get_or_init(|| decider.choose_by_line(located, question)).as_ref();
        let is_chosen = chosen.is_some();
        let located = chosen.unwrap_or(located);
        if new.is_none() {
            let decider = PlaceDecider { query, search, is_chosen, left_out };
            return decider.decide_without_replacement(located);
        }
        if let Some(located) = search.as_in_file(query, located) {
            let decision = PlaceDecider { query, search, is_chosen, left_out }.decide(&located);
            self.located = OnceCell::from(Some(located));
            return decision;
        }
        let decider = PlaceDecider { query, search, is_chosen, left_out };
        let decision = decider.decide(located);
        let Some(repaired) = search.repaired(query, located) else { return decision };
        search.add(repaired);
        let again = search.locate(query).filter(|located| located.variant + 1 == search.variants.len());
        if let Some(located) = again {
            let repaired = PlaceDecider { query, search, is_chosen: false, left_out }.decide(&located);
            if matches!(repaired, Decision::Lands { .. }) {
                self.located = OnceCell::from(Some(located));
                return repaired;
            }
        }
        search.variants.pop();
        decision
    }
}

/// Restores texts that a terminal showed in a wrong code page.
#[cfg(feature = "code-pages")]
fn restored(file: &str, old: &str, new: &str) -> Option<Restored> {
    let fuzzy_code_pages::Restored { old, new, lost } = fuzzy_code_pages::restore(file, old, new)?;
    Some(Restored { old, new, lost })
}

/// Without the tables of code pages, no text is restored.
#[cfg(not(feature = "code-pages"))]
const fn restored(_: &str, _: &str, _: &str) -> Option<Restored> {
    None
}

/// Returns the decision about a needle that occurs only inside words: a refusal names this rule.
fn with_torn_word(query: &Query<'_>, decision: Decision) -> Decision {
    match (&decision, query.first_exact()) {
        (Decision::Refused { conflict: None, .. }, Some(start)) => {
            let lines = whole_lines(query.haystack(), start..start + query.needle().len());
            let line = &query.haystack()[lines.clone()];
            Decision::refused(&torn_word::RULE, Failure::Refused(Refusal::Uncertain), Some((lines, 1.0)))
                .about(line, query.needle())
        }
        _ => decision,
    }
}

/// Decides about the lines at `place`, which the index of the whole file need not show.
fn decide_at<'q>(query: &Query<'q>, new: &'q str, place: Range<usize>, left_out: LeftOut) -> Decision {
    let (search, located) = trimmed::search(query, new, place, left_out);
    // If the index was cut short, the place may lie beyond it.
    if query.stopped().is_some() {
        return Decision::not_found();
    }
    PlaceDecider { query, search: &search, is_chosen: false, left_out }.decide(&located)
}

/// Converts a decision to the engine's types, and to the data of reports.
fn convert(question: &Question<'_>, decision: Decision) -> (Result<Landing, Failure>, Outcome) {
    let haystack = question.query.haystack();
    let as_lines = |at, alike| candidate(&whole_lines(haystack, at), alike);
    match decision {
        Decision::Lands { splices, strategy, adjustment, similarity, confidence, score } => {
            let first = splices.first().cloned();
            let splices = without_blank_lines(haystack, splices);
            let at = splices.first().map_or(0..0, |splice| splice.span.range());
            let adjustment = adjustment.or(question.restored.map(|_| Adjustment::CodePage));
            let found = found(strategy, &at, similarity, confidence).with_adjustment(adjustment);
            let landing = Landing { found, splices: Some(splices) };
            let outcome = Outcome {
                best_place: first.as_ref().map(|splice| as_lines(splice.span.range(), similarity)),
                proposal: landing.splices.clone().filter(|splices| splices.len() == 1).and_then(|mut all| all.pop()),
                score: first.zip(score),
                ..Outcome::default()
            };
            (Ok(landing), outcome)
        }
        Decision::Found { strategy, at, similarity, confidence } => {
            let landing = Landing { found: found(strategy, &at, similarity, confidence), splices: None };
            (Ok(landing), Outcome { best_place: Some(as_lines(at, similarity)), ..Outcome::default() })
        }
        Decision::AlreadyApplied { span } => {
            (Err(Failure::AlreadyApplied { span: Span::new(span.start, span.end) }), Outcome::default())
        }
        Decision::Refused { rule, mut failure, best_place, other_place, apart, finding, score, conflict } => {
            let report = conflict.map(|conflict| conflict.report(haystack)).unwrap_or_default();
            if let Failure::Refused(Refusal::Conflict { conflicts }) = &mut failure {
                *conflicts = report.conflicts;
            }
            let proposal = score.clone().filter(|(_, score)| score.is_worth_proposing()).map(|(splice, _)| splice);
            let proposal = proposal.or(report.proposal);
            let best_place = best_place.map(|(at, alike)| candidate(&at, alike));
            let other_place = other_place.map(|at| Span::new(at.start, at.end));
            (Err(failure), Outcome { best_place, other_place, apart, finding, proposal, score, rule: Some(rule) })
        }
    }
}

/// Leaves the unchanged blank lines around splices out.
fn without_blank_lines(haystack: &str, splices: Vec<Splice>) -> Vec<Splice> {
    let narrow = |Splice { span, text }| {
        let (span, text) = narrowed(haystack, span.range(), text);
        Splice { span: Span::new(span.start, span.end), text }
    };
    splices.into_iter().map(narrow).collect()
}

/// Makes a match of the engine; a confidence is rounded down, so that it never promises more than was measured.
fn found(strategy: &'static str, at: &Range<usize>, alike: f32, confidence: f32) -> Match {
    let confidence = Similarity::new((f64::from(confidence) * 1000.0).floor() / 1000.0);
    Match::new(strategy, candidate(at, alike)).with_confidence(confidence)
}
