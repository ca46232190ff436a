//! `indentation-flexible`.

use fuzzy_core::Candidate;
use fuzzy_core::blank::{is_blank, is_inline};

use super::places::{equal, is_blank_line, spans_of_form, windows};

/// Compares every window of lines without the indentation that all its lines share.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted = dedented(needle);
    let windows = windows(haystack, wanted.len()).into_iter();
    equal(windows.filter(|window| dedented(window.text(haystack)) == wanted))
}

/// Removes the least number of leading blanks from all lines that are not blank.
fn dedented(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').collect();
    let inked = lines.iter().filter(|line| !is_blank_line(line));
    let shared = inked.map(|line| line.chars().take_while(|c| is_blank(*c)).count()).min().unwrap_or(0);
    lines.into_iter().map(|line| if is_blank_line(line) { line } else { without_first(line, shared) }).collect()
}

/// Returns a line without its first `count` characters.
fn without_first(line: &str, count: usize) -> &str {
    line.char_indices().nth(count).map_or("", |(at, _)| &line[at..])
}

/// Compares every span without leading blanks on its lines; start and end must treat blanks like the needle does.
pub(super) fn stripped(haystack: &str, needle: &str) -> Vec<Candidate> {
    let last = needle.rsplit_once('\n').map(|(_, last)| last);
    let ends_in_blanks = last.is_some_and(|last| !last.is_empty() && last.chars().all(is_blank));
    let spans = spans_of_form(haystack, &stripped_form(needle), stripped_form).into_iter();
    equal(spans.filter(|span| {
        let text = span.text(haystack);
        let starts_right = if needle.starts_with(is_inline) {
            // The start of a line, so that all leading blanks of the line are inside.
            span.start() == 0 || haystack[..span.start()].ends_with('\n')
        } else {
            !text.starts_with(is_inline)
        };
        let ends_right = if ends_in_blanks {
            !haystack[span.end()..].starts_with(is_inline)
        } else {
            last != Some("") || text.ends_with('\n')
        };
        starts_right && ends_right
    }))
}

/// Removes the leading blanks of every line.
pub(super) fn stripped_form(text: &str) -> String {
    text.split('\n').map(|line| line.trim_start_matches(is_blank)).collect::<Vec<_>>().join("\n")
}
