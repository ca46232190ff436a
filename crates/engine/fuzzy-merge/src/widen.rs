//! Widens a place by lines that the old text has forgotten at its ends, and the new text has.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text};
use rustc_hash::FxHashSet;

use crate::mechanisms::WIDEN;
use crate::run::Run;
use crate::text::normalize::{equal_but_blanks, key, squeezed};
use crate::text::words::{MIN_CHANGED_LIKENESS, likeness};

/// The fewest letters of a line that is distinctive: shorter words, `end` or `else`, occur everywhere.
const MIN_DISTINCTIVE_LETTERS: u32 = 8;

/// Widens a span by the inserted lines at each end of the new text, if the file has them beside the span: the old text
/// has forgotten them or has them elsewhere, or the edit was made already.
///
/// The file must have all of them, because a part, above all a `}`, occurs anywhere. And the edit must keep the old
/// text's line at that end: otherwise they replace it.
pub(crate) fn widened(document: &str, span: Range<usize>, old: &str, new: &str, run: Run<'_>) -> Range<usize> {
    if !run.uses(&WIDEN) {
        return span;
    }
    let old: Vec<&str> = full_lines(old).collect();
    let new: Vec<&str> = full_lines(new).collect();
    let beside = [line_before(document, span.start), next_line(document, span.end)];
    // Most new texts have none of the lines beside the place, and nothing else needs to be compared.
    let is_in_new = |(_, beside): &(usize, &str)| new.iter().any(|line| equal_but_blanks(line, beside));
    if !beside.iter().flatten().any(is_in_new) {
        return span;
    }
    let (old_lines, new_lines) = (squeezed_lines(&old), squeezed_lines(&new));
    let deleted: Vec<&str> = old.iter().copied().filter(|line| !new_lines.contains(&squeezed(line))).collect();
    // A line that the old text has and the place lacks, and that is beside the place, is in another order.
    let count =
        |lines: &mut dyn Iterator<Item = &str>, line: &str| lines.filter(|other| equal_but_blanks(other, line)).count();
    let is_misplaced = |line: &str| {
        count(&mut beside.iter().flatten().map(|(_, beside)| *beside), line) > 0
            && count(&mut old.iter().copied(), line) > count(&mut full_lines(&document[span.clone()]), line)
    };
    // A line that may be a changed one of the old text is not forgotten.
    let is_forgotten =
        |line: &str| !(old_lines.contains(&squeezed(line)) || deleted.iter().any(|old| is_changed(old, line)));
    let is_inserted = |line: &str| run.is_needed() && (is_misplaced(line) || is_forgotten(line));
    let is_proof = |line: &str| is_distinctive(line) || is_misplaced(line);
    let after = new.len() - new.iter().rev().take_while(|line| is_inserted(line)).count();
    let before = new.iter().take_while(|line| is_inserted(line)).count();
    let mut wide = span.clone();
    if keeps_end([old.last(), new[..after].last(), new[after..].first()]) {
        let lines = new[after..].iter();
        wide.end = follow(lines, wide.end, is_proof, |end| next_line(document, end)).unwrap_or(wide.end);
    }
    if keeps_end([old.first(), new[before..].first(), new[..before].last()]) {
        let lines = new[..before].iter().rev();
        wide.start = follow(lines, wide.start, is_proof, |start| line_before(document, start)).unwrap_or(wide.start);
    }
    wide
}

/// Returns whether the new text inserts lines at an end, and keeps the old text's line there: beside them, or as the
/// beginning of the nearest.
fn keeps_end([old, beside, inserted]: [Option<&&str>; 3]) -> bool {
    let (Some(old), Some(inserted)) = (old, inserted) else { return false };
    beside.is_some_and(|line| squeezed(old) == squeezed(line) || is_changed(old, line))
        || inserted.trim_matches(is_blank).starts_with(old.trim_matches(is_blank))
}

/// Returns lines without their blanks.
fn squeezed_lines(lines: &[&str]) -> FxHashSet<String> {
    lines.iter().map(|line| squeezed(line)).collect()
}

/// Returns whether a new line may be a changed one of the old text.
fn is_changed(old: &str, new: &str) -> bool {
    likeness(old.trim_matches(is_blank), new.trim_matches(is_blank)) >= MIN_CHANGED_LIKENESS
}

/// Returns whether a line is more than brackets or a keyword.
fn is_distinctive(line: &str) -> bool {
    let letters = key(line).word;
    letters >= MIN_DISTINCTIVE_LETTERS
        || (letters > 0 && line.contains(|c: char| !(c.is_alphanumeric() || is_blank(c) || ";:,".contains(c))))
}

/// Returns the end of some lines if the document has them one after the other from `at` on, and one of them is proof.
fn follow<'l>(
    mut lines: impl Iterator<Item = &'l &'l str> + Clone,
    at: usize,
    is_proof: impl Fn(&str) -> bool,
    next: impl Fn(usize) -> Option<(usize, &'l str)>,
) -> Option<usize> {
    if !lines.clone().any(|line| is_proof(line)) {
        return None;
    }
    lines.try_fold(at, |at, line| next(at).filter(|(_, found)| equal_but_blanks(found, line)).map(|(end, _)| end))
}

/// Returns the lines of a text that are not blank.
fn full_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !is_blank_text(line))
}

/// Returns the end of the first line from `start` on that is not blank, and the line.
fn next_line(document: &str, start: usize) -> Option<(usize, &str)> {
    let mut lines = document[start..].split_inclusive('\n').scan(start, |end, line| {
        *end += line.len();
        Some((*end, line))
    });
    lines.find(|(_, line)| !is_blank_text(line))
}

/// Returns the start of the last line before `end` that is not blank, and the line.
fn line_before(document: &str, end: usize) -> Option<(usize, &str)> {
    let mut lines = document[..end].split_inclusive('\n').rev().scan(end, |start, line| {
        *start -= line.len();
        Some((*start, line))
    });
    lines.find(|(_, line)| !is_blank_text(line))
}
