//! Two lines of the old text are in one block there, and in two of the file.
//!
//! Every block that the old text has around a changed line is around it in the file, too. Else the place is a sibling of
//! the intended one: the alignment may pair the head with the one, and the body with the other, or leave out the head.
//! A gap in the old text, or an elision, ends with the body that it is in: the line after it is a sibling's.
//!
//! Example: file `def f():  a()  return 1  def g():  b()  return 2`, old `def f():  ...  return 2`, new `def f():  ...
//! return 3`.

use std::ops::Range;

use fuzzy_locate::{Index, Needle, Place, Search, tokens};
use fuzzy_merge::{Kind, Pair, Rule, is_word};

use super::line_elsewhere::is_same;
use crate::blocks::{LinePair, Lines};

pub(crate) static RULE: Rule = Rule {
    name: "other-block",
    kind: Kind::Place,
    why: "the head and the body of the old text belong to two blocks of the file",
};

/// Returns the line that begins the block of the old text, if it is apart from the place. `changed` are the bytes that the edit changes.
pub(crate) fn check(
    search: &Search<'_>,
    needle: &Needle<'_>,
    place: &Place,
    changed: &Range<usize>,
) -> Option<LinePair> {
    let mut last: Option<&Pair> = None;
    let touched = place.pairs.iter().filter(|pair| is_touched(search, pair, changed)).filter(|&pair| {
        // Neighbours have the same blocks: a long list is not searched for the head of each item.
        let is_same = last.is_some_and(|last| is_neighbour(search, needle, last, pair));
        last = Some(pair);
        !is_same
    });
    let mut elsewhere = touched.filter_map(|pair| block_elsewhere(search, needle, place, pair));
    elsewhere.next().or_else(|| left_block(search, needle, place))
}

/// Returns whether the line of a pair follows that of another one, as deep, in both texts.
fn is_neighbour(search: &Search<'_>, needle: &Needle<'_>, last: &Pair, pair: &Pair) -> bool {
    let is_as_deep = needle.depth(last.left.start) == needle.depth(pair.left.start)
        && search.index.depth(last.right.start) == search.index.depth(pair.right.start);
    is_as_deep && (last.left.end, last.right.end) == (pair.left.start, pair.right.start)
}

/// Returns whether the file's line of a pair overlaps changed bytes, or is the line before inserted ones.
fn is_touched(search: &Search<'_>, pair: &Pair, changed: &Range<usize>) -> bool {
    let (first, last) = (search.index.lines[pair.right.start], search.index.lines[pair.right.end - 1]);
    first.start < changed.end && changed.start <= last.end + 1
}

/// Returns the line that begins a block of the needle around a pair's line, if none of the file's blocks
/// around this line begins with it, and the file has another one instead.
fn block_elsewhere(search: &Search<'_>, needle: &Needle<'_>, place: &Place, pair: &Pair) -> Option<LinePair> {
    let index = &search.index;
    let (ours, theirs) = (pair.left.start, pair.right.start);
    let is_paired = |at: usize| place.pairs.iter().any(|pair| pair.right.contains(&at));
    needle.heads(ours).filter(|&head| needle.heads_block(head) && !needle.closes_block(head, ours)).find_map(|head| {
        let line = &needle.lines[head];
        let found = search.places.get(&line.key).filter(|found| !line.elision && found.count == found.lines.len())?;
        // The search for the heads of a line in column 0 ends at the beginning of the file: most heads are found before.
        if index.heads(theirs).any(|at| found.lines.contains(&at) || is_same(search, needle, head, at)) {
            return None;
        }
        // A deeper line, or one less deep, may be a first line that lost its indentation.
        let level = (index.depth(theirs) + needle.depth(head)).checked_sub(needle.depth(ours))?;
        let is_level = |at: &usize| index.depth(*at) == level;
        let mut others = index.heads(theirs).filter(|&at| index.heads_block(at) && !is_paired(at));
        let is_other = others.any(|at| is_level(&at)) && !is_extra(place, head);
        let theirs = found.lines.iter().copied().find(is_level).filter(|&at| is_other && index.heads_block(at))?;
        Some(LinePair { ours: head, theirs })
    })
}

/// Returns whether the file has no line between those of the lines around a line of the needle: it is an extra one.
fn is_extra(place: &Place, at: usize) -> bool {
    let after = place.pairs.partition_point(|pair| pair.left.end <= at);
    let Some([before, next]) = after.checked_sub(1).and_then(|before| place.pairs.get(before..before + 2)) else {
        return false;
    };
    !next.left.contains(&at) && before.right.end == next.right.start
}

/// Returns the line that begins the block of a pair, if the next pair is outside of it without a gap in the needle's
/// blocks.
fn left_block(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> Option<LinePair> {
    let index = &search.index;
    let first = place.pairs.first()?.right.start;
    // Records of one line are a list, and a forgotten line of it is no other record.
    let has_records = first + 1 < index.lines.len() && !begins_as(index, first, first + 1);
    let left = place.pairs.windows(2).find(|pairs| {
        let [last, pair] = pairs else { return false };
        let is_elided = needle.lines[last.left.end..pair.left.start].iter().any(|line| line.elision);
        let is_left = || {
            leaves(index, last.right.start, pair.right.start)
                || (has_records && (last.right.end..pair.right.start).any(|at| begins_as(index, first, at)))
        };
        last.right.end < pair.right.start && !is_elided && is_left()
    });
    left.map(|pairs| LinePair { ours: pairs[0].left.start, theirs: pairs[0].right.start })
}

/// Returns whether a line begins a record as the `first` one does: it is as deep, has the same marks, and the same first
/// word, a number for a number, or one word before its only mark.
fn begins_as(index: &Index<'_>, first: usize, at: usize) -> bool {
    let [one, other] = [first, at].map(|line| index.line(line).trim());
    let is_mark = |token: &&str| !token.starts_with(is_word);
    let texts = [one, other].map(|line| tokens(line, 0).map(|token| &line[token]).collect::<Vec<_>>());
    let [marks, other_marks] = texts.each_ref().map(|texts| texts.iter().copied().filter(is_mark));
    let words = texts.each_ref().map(|texts| texts.iter().copied().filter(|token| !is_mark(token)).collect::<Vec<_>>());
    let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
    let is_same_word = match [words[0].first(), words[1].first()] {
        [Some(one), Some(other)] => one == other || (is_number(one) && is_number(other)),
        _ => false,
    };
    let is_label = words.each_ref().map(Vec::len) == [1, 1] && texts[0].len() == 2;
    index.depth(first) == index.depth(at) && marks.eq(other_marks) && (is_same_word || is_label)
}

/// Returns whether a line that begins a block has another one in it than `line`, which is deeper, too.
fn leaves(index: &impl Lines, head: usize, line: usize) -> bool {
    index.depth(head) < index.depth(line) && index.depth(head) < index.depth(head + 1) && index.ends_block(head, line)
}
