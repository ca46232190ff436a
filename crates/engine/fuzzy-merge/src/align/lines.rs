//! Aligns the lines of two texts, with missing, extra, wrapped and joined lines.
//!
//! Blank lines must be left out. Time and space: O(n·m) for n and m lines, and an edit distance for each pair of lines
//! that only one text has.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::align::line_similarity::Similarities;
use crate::text::lines::Line;
use crate::text::normalize::Key;
use crate::text::tokens::small;

/// The most lines into which a line is wrapped: longer wraps are rare.
const MAX_WRAP: u8 = 4;

/// The cost of leaving out a line of the first text, as a share of its weight: less than half of the gain of a good
/// pair, so that one foreign line never hides its neighbours.
const EXTRA_COST: f32 = 0.25;

/// The additional cost of the first or the last line: a place with known ends is better than one that explains more
/// elsewhere.
const UNPINNED_COST: f32 = 0.3;

/// The cost of a run of lines that only the second text has.
const MISSING_RUN_COST: f32 = 0.06;

/// The cost of each line of such a run: ten forgotten lines are hardly less likely than one.
const MISSING_COST: f32 = 0.025;

/// The cost of each line that an elision is for: little, but it prefers the nearest line after the elision.
const ELISION_COST: f32 = 2e-5;

/// The cost of equal keys of unequal texts: enough to prefer the equal text.
const UNEQUAL_COST: f32 = 0.02;

/// The most cells of the table of one alignment: about five milliseconds of work, and 6 MB.
const MAX_CELLS: usize = 1_000_000;

/// A pair of lines, or of a line and the lines into which the other text wraps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The lines of the first text, counted from 0; at least one.
    pub left: Range<usize>,
    /// The lines of the second text, counted from 0; at least one.
    pub right: Range<usize>,
    /// Their similarity, from 0 to 1; 1 if their keys are equal.
    pub similarity: f32,
}

impl Pair {
    /// Returns the pair of a line with an equal one.
    #[must_use]
    pub const fn equal(left: usize, right: usize) -> Self {
        Self { left: left..left + 1, right: right..right + 1, similarity: 1.0 }
    }

    /// Returns whether neither text wraps the line.
    #[must_use]
    pub fn is_one_to_one(&self) -> bool {
        self.left.len() == 1 && self.right.len() == 1
    }

    /// Returns the pair moved down by a number of lines in each text; up for a negative number.
    #[must_use]
    pub fn shifted(mut self, left: isize, right: isize) -> Self {
        for (lines, by) in [(&mut self.left, left), (&mut self.right, right)] {
            *lines = lines.start.wrapping_add_signed(by)..lines.end.wrapping_add_signed(by);
        }
        self
    }
}

/// Paired lines of two texts.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// The pairs in order; they never cross.
    pub pairs: Vec<Pair>,
    /// The weights of the pairs less the costs of the other lines.
    pub score: f32,
}

/// The last step of the best way to a cell of the table: none, a pair, a line that only the first text has, one that
/// only the second has, or a wrapped line.
const STOP: u8 = 0;
const PAIR: u8 = 1;
const EXTRA_STEP: u8 = 2;
const MISSING_STEP: u8 = 3;
const WRAP: u8 = 4;

/// Marks a cell in which a run of missing lines begins.
const OPENED: u8 = 1;

/// Aligns `left` with `right`. If `free`, lines of `right` before the first pair and after the last one cost nothing.
///
/// Long texts are cut at lines that both have once; a part that is still too long is left unpaired.
///
/// # Complexity
///
/// O(n·m) in the lines, at most a million a part.
#[must_use]
pub fn align(left: &[Line<'_>], right: &[Line<'_>], free: bool) -> Alignment {
    align_while(left, right, free, &|| true)
}

/// Aligns as [`align`] does while `is_needed`, called every few milliseconds, returns true; then returns a part.
#[must_use]
pub fn align_while(left: &[Line<'_>], right: &[Line<'_>], free: bool, is_needed: &dyn Fn() -> bool) -> Alignment {
    if left.len().saturating_mul(right.len()) <= MAX_CELLS {
        return by_table(left, right, free);
    }
    let mut whole = Alignment::default();
    let mut from = (0, 0);
    let anchors = anchors(left, right);
    let ends = anchors.iter().copied().chain([(left.len(), right.len())]);
    for (number, (i, j)) in ends.enumerate() {
        if !is_needed() {
            break;
        }
        // Before the first anchor only the nearest lines can belong to the old text.
        let reach = 2 * (i - from.0) + 16;
        // Before the first anchor, and after the last one, lines of the second text are free.
        let (is_first, is_last) = (number == 0, free && i == left.len());
        let start = if free && is_first { j.saturating_sub(reach).max(from.1) } else { from.1 };
        let end = if is_last { j.min(start + reach) } else { j };
        if (i - from.0).saturating_mul(end - start) <= MAX_CELLS {
            let part = by_table(&left[from.0..i], &right[start..end], is_last);
            whole.score += part.score;
            let (down, across) = (from.0.cast_signed(), start.cast_signed());
            whole.pairs.extend(part.pairs.into_iter().map(|pair| pair.shifted(down, across)));
        }
        if i < left.len() {
            whole.pairs.push(Pair::equal(i, j));
            whole.score += left[i].weight;
            from = (i + 1, j + 1);
        }
    }
    whole
}

/// Returns the longest sequence of lines that occur once in each text and ascend in both.
fn anchors(left: &[Line<'_>], right: &[Line<'_>]) -> Vec<(usize, usize)> {
    let (in_left, in_right) = (only_places(left), only_places(right));
    let common: Vec<(usize, usize)> = left
        .iter()
        .enumerate()
        .filter(|(_, line)| line.key.word >= 3)
        .filter(|(at, line)| in_left[&line.key] == Some(*at))
        .filter_map(|(at, line)| Some((at, (*in_right.get(&line.key)?)?)))
        .collect();
    // Patience: `tops` has, for each length, the pair with the smallest end that ends a sequence of it.
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

/// Returns the only line with each key; `None` for several.
fn only_places(lines: &[Line<'_>]) -> FxHashMap<Key, Option<usize>> {
    let mut found = FxHashMap::default();
    for (at, line) in lines.iter().enumerate() {
        found.entry(line.key).and_modify(|place| *place = None).or_insert(Some(at));
    }
    found
}

/// Aligns texts with a small table.
fn by_table(left: &[Line<'_>], right: &[Line<'_>], free: bool) -> Alignment {
    let (n, m) = (left.len(), right.len());
    if n == 0 || m == 0 {
        return Alignment::default();
    }
    let similar = Similarities::between(left, right);
    let wraps = wraps(left, right);
    let width = m + 1;
    let mut trace = vec![STOP; (n + 1) * width];
    let mut opened = vec![0u8; (n + 1) * width];
    // The best value of each cell, and the best value that ends in a missing line.
    let mut best = vec![0f32; (n + 1) * width];
    let mut run = vec![f32::NEG_INFINITY; width];
    for j in 1..=m {
        if !free {
            best[j] = -(MISSING_RUN_COST + MISSING_COST * j as f32);
            trace[j] = MISSING_STEP;
            opened[j] = u8::from(j == 1);
        }
    }
    for i in 1..=n {
        let line = &left[i - 1];
        let row = i * width;
        let above = row - width;
        let is_end = free && n > 1 && (i == 1 || i == n);
        let extra =
            if line.elision { 0.0 } else { EXTRA_COST * line.weight + 0.01 + if is_end { UNPINNED_COST } else { 0.0 } };
        best[row] = best[above] - extra;
        trace[row] = EXTRA_STEP;
        run[0] = f32::NEG_INFINITY;
        // After an elision, and after the last line, missing lines are free.
        let (open, more) = if free && i == n {
            (0.0, 0.0)
        } else if line.elision || (i < n && left[i].elision) {
            (0.0, ELISION_COST)
        } else {
            (MISSING_RUN_COST, MISSING_COST)
        };
        for j in 1..=m {
            let mut value = best[above + j] - extra;
            let mut step = EXTRA_STEP;
            let other = &right[j - 1];
            let similarity = similar.of(i - 1, j - 1);
            if similarity > 0.0 {
                let mut paired = best[above + j - 1] + line.weight * (1.6 * similarity - 0.6);
                if line.text != other.text {
                    paired -= UNEQUAL_COST * line.weight;
                }
                // Among equal ways, the one that pairs the earlier lines wins.
                if paired > value + 1e-5 {
                    value = paired;
                    step = PAIR;
                }
            }
            if let Some(&(a, b)) = wraps.get(&(small(i), small(j))) {
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
    Tables { best, trace, opened, width, free, wraps }.walk(&similar)
}

/// The tables of an alignment: a cell for each number of lines of either text.
struct Tables {
    /// The score of the best way to a cell.
    best: Vec<f32>,
    /// The last step of that way.
    trace: Vec<u8>,
    /// Whether the best run of missing lines that ends in a cell begins there.
    opened: Vec<u8>,
    /// The number of cells in a row: one more than the lines of the second text.
    width: usize,
    /// Whether lines of the second text before the first pair cost nothing.
    free: bool,
    /// The lengths of wrapped lines in both texts, by their ends.
    wraps: FxHashMap<(u32, u32), (u8, u8)>,
}

impl Tables {
    /// Follows the best way back from the last cell.
    fn walk(&self, similar: &Similarities<'_, '_>) -> Alignment {
        let width = self.width;
        let (mut i, mut j) = (self.best.len() / width - 1, width - 1);
        let score = self.best[i * width + j];
        let mut pairs = Vec::new();
        while i > 0 {
            match self.trace[i * width + j] {
                PAIR => {
                    i -= 1;
                    j -= 1;
                    pairs.push(Pair { similarity: similar.of(i, j), ..Pair::equal(i, j) });
                }
                WRAP => {
                    let Some(&(lefts, rights)) = self.wraps.get(&(small(i), small(j))) else { break };
                    let (lefts, rights) = (usize::from(lefts), usize::from(rights));
                    i -= lefts;
                    j -= rights;
                    pairs.push(Pair { left: i..i + lefts, right: j..j + rights, similarity: 1.0 });
                }
                MISSING_STEP if j > 0 => {
                    // Follow the run to its beginning.
                    while j > 0 && self.opened[i * width + j] != OPENED {
                        j -= 1;
                    }
                    j = j.saturating_sub(1);
                }
                EXTRA_STEP => i -= 1,
                _ => break,
            }
            if i == 0 && self.free {
                break;
            }
        }
        pairs.reverse();
        Alignment { pairs, score }
    }
}

/// Returns the lengths of wrapped lines in both texts, by their ends.
fn wraps(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), (u8, u8)> {
    let in_left = wrapped(left, right).into_iter().map(|(one, many, length)| ((many, one), (length, 1)));
    let in_right = wrapped(right, left).into_iter().map(|(one, many, length)| ((one, many), (1, length)));
    in_left.chain(in_right).collect()
}

/// Returns the lines of `one` that `many` wraps: the end of the line, the end of the run of lines, and its length.
fn wrapped(many: &[Line<'_>], one: &[Line<'_>]) -> Vec<(u32, u32, u8)> {
    let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (index, line) in one.iter().enumerate() {
        places.entry(line.key).or_default().push(index);
    }
    let mut found = Vec::new();
    for start in 0..many.len() {
        let mut key = many[start].key;
        for (next, length) in many[start + 1..].iter().zip(2..=MAX_WRAP) {
            key = key.join(next.key);
            // A last line that equals the line after the one is no part of it, unless both texts have that line next.
            let end = start + usize::from(length);
            let is_beside = |line: usize| {
                let is_next = |line: Option<&Line<'_>>| line.map(|line| line.key) == Some(next.key);
                is_next(one.get(line + 1)) && !is_next(many.get(end))
            };
            let lines = places.get(&key).into_iter().flatten().filter(|line| !is_beside(**line));
            found.extend(lines.map(|&line| (small(line + 1), small(end), length)));
        }
    }
    found
}
