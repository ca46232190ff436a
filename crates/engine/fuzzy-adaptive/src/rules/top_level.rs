//! The old text is a line of the top level that the file lacks, or the head of a block, and the place is inside another
//! block.
//!
//! A single line at column 0 does not land on an indented line, if its first word begins a line at column 0. The brace
//! after a head does not land on the brace of another head.
//!
//! Example: file `use a::{  b,  };  fn f() {    use a::b::*;  }`, old `use a::b;`, new `use a::b;  use c;`.

use fuzzy_core::blank::leading;
use fuzzy_locate::{Needle, Place, Search};
use fuzzy_merge::{Kind, Pair, Rule, comment_mark, is_word};

use crate::blocks::{LinePair, Lines};

pub(crate) static RULE: Rule =
    Rule { name: "top-level", kind: Kind::Place, why: "the place is inside a block that the old text is not in" };

/// Returns a line of the needle, or a head with the brace after it, that is inside another block at the place.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> Option<LinePair> {
    let inner = is_inner_line(search, needle, place).then(|| place.pairs.first()).flatten();
    let pair = inner.or_else(|| head_with_other_brace(search, needle, place))?;
    Some(LinePair { ours: pair.left.start, theirs: pair.right.start })
}

/// Returns whether the needle is one line at column 0, and the place is an indented one.
fn is_inner_line(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    let ([line], [pair]) = (&needle.lines[..], &place.pairs[..]) else { return false };
    let index = &search.index;
    let word = first_word(line.text);
    leading(line.text) == 0
        && pair.similarity < 1.0
        && leading(index.line(pair.right.start)) > 0
        && !word.is_empty()
        && (0..index.lines.len()).any(|at| first_word(index.line(at)) == word)
}

/// Returns the word at column 0 of a line.
fn first_word(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_word).len()]
}

/// Returns a head that the file has a line after, before the brace, that is a head of its own.
fn head_with_other_brace<'p>(search: &Search<'_>, needle: &Needle<'_>, place: &'p Place) -> Option<&'p Pair> {
    let mut heads = place.pairs.windows(2).filter(|pairs| {
        let (head, brace) = (&pairs[0], &pairs[1]);
        let is_brace = needle.lines[head.left.start].text.contains(is_word)
            && head.left.end == brace.left.start
            && needle.lines[brace.left.start].text.trim() == "{";
        let between = head.right.end..brace.right.start;
        let index = &search.index;
        let is_head = |at: usize| {
            index.depth(at) <= index.depth(head.right.start) && comment_mark(index.line(at).trim_start()).is_none()
        };
        is_brace && between.last().is_some_and(is_head)
    });
    heads.next().map(|pairs| &pairs[0])
}
