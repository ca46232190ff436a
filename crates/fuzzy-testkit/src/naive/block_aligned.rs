//! `block-aligned`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Span};

use super::places::{equal, windows};

/// Moves the needle to the indentation of every window of lines, and compares.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let lines: Vec<&str> = needle.strip_suffix('\n').unwrap_or(needle).split('\n').collect();
    let is_inked = |line: &&str| !line.chars().all(is_blank);
    let Some(first) = lines.iter().position(is_inked) else { return Vec::new() };
    let from = indentation(lines[first]);
    let is_place = |window: &Span| {
        let there: Vec<&str> = window.text(haystack).split('\n').collect();
        let to = indentation(there[first]);
        lines.iter().zip(&there).all(|(line, there)| {
            let line = if is_inked(line) { moved(line, &from, &to) } else { Some(String::new()) };
            line.is_some_and(|line| line.trim_end_matches(is_blank) == there.trim_end_matches(is_blank))
        })
    };
    equal(windows(haystack, lines.len()).into_iter().filter(is_place))
}

fn indentation(line: &str) -> Vec<char> {
    line.chars().take_while(|c| is_blank(*c)).collect()
}

/// Moves `line` as `from` has to be moved to become `to`: what both begin with is left aside, then what `from` has
/// beyond that is taken off the end of `to`, and what the line has beyond it is put there.
fn moved(line: &str, from: &[char], to: &[char]) -> Option<String> {
    let own = indentation(line);
    let shared = own.iter().zip(from).take_while(|(a, b)| a == b).count();
    let (taken, put) = (&from[shared..], &own[shared..]);
    let kept = to.strip_suffix(taken)?;
    let rest: String = line.chars().skip(own.len()).collect();
    Some(kept.iter().chain(put).collect::<String>() + &rest)
}
