//! Merges the rims of changed lines: the marks and remarks that a line begins or ends with.
//!
//! Who miscopies the mark that ends a line often writes the new line with the same slip. However much of the line the
//! edit changes, its rims are then the file's.

use std::ops::Range;

use crate::align::texts::Texts;
use crate::text::tokens::{Class, Tokens};

/// Tokens of the file that stay where the new text has others, or none, as the needle has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joint {
    pub(crate) file: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Returns the rims of the lines that the edit changes, where file and needle differ in them and the new text has the
/// needle's.
pub(crate) fn rims(texts: &Texts<'_>) -> Vec<Joint> {
    let (file, needle, new) = (&texts.file, &texts.needle, &texts.new);
    let mut found = Vec::new();
    for (line, ours) in partners(texts) {
        if !texts.touched[line] {
            continue;
        }
        let tokens = needle.on_line(line);
        let known = |token: &usize| texts.in_file[*token].map(|partner| (*token, partner));
        let (Some((first, begins)), Some((last, ends))) =
            (tokens.clone().find_map(|token| known(&token)), tokens.clone().rev().find_map(|token| known(&token)))
        else {
            continue;
        };
        let ours = new.on_line(ours);
        let head = (file.line_of(begins).start..begins, tokens.start..first);
        let tail = (ends + 1..file.line_of(ends).end, last + 1..tokens.end);
        for ((theirs, slip), at_end) in [(head, false), (tail, true)] {
            let same = file.ids(theirs.clone()).eq(needle.ids(slip.clone()));
            let only_theirs = theirs.clone().all(|token| texts.is_unknown(token));
            if same || !only_theirs || !is_rim(file, &theirs) || !is_rim(needle, &slip) || slip.len() >= ours.len() {
                continue;
            }
            let of = |length: usize| {
                if at_end {
                    ours.end.saturating_sub(length).max(ours.start)..ours.end
                } else {
                    ours.start..(ours.start + length).min(ours.end)
                }
            };
            let has_theirs = !theirs.is_empty() && file.ids(theirs.clone()).eq(new.ids(of(theirs.len())));
            let rim = of(slip.len());
            let beside = if at_end { rim.start.checked_sub(1) } else { Some(rim.end) };
            let marked = beside.is_some_and(|token| token < new.len() && new.class(token) == Class::Separator);
            if !has_theirs && needle.ids(slip).eq(new.ids(rim.clone())) && !marked {
                found.push(Joint { file: theirs, new: rim });
            }
        }
    }
    found
}

/// Returns whether tokens are no words, but for those of a remark.
fn is_rim(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    range.clone().all(|token| match tokens.class(token) {
        Class::Separator => true,
        Class::Opener | Class::Closer | Class::Quote | Class::Word => false,
        _ => !tokens.items[token].word,
    })
}

/// Returns the lines of the needle with those of the new text that they become.
fn partners(texts: &Texts<'_>) -> Vec<(usize, usize)> {
    let rows = |tokens: &Tokens<'_>| -> Vec<usize> {
        (0..tokens.lines()).filter(|&line| !tokens.on_line(line).is_empty()).collect()
    };
    let (ours, theirs) = (rows(&texts.needle), rows(&texts.new));
    let kept = |line: usize| {
        let mut kept = texts.needle.on_line(line).filter_map(|token| texts.in_new[token]);
        let row = texts.new.items[kept.next()?].line as usize;
        kept.all(|token| texts.new.items[token].line as usize == row).then_some(row)
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = (0, 0);
    let ends = (0..ours.len()).filter_map(|at| Some((at, theirs.binary_search(&kept(ours[at])?).ok()?)));
    for (at, row) in ends.chain([(ours.len(), theirs.len())]) {
        if row < from.1 {
            continue;
        }
        // As many lines as before took the place of those that the edit rewrites.
        if at - from.0 == row - from.1 {
            found.extend((from.0..at).zip(from.1..row).map(|(at, row)| (ours[at], theirs[row])));
        }
        if at < ours.len() {
            found.push((ours[at], theirs[row]));
        }
        from = (at + 1, row + 1);
    }
    found
}
