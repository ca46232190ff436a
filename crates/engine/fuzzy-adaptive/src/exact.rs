//! Decides about a needle that occurs exactly.
//!
//! Nearly always this is the whole answer. The exception is a needle that starts inside a line's indentation: the
//! replacement may then lack this indentation on its other lines.

use std::ops::Range;

use fuzzy_core::blank::{self, is_blank, is_blank_text};
use fuzzy_core::{Failure, Places, Query, Question, Span, Splice, line_end, line_start};
use fuzzy_merge::{ending, merge_while};
use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::decision::{Decision, EXACT};
use crate::rules::{LeftOut, several_places};
use crate::score::Model;

/// Decides about a needle that occurs exactly, and lists its places if there are several.
pub(crate) fn exact(question: &Question<'_>, left_out: LeftOut) -> Option<(Decision, Places)> {
    let Question { query, replacement, replace_all, .. } = question;
    let (haystack, needle) = (query.haystack(), query.needle());
    let first = query.first_exact()?;
    if *replace_all {
        let replacement = replacement.unwrap_or_default();
        let splices = memmem::find_iter(haystack.as_bytes(), needle)
            .map(|at| pasted(haystack, needle, replacement, at))
            .collect();
        return Some((Decision::Lands { splices, similarity: 1.0, confidence: 1.0, score: None }, Places::default()));
    }
    let span_at = |start| Span::new(start, start + needle.len());
    let at = if query.second_exact().is_none() {
        first
    } else if let Some(at) = whole_lines(haystack, needle) {
        at
    } else if let Some(place) = question.nearest_to_line(query.occurrences(needle).map(span_at)) {
        place.start()
    } else {
        let failure = Failure::Ambiguous { strategy: EXACT, span: span_at(first) };
        return Some((Decision::refused(&several_places::RULE, failure, None), Places::of_needle(query)));
    };
    let decision = match replacement {
        Some(replacement) if splits_word(haystack, at..at + needle.len(), replacement) => return None,
        Some(replacement) => exact_at(query, replacement, at, left_out),
        None => Decision::Found { at: at..at + needle.len(), similarity: 1.0, confidence: 1.0 },
    };
    Some((decision, Places::default()))
}

/// Returns whether the replacement would put lines into the middle of a word: the needle was cut off inside the word,
/// and the other half would be left behind.
fn splits_word(haystack: &str, span: Range<usize>, replacement: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let needle = &haystack[span.clone()];
    let head = &needle[..needle.len() - needle.trim_start_matches(is_word).len()];
    let tail = &needle[needle.trim_end_matches(is_word).len()..];
    let is_split = |half: &str, goes_on: bool, stays: bool| !half.is_empty() && goes_on && !stays;
    replacement.trim_matches(is_blank).contains('\n')
        && (is_split(head, haystack[..span.start].ends_with(is_word), replacement.starts_with(head))
            || is_split(tail, haystack[span.end..].starts_with(is_word), replacement.ends_with(tail)))
}

/// Finds the only place where the needle covers whole lines, if there is one. Blank lines at the needle's ends do not
/// count: they are the least reliable part of a copy.
fn whole_lines(haystack: &str, needle: &str) -> Option<usize> {
    let core = needle.trim_matches(['\n', '\r']);
    let lead = needle.len() - needle.trim_start_matches(['\n', '\r']).len();
    if core.is_empty() {
        return None;
    }
    let finder = memmem::Finder::new(core);
    let mut found = None;
    let mut from = 0;
    // Two such places may overlap, so the search goes on from the next line.
    for _ in 0..=MAX_COMPARED_BYTES / core.len() {
        let Some(at) = haystack.as_bytes().get(from..).and_then(|rest| finder.find(rest)) else {
            let at = found.and_then(|at: usize| at.checked_sub(lead))?;
            return haystack.as_bytes()[at..].starts_with(needle.as_bytes()).then_some(at);
        };
        let (at, end) = (from + at, from + at + core.len());
        let whole = (at == 0 || haystack.as_bytes()[at - 1] == b'\n')
            && haystack[end..].chars().next().is_none_or(|c| c == '\n' || c == '\r');
        if whole && found.replace(at).is_some() {
            return None;
        }
        from = line_end(haystack, at) + 1;
    }
    None
}

/// The most bytes compared to distinguish places; beyond it, they count as equal.
const MAX_COMPARED_BYTES: usize = 1 << 26;

/// Decides about a needle at its only place.
fn exact_at(query: &Query<'_>, replacement: &str, at: usize, left_out: LeftOut) -> Decision {
    let (haystack, needle) = (query.haystack(), query.needle());
    let span = at..at + needle.len();
    // The text to write, with the line ending of the place.
    let new = pasted(haystack, needle, replacement, at);
    if let Some(span) = applied(haystack, &span, &new.text) {
        return Decision::AlreadyApplied { span };
    }
    let line = line_start(haystack, at);
    let before = repeated_before(&haystack[line..at], needle, replacement);
    let after = repeated_after(&haystack[span.end..line_end(haystack, span.end)], needle, replacement);
    if before + after > 0 {
        // The new text repeats the text around the old one.
        let Splice { span, text } = new;
        let splices = vec![Splice { span: Span::new(span.start() - before, span.end() + after), text }];
        return Decision::Lands { splices, similarity: 1.0, confidence: 1.0, score: None };
    }
    let inside_indent = at > line && is_blank_text(&haystack[line..at]);
    let indent = &haystack[line..at];
    // A deleted line leaves no indentation behind.
    let is_emptied = is_blank_text(replacement) && needle.ends_with('\n');
    let needs_merge = replacement.contains('\n') && !has_own_indentation(haystack, indent, needle, replacement);
    if inside_indent
        && (is_emptied || needs_merge)
        && let Ok(merged) = merge_while(haystack, span.clone(), needle, replacement, &|| !query.is_over())
        && let merged = left_out.filter(merged)
        && (merged.findings.is_empty() || haystack[merged.span.clone()] == merged.text)
    {
        return match applied(haystack, &merged.span, &merged.text) {
            Some(span) => Decision::AlreadyApplied { span },
            None => Decision::merged(merged, 1.0, Model::FITTED.text_accuracy, None),
        };
    }
    Decision::Lands { splices: vec![new], similarity: 1.0, confidence: 1.0, score: None }
}

/// Returns the number of bytes before the needle on its line that the replacement repeats: all of them, all except the
/// indentation, or none. Text that file and replacement both have beyond the needle is written once.
fn repeated_before(before: &str, needle: &str, replacement: &str) -> usize {
    let words = before.trim_start_matches(is_blank);
    if words.is_empty() {
        // The needle begins after the indentation, and the replacement has the file's.
        return if is_added(before, needle, replacement) && !needle.starts_with(is_blank) { before.len() } else { 0 };
    }
    let is_informative = words.contains(char::is_alphanumeric);
    [before, words].into_iter().find(|text| is_informative && is_added(text, needle, replacement)).map_or(0, str::len)
}

/// Returns whether the replacement begins with a text, and the needle does not.
fn is_added(text: &str, needle: &str, replacement: &str) -> bool {
    !text.is_empty() && replacement.starts_with(text) && !needle.starts_with(text)
}

/// Returns the number of bytes after the needle on its line that the replacement repeats: all or none of them. Brackets
/// count only if the replacement closes as many more than the needle.
fn repeated_after(after: &str, needle: &str, replacement: &str) -> usize {
    let rest = after.trim_end_matches(is_blank);
    let is_informative =
        !rest.trim_start_matches(is_blank).is_empty() && !needle.ends_with('\n') && replacement.len() > rest.len();
    let ends = is_informative && replacement.ends_with(rest) && !needle.ends_with(rest);
    if ends && depth(replacement) - depth(needle) == depth(rest) { rest.len() } else { 0 }
}

/// Returns the number of opening brackets less that of closing ones.
fn depth(text: &str) -> isize {
    text.matches(['(', '[', '{']).count().cast_signed() - text.matches([')', ']', '}']).count().cast_signed()
}

/// Finds a new text that already occurs around the old one.
fn applied(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    memmem::find_iter(new.as_bytes(), &haystack[old.clone()])
        .filter_map(|offset| old.start.checked_sub(offset))
        .filter(|&start| haystack.as_bytes()[start..].starts_with(new.as_bytes()))
        .map(|start| start..start + new.len())
        .find(|found| has_blank_ends(haystack, found, &haystack[old.clone()]))
}

/// Returns whether line breaks at the ends of a found new text are blank lines, if the old text has no such breaks: an
/// edit does not add the break beside a line.
fn has_blank_ends(haystack: &str, found: &Range<usize>, old: &str) -> bool {
    let new = &haystack[found.clone()];
    let (before, after) = (&haystack[..found.start], &haystack[found.end..]);
    let is_first = before.is_empty() || before.ends_with(['\n', ' ', '\t']);
    let is_last = after.is_empty() || begins_with_break(after);
    (is_first || begins_with_break(old) || !begins_with_break(new))
        && (is_last || old.ends_with('\n') || !new.ends_with('\n'))
}

/// Returns whether a text begins with a line break.
fn begins_with_break(text: &str) -> bool {
    text.trim_start_matches('\r').starts_with('\n')
}

/// Puts the replacement in the needle's place, with the line ending of the place: a needle of one line does not show
/// it, and the replacement may have lost it.
fn pasted(haystack: &str, needle: &str, replacement: &str, at: usize) -> Splice {
    let span = at..at + needle.len();
    let fits = has_bare_breaks(needle) || !has_bare_breaks(replacement) || ending(haystack, &span) == "\n";
    let mut text = if fits { replacement.to_owned() } else { replacement.replace("\r\n", "\n").replace('\n', "\r\n") };
    if joins_lines(haystack, &span, replacement) {
        text.push_str(ending(haystack, &span));
    }
    Splice { span: Span::new(span.start, span.end), text }
}

/// Returns whether a replacement of whole lines would join the next line: only the needle has the last line break.
fn joins_lines(haystack: &str, span: &Range<usize>, replacement: &str) -> bool {
    let (before, after) = (&haystack[..span.start], &haystack[span.end..]);
    let is_whole = (before.is_empty() || before.ends_with('\n')) && haystack[span.clone()].ends_with('\n');
    let runs_on = !after.is_empty() && !begins_with_break(after);
    is_whole && runs_on && !replacement.is_empty() && !replacement.ends_with('\n')
}

/// Returns whether a text has line breaks without a carriage return.
fn has_bare_breaks(text: &str) -> bool {
    text.matches('\n').count() > text.matches("\r\n").count()
}

/// Returns whether the lines of a replacement have their full indentation, though the needle starts inside one: all are
/// at least as deep as the needle's line, or the file indents lines with the same beginnings as the replacement does.
fn has_own_indentation(haystack: &str, indent: &str, needle: &str, replacement: &str) -> bool {
    let own = blank::leading;
    let lines: Vec<&str> = replacement.split('\n').skip(1).filter(|line| !is_blank_text(line)).collect();
    if own(needle) > 0 {
        // The needle has a part of the indentation: the copy lost the rest on all lines.
        return false;
    }
    if lines.iter().all(|line| own(line) >= indent.len()) {
        return true;
    }
    let mut known: FxHashMap<&str, Vec<usize>> = lines.iter().map(|line| (head(line), Vec::new())).collect();
    for line in haystack.split('\n') {
        if let Some(places) = known.get_mut(head(line)) {
            places.push(own(line));
        }
    }
    // One vote for each line with a recognisable beginning.
    let alone = lines.iter().filter(|line| {
        let begins = head(line);
        let count = |indent| known[begins].iter().filter(|found| **found == indent).count();
        begins.len() >= MIN_HEAD_BYTES && count(own(line)) > count(own(line) + indent.len())
    });
    2 * alone.count() > lines.len()
}

/// The fewest bytes of a recognisable beginning of a line.
const MIN_HEAD_BYTES: usize = 6;

/// Returns the beginning of a line, up to the end of its first word.
fn head(line: &str) -> &str {
    let body = line.trim_start_matches(is_blank);
    let end = body
        .char_indices()
        .skip_while(|(_, c)| !c.is_alphanumeric())
        .find(|(_, c)| !(c.is_alphanumeric() || *c == '_' || *c == '-'))
        .map_or(body.len(), |(at, _)| at);
    &body[..end]
}
