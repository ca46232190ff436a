//! The place has another line for one of the old text that the file has elsewhere.
//!
//! The place is then a sibling of the intended one. The other line is the one that the alignment pairs, or, for a line
//! that begins a block, the one that begins this block. A line with a comment after it is the same line.
//!
//! Example: file `import sys  import warnings  import pandas as pd  from pandas import NA`, old `import pandas as pd
//! import warnings`, new `import pandas as pd  import warnings  import time`.

use fuzzy_locate::{Needle, Place, Search};
use fuzzy_merge::{Kind, Pair, Rule, information};
use memchr::memmem;

use crate::blocks::{LinePair, Lines};

pub(crate) static RULE: Rule = Rule {
    name: "line-elsewhere",
    kind: Kind::Place,
    why: "a line of the old text occurs elsewhere, and the place has another one",
};

/// Returns the line of the needle that the file has elsewhere, and the place has another line for.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> Option<LinePair> {
    let paired = place.pairs.iter().filter(|pair| pair.is_one_to_one() && pair.similarity < 1.0);
    let mut paired = paired.filter_map(|pair| paired_elsewhere(search, needle, place, pair));
    paired.next().or_else(|| lost_lines(needle, place).find_map(|head| head_elsewhere(search, needle, place, head)))
}

/// Returns the only line of the file that has a line of the needle, if it is outside of the place, and the place has
/// another one.
fn paired_elsewhere(search: &Search<'_>, needle: &Needle<'_>, place: &Place, pair: &Pair) -> Option<LinePair> {
    let ours = pair.left.start;
    if is_same(search, needle, ours, pair.right.start) {
        return None;
    }
    let theirs = match elsewhere(search, needle, place, ours).as_deref() {
        Some([only]) => Some(*only),
        Some(_) => None,
        None => inside_elsewhere(search, needle, place, ours),
    };
    theirs.map(|theirs| LinePair { ours, theirs })
}

/// Returns the only line of the file that has a line of the needle as a part, if it is outside of the place. Only a long
/// line is evidence.
fn inside_elsewhere(search: &Search<'_>, needle: &Needle<'_>, place: &Place, at: usize) -> Option<usize> {
    let (index, line, (first, last)) = (&search.index, &needle.lines[at], place.lines());
    if line.elision || information(line.key) < 1.0 {
        return None;
    }
    let mut found = memmem::find_iter(index.text.as_bytes(), line.text.trim());
    let only = found.next().filter(|_| found.next().is_none())?;
    let at = index.lines.partition_point(|line| line.end <= only);
    (!(first..last).contains(&at)).then_some(at)
}

/// Returns whether a line of the file begins with one of the needle, as one with a comment after it does.
pub(super) fn is_same(search: &Search<'_>, needle: &Needle<'_>, ours: usize, theirs: usize) -> bool {
    search.index.line(theirs).trim_start().starts_with(needle.lines[ours].text.trim())
}

/// Returns the lines of the needle that the place lacks, where it has other lines, each with the file's line of the next
/// pair.
fn lost_lines<'p>(needle: &'p Needle<'_>, place: &'p Place) -> impl Iterator<Item = (usize, usize)> + 'p {
    let mut left = 0;
    let mut right = 0;
    place.pairs.iter().flat_map(move |pair| {
        let lost = left..if right < pair.right.start { pair.left.start } else { left };
        (left, right) = (pair.left.end, pair.right.end);
        lost.filter(|&at| !needle.lines[at].elision).map(|at| (at, pair.right.start))
    })
}

/// Returns a line of the file that equals a line which begins a block, if none is before `next` in its block.
fn head_elsewhere(
    search: &Search<'_>,
    needle: &Needle<'_>,
    place: &Place,
    (head, next): (usize, usize),
) -> Option<LinePair> {
    let index = &search.index;
    let found = elsewhere(search, needle, place, head)?;
    let is_head = needle.heads_block(head) || found.iter().any(|&at| index.heads_block(at));
    let is_near = |&at: &usize| at < next && !index.ends_block(at, next);
    let is_here = !is_head || is_same(search, needle, head, next - 1) || found.iter().any(is_near);
    found.first().filter(|_| !is_here).map(|&theirs| LinePair { ours: head, theirs })
}

/// Returns the lines of the file that equal a line of the needle; none if the place has one.
fn elsewhere(search: &Search<'_>, needle: &Needle<'_>, place: &Place, at: usize) -> Option<Vec<usize>> {
    let ((first, last), line) = (place.lines(), &needle.lines[at]);
    let found = search.places.get(&line.key).filter(|found| !line.elision && found.count == found.lines.len())?;
    let found: Vec<usize> = found.lines.clone();
    let is_here = found.iter().any(|at| (first..last).contains(at));
    (!is_here && !found.is_empty()).then_some(found)
}
