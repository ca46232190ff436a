//! Decides about a needle that occurs exactly: its only place gets the new text, byte for byte.
//!
//! Several places are ambiguous, unless the caller's line picks one. Two things come before the paste: the new text may
//! already be there ([`already_applied`]), and a word or line of which the needle has only a part must not be torn apart
//! ([`partial`], [`torn_line`]). Two things may change the pasted text: line endings ([`line_endings`]) and missing
//! indentation ([`indentation`]). The match then names its [`Adjustment`](fuzzy_core::Adjustment).

mod already_applied;
mod indentation;
mod line_endings;
mod partial;

use std::ops::Range;

use fuzzy_core::report::Places;
use fuzzy_core::{Failure, Query, Question, Refusal, Span};

use crate::decision::{Decision, EXACT, whole_lines};
use crate::rules::{LeftOut, placeholder, several_places, torn_line};

/// Decides about a needle that occurs exactly, and lists its places if there are several.
pub(crate) fn exact(question: &Question<'_>, left_out: LeftOut) -> Option<(Decision, Places)> {
    let Question { query, new, replace_all, .. } = question;
    if *replace_all {
        return Some((everywhere(query, new.unwrap_or_default())?, Places::default()));
    }
    let form = line_endings::forms(query).find(|form| line_endings::places(query, form).next().is_some())?;
    let places = || line_endings::places(query, &form);
    let mut all = places();
    let (first, second) = (all.next()?, all.next());
    let chosen = second.and_then(|_| question.nearest_to_line(places()));
    if second.is_some() && chosen.is_none() {
        let failure = Failure::Ambiguous { strategy: EXACT, span: first };
        return Some((Decision::refused(&several_places::RULE, failure, None), Places::of(places())));
    }
    let place = chosen.unwrap_or(first);
    let haystack = query.haystack();
    let decision = match new {
        // The search may find the whole word or line.
        Some(new) if partial::check(haystack, &place.range(), new) => return None,
        Some(new) => at_place(query, place.range(), new, left_out),
        None => Decision::Found { strategy: EXACT, at: place.range(), similarity: 1.0, confidence: 1.0 },
    };
    Some((decision, Places::default()))
}

/// Replaces the needle everywhere, under both line endings.
fn everywhere(query: &Query<'_>, replacement: &str) -> Option<Decision> {
    let forms: Vec<_> = line_endings::forms(query).collect();
    let mut spans: Vec<Span> = forms.iter().flat_map(|form| line_endings::places(query, form)).collect();
    spans.sort_unstable_by_key(|span| span.start());
    let mut end = 0;
    spans.retain(|span| {
        let is_separate = span.start() >= end;
        end = if is_separate { span.end() } else { end };
        is_separate
    });
    let steps = STEPS_PER_PLACE + query.needle().len() + replacement.len();
    let spans = spans.into_iter().take_while(|_| query.spend(steps).is_continue());
    let pasted: Vec<_> = spans.map(|span| line_endings::pasted(query, span.range(), replacement)).collect();
    match pasted.is_empty() {
        true => None,
        false if placeholder::check(query, replacement) => Some(Decision::uncertain(&placeholder::RULE)),
        false => Some(Decision::exact(pasted)),
    }
}

/// The work at a place of `replace_all` beside that for the bytes of the edit, in steps of the query.
const STEPS_PER_PLACE: usize = 64;

/// Decides about an edit of one place.
fn at_place(query: &Query<'_>, at: Range<usize>, replacement: &str, left_out: LeftOut) -> Decision {
    let haystack = query.haystack();
    let pasted = line_endings::pasted(query, at.clone(), replacement);
    let new = &pasted.splice.text;
    let applied = already_applied::find(haystack, &at, new);
    if let Some(span) = applied.or_else(|| already_applied::find_last_item(haystack, &at, new)) {
        return Decision::AlreadyApplied { span };
    }
    let placeholder = placeholder::check(query, new).then_some(&placeholder::RULE);
    let torn_line = || torn_line::check(haystack, &at, new).then(|| left_out.keep(&torn_line::RULE))?;
    if let Some(rule) = placeholder.or_else(torn_line) {
        return Decision::refused(rule, Failure::Refused(Refusal::Uncertain), Some((whole_lines(haystack, at), 1.0)));
    }
    let Some(indented) = indentation::completed(haystack, &at, new) else { return Decision::exact(vec![pasted]) };
    let applied = already_applied::find(haystack, &at, &indented.splice.text);
    match applied.or_else(|| already_applied::find_indented(haystack, &at, new)) {
        Some(span) => Decision::AlreadyApplied { span },
        None => Decision::exact(vec![indented]),
    }
}
