//! The differences of two sequences, as Python's `difflib.SequenceMatcher(None, a, b, autojunk=False)` finds them.
//!
//! Other diffs are as good, but they cut a change at other lines, and these decide whether a change is in its target.
//! Python's steps for junk are omitted: nothing is junk here, and without junk they have no effect. Cost: in the worst
//! case quadratic in the pairs of equal elements, and linear if few elements occur twice.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// Elements of one sequence that the other replaces; one of the two ranges may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// A range of elements that both sequences have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    before: usize,
    after: usize,
    len: usize,
}

/// Returns the changes from `before` to `after`, in order.
pub(crate) fn changes<T: Eq + Hash>(before: &[T], after: &[T]) -> Vec<Change> {
    let mut places: HashMap<&T, Vec<usize>> = HashMap::new();
    for (index, element) in after.iter().enumerate() {
        places.entry(element).or_default().push(index);
    }
    let equals: Vec<&[usize]> =
        before.iter().map(|element| places.get(element).map_or(&[][..], Vec::as_slice)).collect();
    let mut blocks = Vec::new();
    let mut open = vec![(0..before.len(), 0..after.len())];
    while let Some((left, right)) = open.pop() {
        let Some(block) = longest(&equals, left.clone(), &right) else { continue };
        blocks.push(block);
        open.push((left.start..block.before, right.start..block.after));
        open.push((block.before + block.len..left.end, block.after + block.len..right.end));
    }
    blocks.sort_unstable();
    blocks.push(Block { before: before.len(), after: after.len(), len: 0 });
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    for block in blocks {
        if i < block.before || j < block.after {
            changes.push(Change { before: i..block.before, after: j..block.after });
        }
        (i, j) = (block.before + block.len, block.after + block.len);
    }
    changes
}

/// Finds the longest common block of both ranges; of equally long ones the first in `left`, then the first in `right`.
fn longest(equals: &[&[usize]], left: Range<usize>, right: &Range<usize>) -> Option<Block> {
    let mut best: Option<Block> = None;
    // The ends and lengths of the blocks that reach to the previous element, in ascending order.
    let mut above: Vec<(usize, usize)> = Vec::new();
    for i in left {
        let mut row = Vec::new();
        let mut rest = above.iter().peekable();
        let from = equals[i].partition_point(|j| *j < right.start);
        for &j in equals[i][from..].iter().take_while(|j| **j < right.end) {
            while rest.next_if(|(end, _)| end + 1 < j).is_some() {}
            let len = 1 + rest.next_if(|(end, _)| end + 1 == j).map_or(0, |(_, len)| *len);
            row.push((j, len));
            if best.is_none_or(|best| len > best.len) {
                best = Some(Block { before: i + 1 - len, after: j + 1 - len, len });
            }
        }
        above = row;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::changes;

    /// Two texts, compared by character, and the changes that Python 3 finds: `before` and `after`, ends excluded.
    type Recorded = (&'static str, &'static str, &'static [(usize, usize, usize, usize)]);

    const RECORDED: &[Recorded] = &[
        ("", "ab", &[(0, 0, 0, 2)]),
        ("ab", "", &[(0, 2, 0, 0)]),
        ("abc", "xyz", &[(0, 3, 0, 3)]),
        ("qabxcd", "abycdf", &[(0, 1, 0, 0), (3, 4, 2, 3), (6, 6, 5, 6)]),
        ("abcabc", "cab", &[(0, 2, 0, 0), (5, 6, 3, 3)]),
        ("aaaa", "aa", &[(2, 4, 2, 2)]),
        ("abab", "baba", &[(0, 0, 0, 1), (3, 4, 4, 4)]),
        ("aabbaabb", "abababab", &[(0, 1, 0, 0), (3, 3, 2, 3), (5, 5, 5, 6), (7, 8, 8, 8)]),
        ("abracadabra", "cadabraabr", &[(0, 4, 0, 0), (11, 11, 7, 10)]),
        ("oneonetwo", "twooneone", &[(0, 0, 0, 3), (6, 9, 9, 9)]),
        ("baaaccab", "abcacabbcabac", &[(0, 0, 0, 1), (1, 1, 2, 3), (2, 5, 4, 4), (8, 8, 7, 13)]),
        ("acbbbcababcccc", "caacaaaccab", &[(0, 0, 0, 2), (2, 5, 4, 8), (8, 14, 11, 11)]),
        ("bbbbaccccbb", "aacaccaacbac", &[(0, 3, 0, 9), (6, 11, 12, 12)]),
    ];

    #[test]
    fn finds_the_changes_that_python_finds() {
        for (before, after, recorded) in RECORDED {
            let [left, right] = [before, after].map(|text| text.chars().collect::<Vec<_>>());
            let found: Vec<_> = changes(&left, &right)
                .iter()
                .map(|change| (change.before.start, change.before.end, change.after.start, change.after.end))
                .collect();
            assert_eq!(found, *recorded, "{before:?} to {after:?}");
        }
    }
}
