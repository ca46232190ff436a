//! `whitespace-normalized`.

use fuzzy_core::blank::{is_blank, is_inline};
use fuzzy_core::{Candidate, Span};

use super::places::{equal, spans_of_form, windows};

/// Compares the words of every line, of parts of lines and of every window of lines.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    if needle.is_empty() {
        return Vec::new();
    }
    let wanted = words(needle);
    let mut found = Vec::new();
    for line in windows(haystack, 1) {
        let have = words(line.text(haystack));
        if have == wanted {
            found.push(line);
        } else if wanted.is_empty() {
            found.extend([Span::new(line.start(), line.start()), Span::new(line.end(), line.end())]);
        } else if have.contains(&wanted) {
            found.extend(part(line, haystack, &wanted.split(' ').collect::<Vec<_>>()));
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

/// Returns the leftmost part of a line that consists of `words` separated by blanks.
fn part(line: Span, haystack: &str, words: &[&str]) -> Option<Span> {
    let text = line.text(haystack);
    text.char_indices().find_map(|(at, _)| {
        let length = prefix(&text[at..], words)?;
        Some(Span::new(line.start() + at, line.start() + at + length))
    })
}

/// Returns the length of the start of `text` that consists of `words` separated by blanks.
fn prefix(text: &str, words: &[&str]) -> Option<usize> {
    let mut rest = text;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            let after = rest.trim_start_matches(is_blank);
            if after.len() == rest.len() {
                return None;
            }
            rest = after;
        }
        rest = rest.strip_prefix(word)?;
    }
    Some(text.len() - rest.len())
}

/// Compares every span with the runs of blanks inside lines collapsed; a place must not cut such a run.
#[must_use]
pub fn inline(haystack: &str, needle: &str) -> Vec<Candidate> {
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
#[must_use]
pub fn collapsed(haystack: &str, needle: &str) -> Vec<Candidate> {
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
