//! Pairs the common elements of two sequences.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Cells of the largest table, 64 KiB. Longer sequences are first split at elements that occur once in both.
const MAX_CELLS: usize = 1 << 14;

/// Cells of the largest table between two such elements, of which there may be many.
const MAX_CELLS_BETWEEN: usize = 1 << 10;

/// Returns the most pairs of equal elements, in ascending order in both sequences.
///
/// If the table would be too large, pairs the elements that occur once in both sequences first. If a stretch between
/// two of them is still too large, pairs only its equal ends.
///
/// # Complexity
///
/// O(n + m) comparisons, a logarithm for the elements that occur once, and [`MAX_CELLS_BETWEEN`] cells of a table for
/// each element.
pub(crate) fn common(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    within(a, b, 0..a.len(), 0..b.len(), true, &mut pairs);
    pairs
}

/// Pairs the stretch `x` of `a` with the stretch `y` of `b`; with `parts`, splits stretches too long for a table.
fn within(a: &[u64], b: &[u64], mut x: Range<usize>, mut y: Range<usize>, parts: bool, out: &mut Vec<(usize, usize)>) {
    while !x.is_empty() && !y.is_empty() && a[x.start] == b[y.start] {
        out.push((x.start, y.start));
        (x.start, y.start) = (x.start + 1, y.start + 1);
    }
    let mut after = 0;
    while !x.is_empty() && !y.is_empty() && a[x.end - 1] == b[y.end - 1] {
        (x.end, y.end) = (x.end - 1, y.end - 1);
        after += 1;
    }
    let ends = (x.end, y.end);
    if !x.is_empty() && !y.is_empty() {
        if x.len().saturating_mul(y.len()) <= if parts { MAX_CELLS } else { MAX_CELLS_BETWEEN } {
            table(a, b, x, y, out);
        } else if parts {
            let (mut from, mut to) = (x.start, y.start);
            for (i, j) in anchors(a, b, x.clone(), y.clone()) {
                within(a, b, from..i, to..j, false, out);
                out.push((i, j));
                (from, to) = (i + 1, j + 1);
            }
            within(a, b, from..x.end, to..y.end, false, out);
        }
    }
    out.extend((0..after).map(|at| (ends.0 + at, ends.1 + at)));
}

/// Pairs by the table of the longest common subsequence.
fn table(a: &[u64], b: &[u64], x: Range<usize>, y: Range<usize>, out: &mut Vec<(usize, usize)>) {
    let (left, right) = (&a[x.clone()], &b[y.clone()]);
    let width = right.len() + 1;
    let mut longest = vec![0_u32; (left.len() + 1) * width];
    for at in (0..left.len()).rev() {
        for to in (0..right.len()).rev() {
            let here = at * width + to;
            longest[here] = if left[at] == right[to] {
                longest[here + width + 1] + 1
            } else {
                longest[here + width].max(longest[here + 1])
            };
        }
    }
    let (mut at, mut to) = (0, 0);
    while at < left.len() && to < right.len() {
        let here = at * width + to;
        if left[at] == right[to] {
            out.push((x.start + at, y.start + to));
            (at, to) = (at + 1, to + 1);
        } else if longest[here + width] >= longest[here + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
}

/// Pairs elements that occur once in both stretches: the longest ascending run of them.
fn anchors(a: &[u64], b: &[u64], x: Range<usize>, y: Range<usize>) -> Vec<(usize, usize)> {
    let (left, right) = (only_places(a, x.clone()), only_places(b, y));
    let pairs: Vec<(usize, usize)> = x
        .filter(|&at| left[&a[at]].is_some())
        .filter_map(|at| right.get(&a[at]).copied().flatten().map(|other| (at, other)))
        .collect();
    // The pair that ends the best run of each length, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for at in 0..pairs.len() {
        let length = ends.partition_point(|&end| pairs[end].1 < pairs[at].1);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        run.push(pairs[at]);
        next = before[at];
    }
    run.reverse();
    run
}

/// Returns the only position of each element in a stretch; none for repeated ones.
fn only_places(of: &[u64], stretch: Range<usize>) -> FxHashMap<u64, Option<usize>> {
    let mut places = FxHashMap::default();
    for at in stretch {
        places.entry(of[at]).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

/// Returns the stretches between pairs that are empty in neither sequence.
pub(crate) fn gaps(pairs: &[(usize, usize)], left: usize, right: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let mut gaps = Vec::new();
    let (mut from, mut to) = (0, 0);
    for &(at, other) in pairs.iter().chain([&(left, right)]) {
        if from < at && to < other {
            gaps.push((from..at, to..other));
        }
        (from, to) = (at + 1, other + 1);
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzy_testkit::texts;
    use proptest::prelude::*;

    /// Returns the length of the longest common subsequence, by the definition.
    fn longest(a: &[u64], b: &[u64]) -> usize {
        match (a, b) {
            ([], _) | (_, []) => 0,
            ([x, a @ ..], [y, b @ ..]) if x == y => 1 + longest(a, b),
            ([_, rest @ ..], [_, other @ ..]) => longest(rest, b).max(longest(a, other)),
        }
    }

    fn occurs_once(of: &[u64], id: u64) -> bool {
        of.iter().filter(|other| **other == id).count() == 1
    }

    fn assert_pairs(a: &[u64], b: &[u64], pairs: &[(usize, usize)]) {
        assert!(pairs.iter().all(|(at, other)| a[*at] == b[*other]));
        assert!(pairs.windows(2).all(|pairs| pairs[0].0 < pairs[1].0 && pairs[0].1 < pairs[1].1));
    }

    proptest! {
        #![proptest_config(texts::config())]

        #[test]
        fn the_most_pairs_are_found(a in prop::collection::vec(0..4_u64, 0..9), b in prop::collection::vec(0..4_u64, 0..9)) {
            let pairs = common(&a, &b);
            assert_pairs(&a, &b, &pairs);
            prop_assert_eq!(pairs.len(), longest(&a, &b));
        }

        #[test]
        fn long_sequences_are_paired_at_unique_elements(a in prop::collection::vec(0..900_u64, 300), b in prop::collection::vec(0..900_u64, 300)) {
            let pairs = common(&a, &b);
            assert_pairs(&a, &b, &pairs);
            prop_assert!(!pairs.is_empty() || !a.iter().any(|id| occurs_once(&a, *id) && occurs_once(&b, *id)));
        }
    }

    #[test]
    fn a_block_is_found_in_a_long_sequence() {
        let a: Vec<u64> = (0..3_000).collect();
        let b: Vec<u64> = (10_000..12_000).chain(1_000..1_100).chain(20_000..22_000).collect();
        assert_eq!(common(&a, &b), (0..100).map(|at| (1_000 + at, 2_000 + at)).collect::<Vec<_>>());
    }
}
