//! Rungs that compare characters, wherever on a line they stand.

use fuzzy_pipeline::blank::{self, is_blank};

use super::Place;

pub(super) fn exact(haystack: &str, needle: &str) -> Vec<Place> {
    let starts = haystack.char_indices().map(|(at, _)| at);
    starts
        .filter(|at| !needle.is_empty() && haystack[*at..].starts_with(needle))
        .map(|at| (at, at + needle.len()))
        .collect()
}

pub(super) fn apart(haystack: &str, needle: &str) -> Vec<Place> {
    haystack.match_indices(needle).filter(|_| !needle.is_empty()).map(|(at, text)| (at, at + text.len())).collect()
}

pub(super) fn trimmed(haystack: &str, needle: &str) -> Vec<Place> {
    exact(haystack, blank::trim(needle))
}

/// Says whether a character belongs to a run of blanks inside a line.
fn in_run(char: char) -> bool {
    is_blank(char) && char != '\n'
}

/// Says whether `at` lies between two characters of the kind.
fn cuts(haystack: &str, at: usize, kind: fn(char) -> bool) -> bool {
    haystack[..at].chars().next_back().is_some_and(kind) && haystack[at..].chars().next().is_some_and(kind)
}

/// Collapses each run inside a line that has something before it on that line; nothing else changes.
fn inline_form(text: &str) -> String {
    let mut form = String::new();
    let mut inside = false;
    let mut open = false;
    for char in text.chars() {
        let run = in_run(char);
        if !(run && inside) {
            form.push(char);
        } else if !open {
            form.push(' ');
        }
        open = run && inside;
        inside = char != '\n' && (inside || !run);
    }
    form
}

/// Tries every start, and from there every end until the normal form is longer than the needle's.
fn all_spans(
    haystack: &str,
    needle: &str,
    form: fn(&str) -> String,
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<Place> {
    let wanted = form(needle);
    let Some(head) = wanted.chars().next() else { return Vec::new() };
    let mut places = Vec::new();
    for (start, first) in haystack.char_indices() {
        if first != head && !is_blank(first) {
            continue;
        }
        // A normal form grows with its text, so the first end that is too long or differs ends the search.
        let mut end = start;
        for char in haystack[start..].chars() {
            end += char.len_utf8();
            let have = form(&haystack[start..end]);
            if have == wanted && fits(start, end) {
                places.push((start, end));
            }
            if !wanted.starts_with(have.trim_end_matches(' ')) {
                break;
            }
        }
    }
    places
}

pub(super) fn inline(haystack: &str, needle: &str) -> Vec<Place> {
    all_spans(haystack, needle, inline_form, |start, end| {
        !cuts(haystack, start, in_run) && !cuts(haystack, end, in_run)
    })
}

/// Collapses every run of blanks to a space.
fn collapsed_form(text: &str) -> String {
    let mut form = String::new();
    for char in text.chars() {
        if !is_blank(char) {
            form.push(char);
        } else if !form.ends_with(' ') {
            form.push(' ');
        }
    }
    form
}

pub(super) fn collapsed(haystack: &str, needle: &str) -> Vec<Place> {
    let breaks = |run: &str| run.matches('\n').count();
    let leading = breaks(&needle[..blank::leading(needle)]);
    let trailing = breaks(&needle[needle.len() - blank::trailing(needle)..]);
    all_spans(haystack, needle, collapsed_form, |start, end| {
        let text = &haystack[start..end];
        let (head, tail) = (&text[..blank::leading(text)], &text[text.len() - blank::trailing(text)..]);
        let before = haystack[..start].chars().next_back();
        let after = haystack[end..].chars().next();
        // At either end the longest part of the file's run that has no more line breaks than the needle's.
        let longest = |part: &str, more: Option<char>, most: usize| {
            breaks(part) <= most
                && (part.is_empty()
                    || !more.is_some_and(|char| is_blank(char) && breaks(part) + usize::from(char == '\n') <= most))
        };
        longest(head, before, leading) && longest(tail, after, trailing)
    })
}

/// Takes the leading blanks off every line.
fn stripped_form(text: &str) -> String {
    text.split('\n').map(|line| line.trim_start_matches(in_run)).collect::<Vec<_>>().join("\n")
}

pub(super) fn stripped(haystack: &str, needle: &str) -> Vec<Place> {
    let starts_blank = needle.starts_with(in_run);
    let last = needle.rsplit('\n').next().unwrap_or(needle);
    let ends_blank = last.len() < needle.len() && !last.is_empty() && last.chars().all(in_run);
    all_spans(haystack, needle, stripped_form, |start, end| {
        let line_start = start == 0 || haystack[..start].ends_with('\n');
        let begins = if starts_blank { line_start } else { !haystack[start..].starts_with(in_run) };
        let tail = &haystack[start..end];
        let tail = &tail[tail.rfind('\n').map_or(0, |at| at + 1)..];
        let only_indent = end > start && tail.chars().all(in_run) && tail.len() < end - start;
        let ends = if ends_blank { !haystack[end..].starts_with(in_run) } else { !only_indent || tail.is_empty() };
        begins && ends
    })
}
