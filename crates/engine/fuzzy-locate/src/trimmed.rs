//! Finds a needle that differs from the haystack only in the blanks around its lines.
//!
//! This is the most common slip. If the needle's rarest line occurs only once, a comparison of its neighbours is
//! enough, and no other line of the haystack is read.
//!
//! Cost: two substring passes over the haystack, then work on the needle's lines.

use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Query, line_end, line_start, rarity};

/// Finds the lines that equal a needle's except for the blanks around them; none if there are no such lines, or if the
/// needle's rarest line does not occur exactly once.
#[must_use]
pub fn trimmed_place(query: &Query<'_>) -> Option<Range<usize>> {
    let (haystack, needle) = (query.text(), query.old());
    let lines: Vec<&str> =
        needle.split('\n').map(|line| line.trim_matches(is_blank)).filter(|line| !line.is_empty()).collect();
    let rarest = rarity::rarest(0..lines.len(), |&at| lines[at])?;
    let mut found = query.occurrences(lines[rarest]);
    let (first, None) = (found.next()?, found.next()) else { return None };

    let at = line_start(haystack, first)..line_end(haystack, first);
    let (before, after) = (&lines[..rarest], &lines[rarest + 1..]);
    let equal =
        |file: Option<Range<usize>>, line: &str| file.filter(|at| haystack[at.clone()].trim_matches(is_blank) == line);
    let at = equal(Some(at), lines[rarest])?;
    let start =
        before.iter().rev().try_fold(at.clone(), |at, line| equal(line_before(haystack, at.start), line))?.start;
    let end = after.iter().try_fold(at, |at, line| equal(line_after(haystack, at.end), line))?.end;
    Some(start..end)
}

/// Finds the next line before `start`, where a line starts, that is not blank.
#[must_use]
pub fn line_before(text: &str, mut start: usize) -> Option<Range<usize>> {
    while start > 0 {
        let end = start - 1;
        start = line_start(text, end);
        if !text[start..end].chars().all(is_blank) {
            return Some(start..end);
        }
    }
    None
}

/// Finds the next line after `end`, where a line ends, that is not blank.
#[must_use]
pub fn line_after(text: &str, mut end: usize) -> Option<Range<usize>> {
    while end < text.len() {
        let start = end + 1;
        end = line_end(text, start);
        if !text[start..end].chars().all(is_blank) {
            return Some(start..end);
        }
    }
    None
}
