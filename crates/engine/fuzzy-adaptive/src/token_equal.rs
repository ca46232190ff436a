//! Decides about a needle whose tokens the file has, in their order, in one place.
//!
//! The place may be a piece of a line, or the same statement with other line breaks. The rest of its first and its last
//! line is added to both texts, so that the merge keeps it.
//!
//! Example: file `if (a) { x = f(1) }`, needle `<tab>x = f( 1 )<line break>`, replacement `<tab>x = f(2)<line break>`.

use std::borrow::Cow;
use std::ops::Range;

use fuzzy_core::blank::{is_blank_text, leading, trim, trim_end, trim_start};
use fuzzy_core::{Query, Question, Span, line_end, line_start};
use fuzzy_locate::{TokenPlace, Variant, token_places};
use fuzzy_merge::{LeftOut, Pair, is_word};

use crate::already_applied;
use crate::decision::{Decision, NAME, whole_lines};
use crate::mechanisms::TOKEN_EQUAL;
use crate::rest_of_line::without_rest;
use crate::rules::commented_out;

/// The place that the needle's tokens have, with the edit of its whole lines.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    /// The bytes from its first token to the last.
    at: Range<usize>,
    /// The bytes of its lines.
    pub(crate) lines: Range<usize>,
    /// The lines of the needle with those of the place, counted from the first of each.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) variant: Variant<'t>,
}

/// Finds the only place of the needle's tokens, or the one nearest to the caller's line; none if the alignment decides
/// better: among several places, and where the edit adds or deletes lines beside a part of a line.
pub(crate) fn find<'t>(question: &Question<'t>, left_out: LeftOut) -> Option<Tokens<'t>> {
    let query = &question.query;
    // The exact places are no find.
    if query.first_exact().is_some() || !left_out.uses(&TOKEN_EQUAL) {
        return None;
    }
    let mut places = token_places(query);
    let spans = || places.iter().map(|place| Span::new(place.at.start, place.at.end));
    let chosen = if places.len() == 1 {
        0
    } else {
        let nearest = question.nearest_to_line(spans())?;
        spans().position(|span| span == nearest)?
    };
    let place = places.swap_remove(chosen);
    let lines = |text: &str| trim(text).matches('\n').count();
    let rest = beside(query.text(), &place.at);
    let has_rest = rest.iter().any(|text| !is_blank_text(text));
    let is_one_line = lines(query.old()) == 0;
    // Beside several lines, an operator may bind the rest to them, or they are a line that was cut off.
    let new = question.new.filter(|_| is_one_line || rest_is_apart(query.old(), &place, rest));
    let Some(new) = new else { return question.new.is_none().then(|| Tokens::whole(query, place, None)) };
    let is_same_count = lines(new) == lines(query.old());
    match (has_rest, is_same_count) {
        // The rest of a line belongs to the deleted text, or to the line before.
        (true, _) if is_blank_text(new) => None,
        // The line of the needle is a whole line there.
        (true, false) if is_one_line => Some(Tokens::of(query, place, Variant::literal(query.old(), new))),
        (true, false) => None,
        // New lines belong between lines.
        (false, false) if !place.pairs.iter().all(Pair::is_one_to_one) => None,
        _ => Some(Tokens::whole(query, place, Some(new))),
    }
}

/// Returns whether brackets and separators part the needle from the rest of its first and its last line.
fn rest_is_apart(needle: &str, place: &TokenPlace, [head, tail]: [&str; 2]) -> bool {
    let opens = |text: &str| text.trim_end().ends_with(['(', '[', '{', ',', ';']);
    let closes = |text: &str| text.trim_start().starts_with([')', ']', '}', ',', ';']);
    let has_word = |text: &str| text.contains(is_word);
    let needle = &needle[place.needle.clone()];
    (!has_word(head) || opens(head) || closes(needle)) && (!has_word(tail) || opens(needle) || closes(tail))
}

/// Returns the rest of the lines of a place, before and after it.
fn beside<'h>(haystack: &'h str, at: &Range<usize>) -> [&'h str; 2] {
    [&haystack[line_start(haystack, at.start)..at.start], &haystack[at.end..line_end(haystack, at.end)]]
}

impl<'t> Tokens<'t> {
    fn of(query: &Query<'t>, place: TokenPlace, variant: Variant<'t>) -> Self {
        let TokenPlace { at, pairs, .. } = place;
        let lines = line_start(query.text(), at.start)..line_end(query.text(), at.end);
        Self { at, lines, pairs, variant }
    }

    /// Adds the rest of the place's lines to both texts.
    fn whole(query: &Query<'t>, place: TokenPlace, new: Option<&'t str>) -> Self {
        let (haystack, needle) = (query.text(), query.old());
        let [head, tail] = beside(haystack, &place.at).map(|text| if is_blank_text(text) { "" } else { text });
        let new = new.unwrap_or(needle);
        let new = if tail.is_empty() { None } else { without_rest(&needle[place.needle.clone()], tail, new) }
            .map_or(Cow::Borrowed(new), Cow::Owned);
        let has_head = trim_start(&new).starts_with(trim_start(head));
        let extended = |text: &str, before: &str| {
            let text = if head.is_empty() { text } else { trim_start(text) };
            let text = if tail.is_empty() { text } else { trim_end(text) };
            [before, text, tail].concat()
        };
        let variant = Variant {
            needle: Cow::Owned(extended(needle, head)),
            replacement: Cow::Owned(extended(&new, if has_head { &head[..leading(head)] } else { head })),
            slip: None,
            is_mixed: false,
        };
        Self::of(query, place, variant)
    }

    /// Returns the decision about an edit that is made already, or that has no new text; none for another one.
    pub(crate) fn decided(&self, question: &Question<'_>) -> Option<Decision> {
        let (query, at) = (&question.query, &self.at);
        if commented_out::is_behind_mark(query.text(), at, question.new.unwrap_or_default()) {
            let lines = whole_lines(query.text(), at.clone());
            let refused = Decision::uncertain(&commented_out::RULE).at(&lines, 1.0);
            return Some(refused.about(&query.text()[lines], query.old()));
        }
        let Some(new) = question.new else { return Some(Decision::found(query.text(), NAME, at.clone(), 1.0)) };
        Some(Decision::already_applied(&already_applied::verbatim(query.text(), at, trim(new))?))
    }
}
