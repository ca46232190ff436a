//! Finds how far a place reaches beyond what the needle has: lines that the needle has forgotten at its ends, and the
//! new text has not.

use std::ops::Range;

use crate::fold::{equal_but_blanks, is_blank, key};

/// Lines with fewer letters than this stand everywhere.
const TELLING: u32 = 6;

/// Widens a span by the lines beside it that the new text brings at its ends: the needle has forgotten them, or the
/// edit was made already.
///
/// Only where all of the lines stand there that the new text has beyond the needle's: a part of them, a `}` above all,
/// stands anywhere.
pub(crate) fn extended(document: &str, span: Range<usize>, needle: &str, new: &str) -> Range<usize> {
    let old: Vec<&str> = full_lines(needle).collect();
    let new: Vec<&str> = full_lines(new).collect();
    let after = brought(&old, &new, |lines| lines.to_vec());
    let before = brought(&old, &new, |lines| lines.iter().rev().copied().collect());
    let end = after.and_then(|lines| {
        let mut end = span.end;
        for line in lines {
            let (at, found) = next_line(document, end)?;
            if !equal_but_blanks(found, line) {
                return None;
            }
            end = at;
        }
        Some(end)
    });
    let start = before.and_then(|lines| {
        let mut start = span.start;
        for line in lines {
            let (at, found) = line_before(document, start)?;
            if !equal_but_blanks(found, line) {
                return None;
            }
            start = at;
        }
        Some(start)
    });
    start.unwrap_or(span.start)..end.unwrap_or(span.end)
}

fn full_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !line.chars().all(is_blank))
}

/// Returns the new lines beyond the needle's last one, in an order in which `from` puts both.
fn brought<'t>(
    old: &[&'t str],
    new: &[&'t str],
    from: impl Fn(&[&'t str]) -> Vec<&'t str>,
) -> Option<Vec<&'t str>> {
    let (old, new) = (from(old), from(new));
    let last = old.last()?;
    let at = new.iter().rposition(|line| equal_but_blanks(line, last))?;
    let lines = new[at + 1..].to_vec();
    (lines.iter().map(|line| key(line).word).sum::<u32>() >= TELLING).then_some(lines)
}

/// Returns the next line from `start` on that is not blank, and where it ends.
fn next_line(document: &str, start: usize) -> Option<(usize, &str)> {
    let mut at = start;
    for line in document[start..].split_inclusive('\n') {
        at += line.len();
        if !line.chars().all(is_blank) {
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
        if !line.chars().all(is_blank) {
            return Some((at, line));
        }
    }
    None
}
