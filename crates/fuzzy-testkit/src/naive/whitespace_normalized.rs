//! `whitespace-normalized`.

use fuzzy_core::blank::{is_blank, is_inline};
use fuzzy_core::{Candidate, Span};

use super::places::{equal, spans_of_form, windows};

/// Compares the words of every line, of parts of lines and of every window of lines.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted = words(needle);
    let mut found = Vec::new();
    for line in windows(haystack, 1) {
        let have = words(line.text(haystack));
        if have == wanted {
            found.push(line);
        } else if wanted.is_empty() {
            found.extend([Span::new(line.start(), line.start()), Span::new(line.end(), line.end())]);
        } else if have.contains(&wanted) {
            let parts = spans_of_form(line.text(haystack), &wanted, collapsed_form);
            found.extend(parts.first().map(|part| Span::new(line.start() + part.start(), line.start() + part.end())));
        }
    }
    let count = needle.split('\n').count();
    if count > 1 {
        found.extend(windows(haystack, count).into_iter().filter(|window| words(window.text(haystack)) == wanted));
    }
    equal(found)
}

/// Returns the words of a text separated by single spaces.
fn words(text: &str) -> String {
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Compares every span with the runs of blanks inside lines collapsed; a place must not cut such a run.
pub(super) fn inline(haystack: &str, needle: &str) -> Vec<Candidate> {
    let spans = spans_of_form(haystack, &inline_form(needle), inline_form).into_iter();
    equal(spans.filter(|span| !is_in_run(haystack, span.start()) && !is_in_run(haystack, span.end())))
}

/// Returns whether there are inline blanks on both sides of an offset.
fn is_in_run(haystack: &str, at: usize) -> bool {
    haystack[..at].ends_with(is_inline) && haystack[at..].starts_with(is_inline)
}

/// Replaces every run of blanks that follows another character on its line by one space.
pub(super) fn inline_form(text: &str) -> String {
    let mut form = String::new();
    let (mut is_inked, mut was_blank) = (false, false);
    for c in text.chars() {
        let is_run = is_inked && is_inline(c);
        if !is_run {
            form.push(c);
        } else if !was_blank {
            form.push(' ');
        }
        was_blank = is_run;
        is_inked = c != '\n' && (is_inked || !is_inline(c));
    }
    form
}

/// Compares the words of every span, and widens each place by the file's outer blanks as far as the needle's allow.
pub(super) fn collapsed(haystack: &str, needle: &str) -> Vec<Candidate> {
    let inked = needle.trim_matches(is_blank);
    let before = &needle[..needle.len() - needle.trim_start_matches(is_blank).len()];
    let after = &needle[needle.trim_end_matches(is_blank).len()..];
    let spans = spans_of_form(haystack, &collapsed_form(inked), collapsed_form).into_iter();
    equal(spans.filter_map(|words| {
        let (head, tail) = (&haystack[..words.start()], &haystack[words.end()..]);
        let starts = head.char_indices().rev().map(|(at, _)| at);
        let start = widest(words.start(), before, starts, |at| &haystack[at..words.start()])?;
        let ends = tail.char_indices().map(|(at, c)| words.end() + at + c.len_utf8());
        let end = widest(words.end(), after, ends, |at| &haystack[words.end()..at])?;
        Some(Span::new(start, end))
    }))
}

/// Moves an end of a place outwards over blanks with no more line breaks than `run`.
fn widest<'h>(
    from: usize,
    run: &str,
    ends: impl Iterator<Item = usize>,
    text: impl Fn(usize) -> &'h str,
) -> Option<usize> {
    if run.is_empty() {
        return Some(from);
    }
    let mut blanks = ends.take_while(|end| text(*end).chars().all(is_blank)).peekable();
    blanks.peek()?;
    Some(blanks.take_while(|end| breaks_in(text(*end)) <= breaks_in(run)).last().unwrap_or(from))
}

/// Returns the number of line breaks of a text.
fn breaks_in(text: &str) -> usize {
    text.matches('\n').count()
}

/// Replaces every run of blanks by one space.
pub(super) fn collapsed_form(text: &str) -> String {
    let mut form = String::new();
    for c in text.chars() {
        if !is_blank(c) {
            form.push(c);
        } else if !form.ends_with(' ') {
            form.push(' ');
        }
    }
    form
}
