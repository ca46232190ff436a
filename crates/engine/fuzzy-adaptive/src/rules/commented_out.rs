//! The file has a line of the old text only behind a comment mark.
//!
//! A comment is not code: the author would change a line that does not run. A comment of the old text that is code in
//! the file is a slip like any other. A title of Markdown is no comment, and the exact words of a comment are prose: words
//! alone after the mark and a blank, of which the first begins no line of code.
//!
//! Example: file `a = 1  # b = 2`, old `b = 2`, new `b = 3`.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text, trim};
use fuzzy_core::{line_end, line_start};
use fuzzy_locate::{Needle, Place, Search};
use fuzzy_merge::{Kind, Rule, comment_mark, equal_but_blanks, is_word};

use crate::blocks::LinePair;

pub(crate) static RULE: Rule =
    Rule { name: "commented-out", kind: Kind::Place, why: "a line of the old text is commented out in the file" };

/// Marks that begin a comment only before a blank.
const SPACED_MARKS: [&str; 3] = [";", "%", "\""];

/// Returns a line of the needle that is its line of the file without a comment mark, if the edit touches it. `changed` are
/// the bytes that it changes.
pub(crate) fn check(
    search: &Search<'_>,
    needle: &Needle<'_>,
    place: &Place,
    changed: &Range<usize>,
) -> Option<LinePair> {
    let mut touched = place.pairs.iter().filter(|pair| {
        let line = search.index.lines[pair.right.start];
        let is_touched = line.start <= changed.end && changed.start <= line.end;
        pair.is_one_to_one() && is_touched && !is_title(search.index.text, line.start)
    });
    let found = touched.find(|pair| {
        let code = uncommented(search.index.line(pair.right.start));
        let ours = needle.lines[pair.left.start].text;
        code.is_some_and(|code| equal_but_blanks(code, ours)) && uncommented(ours).is_none()
    })?;
    Some(LinePair { ours: found.left.start, theirs: found.right.start })
}

/// Returns whether a place is the code of a line, or begins with it, and only a comment mark is before it. The new text
/// must not keep that line.
pub(crate) fn is_behind_mark(haystack: &str, at: &Range<usize>, new: &str) -> bool {
    let first = &haystack[line_start(haystack, at.start)..line_end(haystack, at.start)];
    let Some(code) = uncommented(first).filter(|code| !is_blank_text(code)) else { return false };
    if is_title(haystack, at.start) {
        return false;
    }
    let text = trim(&haystack[at.clone()]);
    let line = text.split('\n').next().unwrap_or_default();
    let before = &haystack[line_start(haystack, at.start)..at.start];
    let is_kept = text != line && trim(new).split('\n').next().is_some_and(|first| trim(first) == trim(line));
    uncommented(before).is_some_and(is_blank_text) && trim(line) == code && !is_kept
}

/// Returns whether the comment at a position of a file is prose.
pub(crate) fn is_prose(text: &str, at: usize) -> bool {
    let line = &text[line_start(text, at)..line_end(text, at)];
    let Some(comment) = uncommented(line) else { return false };
    let is_apart = line.split_once(comment).is_some_and(|(mark, _)| mark.ends_with(is_blank));
    let first = comment.split(is_blank).next().unwrap_or_default();
    let is_words = first.len() < comment.len() || !comment.is_ascii();
    let begins = |other: &str| trim(other).strip_prefix(first).is_some_and(|rest| !rest.starts_with(is_word));
    is_apart && is_words && !comment.contains(CODE_SIGNS) && !text.lines().any(begins)
}

/// Signs that sentences lack.
const CODE_SIGNS: [char; 12] = ['=', ';', '{', '}', '(', ')', '[', ']', '<', '>', '$', '|'];

/// Returns the text of a line without the comment mark before it, and the one that ends it; none without a mark.
fn uncommented(line: &str) -> Option<&str> {
    let line = trim(line);
    let spaced = || SPACED_MARKS.iter().copied().find(|mark| is_spaced(line, mark));
    let mark = comment_mark(line).or_else(spaced)?;
    let code = line.trim_start_matches(mark);
    Some(trim(code.strip_suffix("*/").or_else(|| code.strip_suffix("-->")).unwrap_or(code)))
}

/// Returns whether the line at a position is a title of Markdown: words after several `#`, or after one, and a blank line
/// below. Commented code begins with a small letter, or has signs of code.
fn is_title(text: &str, at: usize) -> bool {
    let end = line_end(text, at);
    let line = trim(&text[line_start(text, at)..end]);
    let title = line.trim_start_matches('#');
    let below = text[end..].split_once('\n').map_or("", |(_, below)| below);
    let is_apart = is_blank_text(&below[..line_end(below, 0)]);
    let has_words = title.strip_prefix(' ').is_some_and(|words| {
        words.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase())
            && !words.contains(['=', ';', '{', '}', '<', '>', '$'])
    });
    has_words && (line.len() - title.len() > 1 || is_apart)
}

/// Returns whether a line begins with a mark and a blank, or is the mark.
fn is_spaced(line: &str, mark: &str) -> bool {
    line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(is_blank))
}
