//! The decider of the ladder `adaptive`.

use std::cell::OnceCell;
use std::ops::Range;

use fuzzy_core::blank::is_blank_text;
use fuzzy_core::{Adjustment, Decided, Decider, Landing, Query, Question, Restored, Strategy};
use fuzzy_locate::{Search, has_any_word, trimmed_place, variants_of};
use fuzzy_merge::LeftOut;

use crate::based;
use crate::decide::PlaceDecider;
use crate::decision::{Decision, NAME, whole_lines};
use crate::exact::{self, exact};
use crate::mechanisms::BASE;
use crate::rules::{lost_characters, torn_word};
use crate::seen;
use crate::token_equal::{self, Tokens};
use crate::trace::{AdaptiveTrace, SearchState};
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

    fn restore(&self, query: &Query<'_>, new: &str) -> Option<Restored> {
        restored(query, new)
    }

    fn reach(&self, new: &str, has_carriage_return: bool) -> Option<usize> {
        Some(exact::reach(new, has_carriage_return))
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

    fn restore(&self, query: &Query<'_>, new: &str) -> Option<Restored> {
        restored(query, new)
    }

    fn fills_empty_documents(&self) -> bool {
        Adaptive.fills_empty_documents()
    }

    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q> {
        let mut state = SearchState::default();
        let mut decision = state.decide(question, LeftOut(self.0));
        if let Some(stop) = question.query.stopped() {
            // A limit is no rule.
            (decision.found, decision.rule) = (Err(stop.into()), None);
        }
        if let (Ok(found), Some(_)) = (&mut decision.found, question.restored) {
            found.adjustment = found.adjustment.or(Some(Adjustment::CodePage));
        }
        let splices = decision.splices.take();
        let result = decision.found.clone().map(|found| Landing { found, splices });
        let trace = AdaptiveTrace { strategies, state, decision, resembling: OnceCell::new() };
        Decided { result, trace: Box::new(trace) }
    }
}

impl<'q> SearchState<'q> {
    fn decide(&mut self, question: &Question<'q>, left_out: LeftOut) -> Decision {
        if let Some(word) = question.restored.and_then(|restored| restored.lost.as_deref()) {
            return Decision::uncertain(&lost_characters::RULE).about("", word);
        }
        let found = exact(question, left_out);
        let is_open = found.as_ref().is_none_or(Decision::is_ambiguous);
        let based = || left_out.found(&BASE, || based::decide(question, left_out));
        let elsewhere = || left_out.found(&BASE, || based::decide_exact(question, left_out));
        let known = if is_open { based() } else { elsewhere() }.or(found);
        if let Some(known) = known {
            return known;
        }
        let searched = self.decide_by_search(question, left_out);
        let located = self.located.get().and_then(Option::as_ref);
        let seen = || seen::decide(question, located?, &searched, left_out);
        left_out.found(&BASE, seen).unwrap_or_else(|| with_torn_word(&question.query, searched))
    }

    /// Decides about a needle that does not occur exactly, or only inside words.
    fn decide_by_search(&mut self, question: &Question<'q>, left_out: LeftOut) -> Decision {
        let Question { query, new, replace_all, .. } = question;
        let needle = query.old();
        if is_blank_text(needle) {
            return Decision::not_found();
        }
        if !replace_all && let Some(place) = trimmed_place(query) {
            let Some(new) = new else {
                let end = place.end - usize::from(query.text()[place.clone()].ends_with('\r'));
                return Decision::found(query.text(), NAME, place.start..end, 1.0);
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
            if repaired.found.is_ok() {
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
fn restored(query: &Query<'_>, new: &str) -> Option<Restored> {
    let odd = fuzzy_code_pages::Odd::of(query.text(), query.old(), new, || query.first_exact().is_some())?;
    let fuzzy_code_pages::Restored { old, new, lost } = odd.restored(query.whole_text())?;
    Some(Restored { old, new, lost })
}

/// Without the tables of code pages, no text is restored.
#[cfg(not(feature = "code-pages"))]
const fn restored(_: &Query<'_>, _: &str) -> Option<Restored> {
    None
}

/// Returns the decision about a needle that occurs only inside words: a refusal names this rule.
fn with_torn_word(query: &Query<'_>, decision: Decision) -> Decision {
    let is_refused = decision.rule.is_some() && !decision.is_conflict();
    let Some(start) = query.first_exact().filter(|_| is_refused) else { return decision };
    let lines = whole_lines(query.text(), start..start + query.old().len());
    Decision::uncertain(&torn_word::RULE).at(&lines, 1.0).about(&query.text()[lines], query.old())
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
