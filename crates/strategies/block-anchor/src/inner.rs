//! The similarity of the lines between two anchors.

use std::cell::Cell;
use std::ops::ControlFlow;

use fuzzy_core::{AnchorBlock, Query, blank, distance, line_end};

/// More than the rounding error of sums of up to a million similarities, and less than any relevant difference between
/// them.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Word steps of distances per search, at most, about 25 ms. Beyond it the strategy refuses: two hundred thousand pairs
/// of lines of 40 characters are no longer a search for one block.
const WORK: u64 = 1 << 23;

/// Word steps for a similarity that no longer affects the decision, at most, a few milliseconds.
const WORK_TO_REPORT: u64 = 1 << 21;

/// Cost of reading one pair of lines, in bytes of a substring pass.
const PAIR: usize = 64;

/// The old text's inner lines, for comparison with those of blocks.
///
/// Lines are paired by position as far as both sides go. Each pair counts `1 - distance / longer`, in UTF-16 code units
/// of the trimmed lines; a pair that is blank on both sides counts 0. The score is the mean over the pairs, and 1
/// without pairs. Sums add in the order of the lines, because the order decides which of two close scores is higher.
pub(crate) struct Inner<'a, 'q> {
    query: &'a Query<'q>,
    /// The trimmed lines, each with its length in UTF-16 code units.
    lines: Vec<(&'a str, usize)>,
    work: Cell<u64>,
}

/// A score, or an upper bound of it.
pub(crate) struct Score {
    pub(crate) value: f64,
    pub(crate) is_exact: bool,
}

/// Two trimmed lines of the same position.
enum Pair<'a> {
    /// The value of the pair is known without a distance.
    Known(f64),
    Open {
        needle: &'a str,
        block: &'a str,
        /// Lengths of the longer and of the shorter line, in UTF-16 code units.
        longer: usize,
        shorter: usize,
    },
}

impl<'a> Pair<'a> {
    fn new(needle: &'a str, needle_length: usize, block: &'a str) -> Self {
        if needle.is_empty() || block.is_empty() {
            return Pair::Known(0.0);
        }
        if needle == block {
            return Pair::Known(1.0);
        }
        let length = distance::utf16_len(block);
        Pair::Open { needle, block, longer: length.max(needle_length), shorter: length.min(needle_length) }
    }

    /// Returns an upper bound of the pair's value.
    fn bound(&self) -> f64 {
        match *self {
            Pair::Known(value) => value,
            Pair::Open { longer, shorter, .. } => share((longer - shorter).max(1), longer),
        }
    }
}

/// Returns the value of a pair: the share of the longer line that need not be edited.
fn share(distance: usize, longer: usize) -> f64 {
    1.0 - distance as f64 / longer as f64
}

impl<'a, 'q> Inner<'a, 'q> {
    pub(crate) fn new(query: &'a Query<'q>) -> Self {
        let needle = query.old_lines_trimmed();
        let inner = needle.get(1..needle.len() - 1).unwrap_or_default();
        let lines = inner.iter().map(|line| blank::trim(line)).map(|line| (line, distance::utf16_len(line))).collect();
        Self { query, lines, work: Cell::new(0) }
    }

    /// Returns the number of pairs of a block.
    fn pairs(&self, block: AnchorBlock) -> usize {
        self.lines.len().min(block.lines - 2)
    }

    /// Returns the pairs of a block, in order.
    fn pairs_of<'p>(&'p self, block: AnchorBlock) -> impl Iterator<Item = Pair<'a>> + use<'p, 'a, 'q> {
        let haystack = self.query.text();
        let mut end = line_end(haystack, block.span.start());
        self.lines.iter().take(block.lines - 2).map(move |&(needle, needle_length)| {
            let start = end + 1;
            end = line_end(haystack, start);
            Pair::new(needle, needle_length, blank::trim(&haystack[start..end]))
        })
    }

    /// Returns an upper bound of the block's score from the lengths of its lines, or the score itself if that is
    /// enough.
    pub(crate) fn bound(&self, block: AnchorBlock) -> ControlFlow<(), Score> {
        let (mut sum, mut is_exact) = (0.0, true);
        for pair in self.pairs_of(block) {
            self.query.spend(PAIR)?;
            is_exact &= matches!(pair, Pair::Known(_));
            sum += pair.bound();
        }
        ControlFlow::Continue(Score { value: self.mean(sum, block), is_exact })
    }

    /// Returns the block's score, or `None` if it is certainly below `to_reach`.
    pub(crate) fn score(&self, block: AnchorBlock, bound: f64, to_reach: f64) -> ControlFlow<(), Option<f64>> {
        let pairs = self.pairs(block) as f64;
        // The value of the pairs so far, and the bound of the remaining ones.
        let (mut sum, mut rest) = (0.0, bound * pairs);
        for pair in self.pairs_of(block) {
            rest -= pair.bound();
            let least = (to_reach - ROUNDING) * pairs - sum - rest;
            let Some(value) = self.value(&pair, least)? else { return ControlFlow::Continue(None) };
            sum += value;
        }
        ControlFlow::Continue(Some(self.mean(sum, block)))
    }

    /// Returns a single block's score if it is at least `least`; a lower bound if that already is and the rest would
    /// cost too much.
    pub(crate) fn score_alone(&self, block: AnchorBlock, least: f64) -> ControlFlow<(), Option<f64>> {
        let pairs = self.pairs(block);
        if pairs == 0 {
            return ControlFlow::Continue(Some(1.0));
        }
        let mut sum = 0.0;
        for pair in self.pairs_of(block) {
            let cost = match pair {
                Pair::Known(_) => 0,
                Pair::Open { longer, shorter, .. } => distance::cost(longer, shorter),
            };
            if sum >= least && self.work.get() + cost > WORK_TO_REPORT {
                break;
            }
            // Divided one by one here, unlike among several blocks.
            sum += self.value(&pair, 0.0)?.unwrap_or(0.0) / pairs as f64;
        }
        ControlFlow::Continue((sum >= least).then_some(sum))
    }

    /// Returns the value of a pair, or `None` if it is less than `least`.
    fn value(&self, pair: &Pair<'_>, least: f64) -> ControlFlow<(), Option<f64>> {
        let (needle, block, longer, shorter) = match *pair {
            Pair::Known(value) => return ControlFlow::Continue(Some(value)),
            Pair::Open { needle, block, longer, shorter } => (needle, block, longer, shorter),
        };
        let limit = most_distance(longer, least);
        let in_band = shorter * ((2 * limit + 1).div_ceil(64) + 1);
        let steps = distance::cost(longer, shorter).min(in_band as u64);
        self.work.set(self.work.get() + steps);
        if self.work.get() > WORK {
            self.query.too_costly()?;
        }
        self.query.spend(PAIR + longer)?;
        self.query.may_take(distance::time(steps))?;
        let distance = distance::utf16_distance_within(needle, block, limit);
        ControlFlow::Continue(distance.map(|distance| share(distance, longer)))
    }

    fn mean(&self, sum: f64, block: AnchorBlock) -> f64 {
        match self.pairs(block) {
            0 => 1.0,
            pairs => sum / pairs as f64,
        }
    }
}

/// Returns the greatest distance at which a pair can still have the value `least`, or slightly more.
fn most_distance(longer: usize, least: f64) -> usize {
    if least <= 0.0 {
        return longer;
    }
    // A cast from a float saturates, and a negative value becomes 0.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let most = ((1.0 - least) * longer as f64) as usize;
    longer.min(most + 1)
}
