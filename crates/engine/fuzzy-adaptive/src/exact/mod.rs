//! Decides about a needle that occurs exactly: its only place gets the new text, byte for byte.
//!
//! Several places are ambiguous, unless the caller's line picks one. Two things come before the paste: the new text may
//! already be there ([`already_applied`]), and a line of which the needle has only a part must not be torn apart
//! ([`torn_line`]). A place that tears a word is none ([`tears`]). Four things may change the pasted text: line endings
//! ([`line_endings`]), the rest of the line ([`rest_of_line`]), a lost line break and missing indentation
//! ([`indentation`]). The match then names its [`Adjustment`](fuzzy_core::Adjustment).
//!
//! The decision about a paste that lands is local ([`reach`]): rules get the lines around the place, and no more text.
//! A rule that needs the file asks for [`Query::whole_text`]. Two may read it without: a rule that only refuses, and
//! finds in the file reasons not to, and the search for the line ending, which reads no further than its own reach.

mod indentation;
mod line_endings;

use std::ops::Range;

use fuzzy_core::blank::is_blank_text;
use fuzzy_core::report::Places;
use fuzzy_core::{Adjustment, Failure, Query, Question, Span, Splice, line_end, line_start};
use fuzzy_locate::tears;
use fuzzy_merge::{LeftOut, NEARBY_BYTES};

use crate::already_applied::{self, Applied};
use crate::decision::{Decision, EXACT, Pasted, whole_lines};
use crate::mechanisms::{LAST_BREAK, LOST_INDENTATION, REST_OF_LINE};
use crate::rest_of_line;
use crate::rules::{commented_out, placeholder, several_places, torn_line};
use crate::score::Model;
use crate::trimmed;

/// Decides about a needle that occurs exactly.
pub(crate) fn exact(question: &Question<'_>, left_out: LeftOut) -> Option<Decision> {
    let Question { query, new, replace_all, .. } = question;
    if *replace_all {
        return everywhere(query, new.unwrap_or_default());
    }
    // A place that tears a word apart is no find.
    let whole = |form: &str| line_endings::places(query, form).find(|place| !tears(query, &place.range())).is_some();
    let form = line_endings::forms(query).find(|form| whole(form))?;
    let places = || line_endings::places(query, &form).filter(|place| !tears(query, &place.range()));
    let mut all = places();
    let (first, second) = (all.next()?, all.next());
    // A part of a line is no more certain than a part of a word.
    let second = second.or_else(|| torn_beside(query, &form, first));
    let chosen = second.and_then(|_| question.nearest_to_line(places()));
    if second.is_some() && chosen.is_none() {
        let failure = Failure::Ambiguous { strategy: EXACT, span: first };
        return Some(Decision { places: Places::of(places()), ..Decision::refused(&several_places::RULE, failure) });
    }
    let place = chosen.unwrap_or(first);
    let haystack = query.text();
    Some(match new {
        Some(new) => at_place(query, &Near::of(haystack, place, new), new, left_out),
        None => Decision::found(haystack, EXACT, place.range(), 1.0),
    })
}

/// Returns a place that tears a word, if the only one that tears none is a part of a line.
fn torn_beside(query: &Query<'_>, form: &str, only: Span) -> Option<Span> {
    let haystack = query.text();
    let rest = &haystack[only.end()..line_end(haystack, only.end())];
    if is_blank_text(rest) || form.ends_with('\n') {
        return None;
    }
    line_endings::places(query, form).find(|place| *place != only)
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
    let steps = STEPS_PER_PLACE + query.old().len() + replacement.len();
    let spans = spans.into_iter().take_while(|_| query.spend(steps).is_continue());
    let pasted: Vec<_> = spans.map(|span| line_endings::pasted(query, span.range(), replacement)).collect();
    match pasted.is_empty() {
        true => None,
        false if placeholder::check(query, replacement) => Some(Decision::uncertain(&placeholder::RULE)),
        false => Some(self::pasted(query, pasted)),
    }
}

/// Makes the landing of new texts at the exact places of the needle.
pub(crate) fn pasted(query: &Query<'_>, all: Vec<Pasted>) -> Decision {
    let adjustment = all.iter().find_map(|pasted| pasted.adjustment);
    let is_certain = adjustment != Some(Adjustment::Indentation);
    let confidence = if is_certain { 1.0 } else { Model::FITTED.text_accuracy(&[LOST_INDENTATION.name]) };
    let splices = all.into_iter().map(|pasted| pasted.splice).collect();
    let landing = Decision::lands(query.text(), EXACT, splices, [1.0, confidence]);
    Decision { found: landing.found.map(|found| found.with_adjustment(adjustment)), ..landing }
}

/// The work at a place of `replace_all` beside that for the bytes of the edit, in steps of the query.
const STEPS_PER_PLACE: usize = 64;

/// Returns how far from a place the decision about its paste reads; `has_carriage_return` is as for
/// [`Ladder::reach`](fuzzy_core::Ladder::reach).
pub(crate) fn reach(replacement: &str, has_carriage_return: bool) -> usize {
    // Without a `\r`, the line ending is the same however many lines are counted.
    let endings = if has_carriage_return { NEARBY_BYTES } else { 0 };
    endings.max(2 * replacement.len()) + AROUND
}

/// The bytes on either side of a place, beside those of the new text, whose lines the rules read.
const AROUND: usize = 64;

/// A place and the lines around it: all that most rules read of the file.
struct Near<'h> {
    lines: &'h str,
    /// Where they begin in the file.
    start: usize,
    /// The place in these lines.
    at: Range<usize>,
}

impl<'h> Near<'h> {
    /// Cuts out as many lines as the new text may have, which line endings make at most twice as long.
    fn of(haystack: &'h str, place: Span, replacement: &str) -> Self {
        let reach = reach(replacement, false);
        let start = line_start(haystack, place.start().saturating_sub(reach));
        let end = line_end(haystack, (place.end() + reach).min(haystack.len()));
        let lines = &haystack[start..haystack.len().min(end + 1)];
        Self { lines, start, at: place.start() - start..place.end() - start }
    }

    /// Returns the same range in the file.
    fn in_file(&self, range: &Range<usize>) -> Range<usize> {
        range.start + self.start..range.end + self.start
    }
}

/// Decides about an edit of one place.
fn at_place<'t>(query: &Query<'t>, near: &Near<'_>, replacement: &'t str, left_out: LeftOut) -> Decision {
    let Near { lines, at: old, .. } = near;
    let at = near.in_file(old);
    let mut pasted = line_endings::pasted(query, at.clone(), replacement);
    if let Some(span) = already_applied::around(lines, old, &pasted.splice.text) {
        return Decision::already_applied(&near.in_file(&span));
    }
    let written_once = || rest_of_line::written_once(lines, old, &pasted.splice.text);
    let once = left_out.found(&REST_OF_LINE, written_once);
    let is_once = once.is_some();
    if let Some(text) = once {
        pasted = Pasted { splice: Splice { text, ..pasted.splice }, adjustment: Some(Adjustment::RestOfLine) };
    } else if left_out.uses(&LAST_BREAK) && lacks_break(&lines[old.clone()], &pasted.splice.text) {
        pasted.splice.text.push_str(if lines[old.clone()].ends_with("\r\n") { "\r\n" } else { "\n" });
        pasted.adjustment = Some(Adjustment::LineBreak);
    }
    let new = &pasted.splice.text;
    let placeholder = placeholder::check(query, new).then_some(&placeholder::RULE);
    let is_comment =
        commented_out::is_behind_mark(lines, old, new) && !commented_out::is_prose(query.whole_text(), at.start);
    let comment = left_out.keep(&commented_out::RULE).filter(|_| is_comment);
    let torn_line = || (!is_once && torn_line::check(lines, old, new)).then(|| left_out.keep(&torn_line::RULE))?;
    if let Some(rule) = placeholder.or(comment).or_else(torn_line) {
        let place = whole_lines(query.text(), at);
        let lines = &query.text()[place.clone()];
        let refused = Decision::uncertain(rule).at(&place, 1.0);
        let is_part = rule != &placeholder::RULE;
        return if is_part { refused.about(lines, query.old()) } else { refused };
    }
    let completed = || indentation::completed(query, &at, new);
    let Some(indented) = left_out.found(&LOST_INDENTATION, completed) else {
        return self::pasted(query, vec![pasted]);
    };
    // The search reads more lines than the reach of a paste.
    let _ = query.whole_text();
    let lines = whole_lines(query.text(), at);
    let (search, located) = trimmed::search(query, replacement, lines, left_out);
    let texts = [query.old(), replacement];
    let applied = already_applied::at_place(&search, &search.needle(0), &located.best, texts);
    match applied.filter(|applied| applied.has_blanks) {
        Some(Applied { span, .. }) => Decision::already_applied(&span),
        None => self::pasted(query, vec![indented]),
    }
}

/// Returns whether an old text ends with a line break that its new text lacks, although it is not blank: it would join
/// its last line with the next one.
fn lacks_break(old: &str, new: &str) -> bool {
    old.ends_with('\n') && !new.ends_with('\n') && !is_blank_text(new)
}
