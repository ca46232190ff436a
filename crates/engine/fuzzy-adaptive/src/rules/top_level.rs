//! The old text is a line of the top level that the file lacks, or the head of a block, and the place is inside another
//! block.
//!
//! A single line at column 0 does not land on an indented line, if its first word begins a line at column 0. The brace
//! after a head does not land on the brace of another head.
//!
//! Example: file `use a::{  b,  };  fn f() {    use a::b::*;  }`, old `use a::b;`, new `use a::b;  use c;`.

use fuzzy_core::blank::leading;
use fuzzy_merge::{Kind, Rule, comment_mark, is_word};
use fuzzy_search::{Needle, Place, Search};

use crate::blocks::Lines;

pub(crate) static RULE: Rule =
    Rule { name: "top-level", kind: Kind::Place, why: "the place is inside a block that the old text is not in" };

/// Returns whether a line of the needle, or the end of a head, is inside another block at the place.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    is_inner_line(search, needle, place) || has_other_brace(search, needle, place)
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

/// Returns whether the file has a line between a head and its brace that is a head of its own.
fn has_other_brace(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    place.pairs.windows(2).any(|pairs| {
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
    })
}
