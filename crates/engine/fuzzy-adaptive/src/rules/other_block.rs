//! Two lines of the old text are in one block there, and in two of the file.
//!
//! A gap in the old text, or an elision, ends with the body that it is in: the line after it is a sibling's.
//!
//! Example: file `def f():  a()  return 1  def g():  b()  return 2`, old `def f():  ...  return 2`, new `def f():  ...
//! return 3`.

use fuzzy_alignment::{Needle, Place, Search};
use fuzzy_merge::{Kind, Pair, Rule};

use crate::blocks::Lines;

pub(crate) static RULE: Rule = Rule {
    name: "other-block",
    kind: Kind::Place,
    why: "the head and the body of the old text belong to two blocks of the file",
};

/// Returns whether a line of the needle left the block that it is in.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    let index = &search.index;
    (1..place.pairs.len()).any(|at| {
        let (before, pair) = (&place.pairs[..at], &place.pairs[at]);
        let is_gap = before[at - 1].right.end < pair.right.start;
        is_gap && head_of(needle, before, pair).is_some_and(|head| leaves(index, head.right.start, pair.right.start))
    })
}

/// Returns the pair of the line that may begin the block of a pair's line: the one before, or, before an elision, the
/// next one above with less indentation. Else the needle may only lack the line that begins another block.
fn head_of<'p>(needle: &Needle<'_>, before: &'p [Pair], pair: &Pair) -> Option<&'p Pair> {
    let (last, depth) = (before.last()?, needle.depth(pair.left.start));
    if !needle.lines[last.left.end..pair.left.start].iter().any(|line| line.elision) {
        return Some(last);
    }
    let is_above = |line: &usize| needle.depth(*line) < depth && !needle.is_bracket(*line);
    let head = (0..pair.left.start).rev().find(is_above)?;
    before.iter().rfind(|pair| pair.left.contains(&head))
}

/// Returns whether a line that begins a block has another one in it than `line`, which is deeper, too.
fn leaves(index: &impl Lines, head: usize, line: usize) -> bool {
    index.depth(head) < index.depth(line) && index.depth(head) < index.depth(head + 1) && index.ends_block(head, line)
}
