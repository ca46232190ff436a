//! Pairs what two sequences have in common.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// A table of more cells is not filled: what stands once in both sequences parts them instead.
const CELLS: usize = 1 << 14;

/// Nor is a larger one between two such elements, of which there may be many.
const CELLS_BETWEEN: usize = 1 << 12;

/// Returns pairs of equal elements, both places rising, as many as there can be.
///
/// Where the table would be too large, elements that stand once in both sequences are paired first, and of what lies
/// between two of them equal ends alone if that is still too much.
///
/// # Complexity
///
/// O(n + m) comparisons, a logarithm for the elements that stand once, and so many cells of a table for each element.
pub(crate) fn common(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    within(a, b, (0..a.len(), 0..b.len()), true, &mut pairs);
    pairs
}

fn within(
    a: &[u64],
    b: &[u64],
    (mut x, mut y): (Range<usize>, Range<usize>),
    parts: bool,
    out: &mut Vec<(usize, usize)>,
) {
    while !x.is_empty() && !y.is_empty() && a[x.start] == b[y.start] {
        out.push((x.start, y.start));
        (x.start, y.start) = (x.start + 1, y.start + 1);
    }
    let mut behind = 0;
    while !x.is_empty() && !y.is_empty() && a[x.end - 1] == b[y.end - 1] {
        (x.end, y.end) = (x.end - 1, y.end - 1);
        behind += 1;
    }
    let ends = (x.end, y.end);
    if !x.is_empty() && !y.is_empty() {
        if x.len().saturating_mul(y.len()) <= if parts { CELLS } else { CELLS_BETWEEN } {
            table(a, b, x, y, out);
        } else if parts {
            let (mut from, mut to) = (x.start, y.start);
            for (i, j) in anchors(a, b, x.clone(), y.clone()) {
                within(a, b, (from..i, to..j), false, out);
                out.push((i, j));
                (from, to) = (i + 1, j + 1);
            }
            within(a, b, (from..x.end, to..y.end), false, out);
        }
    }
    out.extend((0..behind).map(|at| (ends.0 + at, ends.1 + at)));
}

/// Pairs by the table of the longest common subsequence.
fn table(a: &[u64], b: &[u64], x: Range<usize>, y: Range<usize>, out: &mut Vec<(usize, usize)>) {
    let (a, b) = (&a[x.clone()], &b[y.clone()]);
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            out.push((x.start + i, y.start + j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

/// Pairs elements that stand once in both stretches: the longest rising run of them.
fn anchors(a: &[u64], b: &[u64], x: Range<usize>, y: Range<usize>) -> Vec<(usize, usize)> {
    let once = |of: &[u64], range: Range<usize>| {
        let mut places: FxHashMap<u64, Option<usize>> = FxHashMap::default();
        for at in range {
            places.entry(of[at]).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (left, right) = (once(a, x.clone()), once(b, y));
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

/// Returns the stretches between pairs, where both sequences have something.
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
