//! Finds how far a place reaches beyond what the old text has: lines that the old text has forgotten at its ends, and the
//! new text has not.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cancel::Cancel;
use crate::text::normalize::{equal_but_blanks, is_all_blank, is_blank, key, squeezed};
use crate::text::words::MIN_CHANGED_LIKENESS;
use crate::text::words::likeness;

/// The fewest letters of a word that tells a place by itself: shorter ones, `end` or `else`, occur everywhere.
const MIN_TELLING_LETTERS: u32 = 8;

/// Widens a span by the lines beside it that the new text brings at its ends: the old text has forgotten them, or has them
/// elsewhere, or the edit was made already.
///
/// Only where all of the lines are there that the new text has beyond the old text's, because a part of them, a `}` above
/// all, occurs anywhere; and where the old text's line at that end stays, for else they are what takes its place.
pub(crate) fn extended(document: &str, span: Range<usize>, old: &str, new: &str, cancel: Cancel<'_>) -> Range<usize> {
    let old: Vec<&str> = full_lines(old).collect();
    let new: Vec<&str> = full_lines(new).collect();
    let (ours, theirs) = (squeezed_lines(&old), squeezed_lines(&new));
    let deleted: Vec<&str> = old.iter().copied().filter(|line| !theirs.contains(&squeezed(line))).collect();
    let beside = [line_before(document, span.start), next_line(document, span.end)];
    // A line that the old text has and the place lacks is the one beside it, in another order.
    let count =
        |lines: &mut dyn Iterator<Item = &str>, line: &str| lines.filter(|other| equal_but_blanks(other, line)).count();
    let is_misplaced = |line: &str| {
        count(&mut beside.iter().flatten().map(|(_, beside)| *beside), line) > 0
            && count(&mut old.iter().copied(), line) > count(&mut full_lines(&document[span.clone()]), line)
    };
    // A line that may be one of the old text's, changed, is no line that the old text has forgotten.
    let is_forgotten =
        |line: &str| !(ours.contains(&squeezed(line)) || deleted.iter().any(|old| is_changed(old, line)));
    let is_brought = |line: &&&str| cancel.is_needed() && (is_misplaced(line) || is_forgotten(line));
    let tells = |line: &str| is_telling(line) || is_misplaced(line);
    let after = new.len() - new.iter().rev().take_while(is_brought).count();
    let before = new.iter().take_while(is_brought).count();
    let mut wide = span.clone();
    if stays(last(&old), last(&new[..after]), first(&new[after..])) {
        let lines = new[after..].iter();
        wide.end = walk(lines, wide.end, tells, |end| next_line(document, end)).unwrap_or(wide.end);
    }
    if stays(first(&old), first(&new[before..]), last(&new[..before])) {
        let lines = new[..before].iter().rev();
        wide.start = walk(lines, wide.start, tells, |start| line_before(document, start)).unwrap_or(wide.start);
    }
    wide
}

/// Returns whether the new text brings lines at an end, and the old text's line there is still there beside them, or is the
/// beginning of the nearest of these: else they may be what takes its place.
fn stays(old: Option<&str>, beside: Option<&str>, brought: Option<&str>) -> bool {
    let (Some(old), Some(brought)) = (old, brought) else { return false };
    beside.is_some_and(|line| squeezed(old) == squeezed(line) || is_changed(old, line))
        || brought.trim_matches(is_blank).starts_with(old.trim_matches(is_blank))
}

/// Returns the first line, if there is one.
fn first<'l>(lines: &[&'l str]) -> Option<&'l str> {
    lines.first().copied()
}

/// Returns the last line, if there is one.
fn last<'l>(lines: &[&'l str]) -> Option<&'l str> {
    lines.last().copied()
}

/// Returns lines without their blanks, to look others up among them.
fn squeezed_lines(lines: &[&str]) -> FxHashSet<String> {
    lines.iter().map(|line| squeezed(line)).collect()
}

/// Returns whether a new line may be one of the old text's, changed.
fn is_changed(old: &str, new: &str) -> bool {
    likeness(old.trim_matches(is_blank), new.trim_matches(is_blank)) >= MIN_CHANGED_LIKENESS
}

/// Returns whether a line is more than brackets or a keyword.
pub(crate) fn is_telling(line: &str) -> bool {
    let letters = key(line).word;
    letters >= MIN_TELLING_LETTERS
        || (letters > 0 && line.contains(|c: char| !(c.is_alphanumeric() || is_blank(c) || ";:,".contains(c))))
}

/// Follows lines from `at` on, if the document has just those there and they tell enough.
fn walk<'l>(
    lines: impl Iterator<Item = &'l &'l str> + Clone,
    mut at: usize,
    tells: impl Fn(&str) -> bool,
    next: impl Fn(usize) -> Option<(usize, &'l str)>,
) -> Option<usize> {
    if !lines.clone().any(|line| tells(line)) {
        return None;
    }
    for line in lines {
        let (end, found) = next(at)?;
        if !equal_but_blanks(found, line) {
            return None;
        }
        at = end;
    }
    Some(at)
}

/// Returns the lines of a text that are not blank.
fn full_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !is_all_blank(line))
}

/// Returns the next line from `start` on that is not blank, and where it ends.
fn next_line(document: &str, start: usize) -> Option<(usize, &str)> {
    let mut at = start;
    for line in document[start..].split_inclusive('\n') {
        at += line.len();
        if !is_all_blank(line) {
            return Some((at, line));
        }
    }
    None
}

/// Returns the last line before `end` that is not blank, and where it starts.
fn line_before(document: &str, end: usize) -> Option<(usize, &str)> {
    let mut at = end;
    for line in document[..end].split_inclusive('\n').rev() {
        at -= line.len();
        if !is_all_blank(line) {
            return Some((at, line));
        }
    }
    None
}
