//! Signs that a range is not the intended one, or that an edit was made before.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{FileLines, Likeness, QuotedLines, has_word, is_word_part, tokens};
use crate::blank::{is_blank_text, trim, trim_end};

/// The lines below a range that show that it is too short.
const BELOW: usize = 3;

/// The words that a new text shares with the quotes, at least, if it shares no line with them.
const SHARED_WORDS: usize = 3;

/// Returns a new text without its last line break, and without the blank lines at its ends that its quotes have, too.
pub(super) fn without_context(new: &str, above: usize, below: usize) -> &str {
    let mut new = new.strip_suffix('\n').unwrap_or(new);
    for _ in 0..above {
        new = match new.split_once('\n') {
            Some((line, rest)) if is_blank_text(line) => rest,
            _ => break,
        };
    }
    for _ in 0..below {
        new = match new.rsplit_once('\n') {
            Some((rest, line)) if is_blank_text(line) => rest,
            _ => break,
        };
    }
    new
}

/// Returns the first line of `rest` at which the quote of the first lines occurs again, as much alike as at its place.
pub(super) fn first_again(
    lines: &FileLines<'_>,
    first: &QuotedLines<'_>,
    likeness: Likeness,
    rest: Range<usize>,
) -> Option<usize> {
    let last = rest.end.saturating_sub(first.lines.len());
    lines.places(&first.lines, likeness, rest.start).take_while(|at| *at <= last).next()
}

/// Returns the first line of `rest` that has the depth and the form of a line: the same first word and marks, and a word
/// for each word and a number for each number.
pub(super) fn form_again(lines: &FileLines<'_>, line: usize, mut rest: Range<usize>) -> Option<usize> {
    let (depth, form) = (lines.depth(line), form(lines.line(line)));
    rest.find(|at| lines.depth(*at) == depth && self::form(lines.line(*at)) == form)
}

/// Returns the first word and the marks of a line, with a letter for each other word and a digit for each number.
fn form(line: &str) -> Vec<&str> {
    let mut has_first = false;
    let form = tokens(line).map(|token| {
        let is_word = token.starts_with(is_word_part);
        let is_first = is_word && !has_first;
        has_first |= is_word;
        match token.chars().next() {
            _ if is_first || !is_word => token,
            Some(c) if c.is_ascii_digit() => "0",
            _ => "a",
        }
    });
    form.collect()
}

/// Returns the first line just below a range that is in the new text and not in the range. Marks alone are everywhere, but
/// the last line of a new text may be the one below.
pub(super) fn below_is_new(lines: &FileLines<'_>, range: &Range<usize>, new: &str) -> Option<usize> {
    let last = new.lines().next_back().map(trim_end);
    let new: HashSet<&str> = new.lines().map(trim_end).filter(|line| has_word(line) || Some(*line) == last).collect();
    let mut below = range.end..lines.len().min(range.end + BELOW);
    below.find(|at| {
        let line = trim_end(lines.line(*at));
        !line.is_empty() && new.contains(line) && !range.clone().any(|at| trim_end(lines.line(at)) == line)
    })
}

/// Returns the lines from `start` on that equal all lines of the new text, which are not blank.
pub(super) fn starts_with(lines: &FileLines<'_>, start: usize, new: &str) -> Option<Range<usize>> {
    let new = without_context(new, 0, 0);
    let quote: Vec<&str> = new.split('\n').collect();
    (!is_blank_text(new) && lines.has(&quote, Likeness::Equal, start)).then(|| start..start + quote.len())
}

/// Returns the lines beside others that equal all lines of the new text.
pub(super) fn is_beside(
    lines: &FileLines<'_>,
    beside: &Range<usize>,
    new: &str,
    is_below: bool,
) -> Option<Range<usize>> {
    let quote: Vec<&str> = new.split('\n').collect();
    let start = if is_below { Some(beside.end) } else { beside.start.checked_sub(quote.len()) };
    let start = start.filter(|start| lines.has(&quote, Likeness::Equal, *start))?;
    Some(start..start + quote.len())
}

/// Returns the span of the only lines that equal the new text, if it has something in common with the quotes of the lines
/// that it replaces, which are gone.
pub(super) fn only_new_lines(lines: &FileLines<'_>, new: &str, quotes: &[&str; 2]) -> Option<crate::Span> {
    let new = QuotedLines::read(new)?;
    let mut places = lines.places(&new.lines, Likeness::Equal, 0);
    let (at, None) = (places.next()?, places.next()) else { return None };
    let written: HashSet<&str> = new.lines.iter().map(|line| trim(line)).filter(|line| has_word(line)).collect();
    let shares_line = quotes.iter().flat_map(|quote| quote.lines()).any(|line| written.contains(trim(line)));
    let is_related = shares_line || {
        let words = |text: &'_ str| -> HashSet<String> {
            tokens(text).filter(|token| has_word(token)).map(str::to_owned).collect()
        };
        let known = words(&quotes.join("\n"));
        new.lines.iter().flat_map(|line| words(line)).collect::<HashSet<_>>().intersection(&known).count()
            >= SHARED_WORDS
    };
    is_related.then(|| lines.span(&(at..at + new.lines.len())))
}
