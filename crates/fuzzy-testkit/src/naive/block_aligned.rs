//! `block-aligned`.

use fuzzy_core::Candidate;
use fuzzy_core::blank::is_blank;

use super::places::{equal, is_blank_line, windows};

/// Moves the needle to the indentation of every window of lines, and compares.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let lines: Vec<&str> = needle.strip_suffix('\n').unwrap_or(needle).split('\n').collect();
    let Some(first) = lines.iter().position(|line| !is_blank_line(line)) else { return Vec::new() };
    let windows = windows(haystack, lines.len()).into_iter();
    equal(windows.filter(|window| is_aligned(&lines, first, window.text(haystack))))
}

/// Returns whether the lines equal a window when they are moved to its indentation, which line `first` determines.
fn is_aligned(lines: &[&str], first: usize, window: &str) -> bool {
    let there: Vec<&str> = window.split('\n').collect();
    let (from, to) = (indentation(lines[first]), indentation(there[first]));
    lines.iter().zip(&there).all(|(line, there)| {
        let line = if is_blank_line(line) { Some(String::new()) } else { moved(line, &from, &to) };
        line.is_some_and(|line| line.trim_end_matches(is_blank) == there.trim_end_matches(is_blank))
    })
}

/// Returns the leading blanks of a line.
fn indentation(line: &str) -> Vec<char> {
    line.chars().take_while(|c| is_blank(*c)).collect()
}

/// Moves `line` like `from` must be moved to become `to`: ignores their common start, removes the rest of `from` from
/// the end of `to`, and appends the rest of the line's blanks.
fn moved(line: &str, from: &[char], to: &[char]) -> Option<String> {
    let own = indentation(line);
    let shared = own.iter().zip(from).take_while(|(a, b)| a == b).count();
    let (taken, put) = (&from[shared..], &own[shared..]);
    let kept = to.strip_suffix(taken)?;
    let rest: String = line.chars().skip(own.len()).collect();
    Some(kept.iter().chain(put).collect::<String>() + &rest)
}
