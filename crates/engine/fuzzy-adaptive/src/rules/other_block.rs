//! Two lines of the old text are in one block there, and in two of the file.
//!
//! A gap in the old text, or an elision, ends with the body that it is in: the line after it is a sibling's.
//!
//! Example: file `def f():  a()  return 1  def g():  b()  return 2`, old `def f():  ...  return 2`, new `def f():  ...
//! return 3`.

use std::ops::Range;

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
    place.pairs.windows(2).enumerate().any(|(at, pairs)| {
        let [last, pair] = pairs else { return false };
        let (ours, theirs) = (last.left.end..pair.left.start, last.right.end..pair.right.start);
        if theirs.is_empty() {
            return false;
        }
        let is_out = |head: &Pair| leaves(index, head.right.start, pair.right.start);
        let is_elided = needle.lines[ours].iter().any(|line| line.elision);
        let leaves_head = head_of(needle, &place.pairs[..=at], pair).is_some_and(|head| {
            // Else the needle may only lack the line that begins the other block.
            is_out(head) && (is_elided || repeats(search, needle, head.left.end..pair.left.start, theirs))
        });
        leaves_head || (!is_elided && is_out(last))
    })
}

/// Returns the pair of the line that begins the block of a pair's line: the next one above with less indentation.
fn head_of<'p>(needle: &Needle<'_>, before: &'p [Pair], pair: &Pair) -> Option<&'p Pair> {
    let head = needle.head(pair.left.start)?;
    before.iter().rfind(|pair| pair.left.contains(&head))
}

/// Returns whether the file has lines of the needle again, among lines that the needle lacks.
fn repeats(search: &Search<'_>, needle: &Needle<'_>, ours: Range<usize>, theirs: Range<usize>) -> bool {
    let mut keys = needle.lines[ours].iter().map(|line| line.key).filter(|key| key.word > 0);
    keys.any(|key| search.index.lines[theirs.clone()].iter().any(|line| line.key == key))
}

/// Returns whether a line that begins a block has another one in it than `line`, which is deeper, too.
fn leaves(index: &impl Lines, head: usize, line: usize) -> bool {
    index.depth(head) < index.depth(line) && index.depth(head) < index.depth(head + 1) && index.ends_block(head, line)
}
