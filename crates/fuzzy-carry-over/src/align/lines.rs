//! Aligns the lines of two texts, allowing missing, extra, wrapped and joined lines.
//!
//! Blank lines take no part: leave them out. Time and space: O(n·m) for n and m lines, with an
//! edit distance only for those lines of the first text that occur nowhere in the second.

use rapidfuzz::distance::indel;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::text::fold::{self, Key};
use crate::text::lines::Line;
use crate::text::tokens::small;

/// Two lines less similar than this are not one line, changed.
const LEAST_SIMILARITY: f32 = 0.5;

/// A line is at most this many lines of the other text: longer wraps are rare, and every step
/// allowed costs a table.
const LONGEST_WRAP: u8 = 4;

/// What leaving out a line of the first text costs, as a share of its weight: less than half
/// of what pairing it well brings, so that one foreign line never hides its neighbours.
const EXTRA: f32 = 0.25;

/// What leaving out the first or the last line costs besides: a place whose ends are known is
/// better than one that explains a little more somewhere else.
const UNPINNED: f32 = 0.3;

/// What is left of a cut line must have this many characters; more where it is the whole needle.
const SHORTEST_CUT: usize = 4;
const SHORTEST_LONE_CUT: usize = 10;

/// How alike a line is to the first or last line of the other text that was cut out of it.
const CUT: f32 = 0.9;

/// What starting, and prolonging, a run of lines that only the second text has costs.
/// A forgotten block of ten lines is hardly less likely than one of a single line.
const MISSING_OPEN: f32 = 0.06;
const MISSING_MORE: f32 = 0.025;

/// What each line costs that an "and so on" stands for: nearly nothing, but the nearest line after it is meant.
const ELIDED_MORE: f32 = 2e-5;

/// What equal keys of unequal texts cost: just enough to prefer the equal text.
const UNEQUAL: f32 = 0.02;

/// Lines longer than about 5,000 characters are compared by their keys alone: an edit distance
/// takes the product of the lengths.
const LONGEST_COMPARISON: usize = 25_000_000;

/// The bounds of the table of one alignment: about five milliseconds of work, and 6 MB.
const MOST_CELLS: usize = 1_000_000;

/// The bounds of the product of lengths of all pairs that one alignment compares by similarity: about two
/// milliseconds of work. A pair of short lines costs as much as one of [`SHORT_COMPARISON`].
const MOST_COMPARISONS: usize = 100_000_000;
const SHORT_COMPARISON: usize = 25_000;

/// Pairs some lines of the first text with some of the second; one of the two ranges has
/// length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first line and the number of lines in the first text.
    pub left: (usize, usize),
    /// The first line and the number of lines in the second text.
    pub right: (usize, usize),
    /// How alike they are; 1 when their keys are equal.
    pub similarity: f32,
}

impl Pair {
    /// Pairs one line with one line that equals it.
    #[must_use]
    pub const fn equal(left: usize, right: usize) -> Self {
        Self { left: (left, 1), right: (right, 1), similarity: 1.0 }
    }
}

/// The outcome of [`align`].
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// The pairs in order; they never cross.
    pub pairs: Vec<Pair>,
    /// Sums what was paired, less what was left out.
    pub score: f32,
}

const STOP: u8 = 0;
const PAIR: u8 = 1;
const EXTRA_STEP: u8 = 2;
const MISSING_STEP: u8 = 3;
const WRAP: u8 = 4;
const OPENED: u8 = 1;

/// Aligns `left` with `right`. With `free`, the lines of `right` before the first pair and after
/// the last one cost nothing.
///
/// Long texts are cut at lines that both have once; a stretch that stays too long is left unpaired.
#[must_use]
pub fn align(left: &[Line<'_>], right: &[Line<'_>], free: bool) -> Alignment {
    if left.len().saturating_mul(right.len()) <= MOST_CELLS {
        return by_table(left, right, free);
    }
    let mut whole = Alignment::default();
    let mut from = (0, 0);
    let anchors = anchors(left, right);
    let ends = anchors.iter().copied().chain([(left.len(), right.len())]);
    for (number, (i, j)) in ends.enumerate() {
        // Before the first anchor only the lines nearest to it can belong to the needle.
        let reach = 2 * (i - from.0) + 16;
        let start = if free && number == 0 { j.saturating_sub(reach).max(from.1) } else { from.1 };
        let end = if free && i == left.len() { j.min(start + reach) } else { j };
        if (i - from.0).saturating_mul(end - start) <= MOST_CELLS {
            let part = by_table(&left[from.0..i], &right[start..end], free && i == left.len());
            whole.score += part.score;
            whole.pairs.extend(part.pairs.into_iter().map(|pair| Pair {
                left: (pair.left.0 + from.0, pair.left.1),
                right: (pair.right.0 + start, pair.right.1),
                ..pair
            }));
        }
        if i < left.len() {
            whole.pairs.push(Pair::equal(i, j));
            whole.score += left[i].weight;
            from = (i + 1, j + 1);
        }
    }
    whole
}

/// Finds lines that occur once in each text and ascend in both: the longest such sequence.
fn anchors(left: &[Line<'_>], right: &[Line<'_>]) -> Vec<(usize, usize)> {
    let (ours, theirs) = (only_places(left), only_places(right));
    let common: Vec<(usize, usize)> = left
        .iter()
        .enumerate()
        .filter(|(at, line)| line.key.word >= 3 && ours[&line.key] == Some(*at))
        .filter_map(|(at, line)| Some((at, (*theirs.get(&line.key)?)?)))
        .collect();
    // Patience: `tops` holds, for each length, the pair with the smallest end that closes a
    // sequence of it.
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; common.len()];
    for (number, &(_, j)) in common.iter().enumerate() {
        let at = tops.partition_point(|&top| common[top].1 < j);
        before[number] = at.checked_sub(1).map(|previous| tops[previous]);
        if at == tops.len() {
            tops.push(number);
        } else {
            tops[at] = number;
        }
    }
    let mut found: Vec<(usize, usize)> =
        std::iter::successors(tops.last().copied(), |&number| before[number]).map(|number| common[number]).collect();
    found.reverse();
    found
}

/// Returns for every key where its only line is; `None` where there are several.
fn only_places(lines: &[Line<'_>]) -> FxHashMap<Key, Option<usize>> {
    let mut found = FxHashMap::default();
    for (at, line) in lines.iter().enumerate() {
        found.entry(line.key).and_modify(|place| *place = None).or_insert(Some(at));
    }
    found
}

fn by_table(left: &[Line<'_>], right: &[Line<'_>], free: bool) -> Alignment {
    let (n, m) = (left.len(), right.len());
    if n == 0 || m == 0 {
        return Alignment::default();
    }
    let similar = similarities(left, right);
    let wraps = wraps(left, right);
    let width = m + 1;
    let mut trace = vec![STOP; (n + 1) * width];
    let mut opened = vec![0u8; (n + 1) * width];
    // `best` holds the rows' values; `run` the best value that ends in a missing line.
    let mut best = vec![0f32; (n + 1) * width];
    let mut run = vec![f32::NEG_INFINITY; width];
    for j in 1..=m {
        if !free {
            best[j] = -(MISSING_OPEN + MISSING_MORE * j as f32);
            trace[j] = MISSING_STEP;
            opened[j] = u8::from(j == 1);
        }
    }
    for i in 1..=n {
        let line = &left[i - 1];
        let row = i * width;
        let above = row - width;
        let end = free && n > 1 && (i == 1 || i == n);
        let extra = if line.elision { 0.0 } else { EXTRA * line.weight + 0.01 + if end { UNPINNED } else { 0.0 } };
        best[row] = best[above] - extra;
        trace[row] = EXTRA_STEP;
        run[0] = f32::NEG_INFINITY;
        // After an elision, and after the last line, missing lines are free.
        let (open, more) = if free && i == n {
            (0.0, 0.0)
        } else if line.elision || (i < n && left[i].elision) {
            (0.0, ELIDED_MORE)
        } else {
            (MISSING_OPEN, MISSING_MORE)
        };
        for j in 1..=m {
            let mut value = best[above + j] - extra;
            let mut step = EXTRA_STEP;
            let other = &right[j - 1];
            let similarity = similarity(left, right, &similar, (i - 1, j - 1));
            if similarity > 0.0 {
                let mut paired = best[above + j - 1] + line.weight * (1.6 * similarity - 0.6);
                if line.text != other.text {
                    paired -= UNEQUAL * line.weight;
                }
                // Of equal ways the one that pairs the earlier lines is taken.
                if paired > value + 1e-5 {
                    value = paired;
                    step = PAIR;
                }
            }
            if !wraps.is_empty()
                && let Some(&(a, b)) = wraps.get(&(small(i), small(j)))
            {
                let (a, b) = (usize::from(a), usize::from(b));
                let weight: f32 = left[i - a..i].iter().map(|line| line.weight).sum();
                let wrapped = best[(i - a) * width + j - b] + weight * 0.97;
                if wrapped > value {
                    value = wrapped;
                    step = WRAP;
                }
            }
            let continued = run[j - 1] - more;
            let started = best[row + j - 1] - open - more;
            let (missing, mark) = if started >= continued { (started, OPENED) } else { (continued, 0) };
            run[j] = missing;
            opened[row + j] = mark;
            if missing > value {
                value = missing;
                step = MISSING_STEP;
            }
            best[row + j] = value;
            trace[row + j] = step;
        }
    }
    walk(left, right, &Tables { best, trace, opened, width, free }, &similar, &wraps)
}

struct Tables {
    best: Vec<f32>,
    trace: Vec<u8>,
    opened: Vec<u8>,
    width: usize,
    free: bool,
}

fn walk(
    left: &[Line<'_>],
    right: &[Line<'_>],
    tables: &Tables,
    similar: &FxHashMap<(u32, u32), f32>,
    wraps: &FxHashMap<(u32, u32), (u8, u8)>,
) -> Alignment {
    let width = tables.width;
    let (mut i, mut j) = (left.len(), right.len());
    let score = tables.best[i * width + j];
    let mut pairs = Vec::new();
    while i > 0 {
        match tables.trace[i * width + j] {
            PAIR => {
                let similarity = similarity(left, right, similar, (i - 1, j - 1));
                pairs.push(Pair { left: (i - 1, 1), right: (j - 1, 1), similarity });
                i -= 1;
                j -= 1;
            }
            WRAP => {
                let Some(&(lefts, rights)) = wraps.get(&(small(i), small(j))) else {
                    break;
                };
                let (lefts, rights) = (usize::from(lefts), usize::from(rights));
                i -= lefts;
                j -= rights;
                pairs.push(Pair { left: (i, lefts), right: (j, rights), similarity: 1.0 });
            }
            MISSING_STEP if j > 0 => {
                // Follow the run to where it was opened.
                while j > 0 && tables.opened[i * width + j] != OPENED {
                    j -= 1;
                }
                j = j.saturating_sub(1);
            }
            EXTRA_STEP => i -= 1,
            _ => break,
        }
        if i == 0 && tables.free {
            break;
        }
    }
    pairs.reverse();
    Alignment { pairs, score }
}

/// Returns how alike two lines are: 1 if their keys are equal, 0 if they were not found to be alike.
fn similarity(
    left: &[Line<'_>],
    right: &[Line<'_>],
    similar: &FxHashMap<(u32, u32), f32>,
    (i, j): (usize, usize),
) -> f32 {
    if left[i].key == right[j].key {
        return 1.0;
    }
    similar.get(&(small(i), small(j))).copied().unwrap_or(0.0)
}

/// Compares those lines of `left` that occur nowhere in `right` with those of `right` that
/// occur nowhere in `left`.
fn similarities(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), f32> {
    let mut found = FxHashMap::default();
    let lefts = absent(left, right);
    if lefts.is_empty() {
        return found;
    }
    let rights = absent(right, left);
    let mut budget = MOST_COMPARISONS;
    for (i, a) in &lefts {
        let scorer = indel::BatchComparator::new(a.iter().copied());
        for (j, b) in &rights {
            if cut(left, *i, a, b) {
                found.insert((small(*i), small(*j)), CUT);
                continue;
            }
            let shorter = a.len().min(b.len());
            let cost = a.len().saturating_mul(b.len()).max(SHORT_COMPARISON);
            if cost > LONGEST_COMPARISON {
                continue;
            }
            // The indel similarity is at most twice the shorter length over both.
            if (2 * shorter) as f32 / ((a.len() + b.len()) as f32) < LEAST_SIMILARITY {
                continue;
            }
            if budget < cost {
                return found;
            }
            budget -= cost;
            let args = indel::Args::default().score_cutoff(f64::from(LEAST_SIMILARITY));
            if let Some(similarity) = scorer.normalized_similarity_with_args(b.iter().copied(), &args) {
                #[allow(clippy::cast_possible_truncation)] // A similarity needs no more than f32.
                let similarity = (similarity as f32).min(0.99);
                found.insert((small(*i), small(*j)), similarity);
            }
        }
    }
    found
}

/// Returns the lines of one text that the other has not, folded, with their indices.
fn absent(of: &[Line<'_>], from: &[Line<'_>]) -> Vec<(usize, Vec<u8>)> {
    let keys: FxHashSet<Key> = from.iter().map(|line| line.key).collect();
    of.iter()
        .enumerate()
        .filter(|(_, line)| !line.elision && line.key.len > 0 && !keys.contains(&line.key))
        .map(|(index, line)| (index, fold::folded(line.text)))
        .collect()
}

/// Returns whether the first line of a needle is the end of a line, or the last one its beginning.
fn cut(left: &[Line<'_>], index: usize, line: &[u8], whole: &[u8]) -> bool {
    let stem = line.strip_suffix(b"...").unwrap_or(line);
    let enough = stem.len() >= if left.len() > 1 { SHORTEST_CUT } else { SHORTEST_LONE_CUT };
    enough && ((index + 1 == left.len() && whole.starts_with(stem)) || (index == 0 && whole.ends_with(line)))
}

/// Finds runs of lines on one side that are one line on the other; keyed by the ends.
fn wraps(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), (u8, u8)> {
    let mut found = FxHashMap::default();
    for Wrap { lines, length, line } in joined(left, right) {
        found.insert((small(lines + usize::from(length)), small(line + 1)), (length, 1));
    }
    for Wrap { lines, length, line } in joined(right, left) {
        found.insert((small(line + 1), small(lines + usize::from(length))), (1, length));
    }
    found
}

/// Some lines of one text that are one line of the other.
struct Wrap {
    /// The first of them.
    lines: usize,
    length: u8,
    /// The one line.
    line: usize,
}

/// Finds runs of lines of `many` that are one line of `one`.
fn joined(many: &[Line<'_>], one: &[Line<'_>]) -> Vec<Wrap> {
    let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (index, line) in one.iter().enumerate() {
        if line.key.word >= 4 {
            places.entry(line.key).or_default().push(index);
        }
    }
    let mut found = Vec::new();
    for start in 0..many.len() {
        let mut key = many[start].key;
        for (next, length) in many[start + 1..].iter().zip(2..=LONGEST_WRAP) {
            key = key.join(next.key);
            found.extend(places.get(&key).into_iter().flatten().map(|&line| Wrap { lines: start, length, line }));
        }
    }
    found
}
