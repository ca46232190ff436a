//! How alike the lines between two anchors are.

use std::cell::Cell;
use std::ops::ControlFlow;

use fuzzy_core::{AnchorBlock, Query, blank, distance};

use crate::anchored::ROUNDING;

/// Word steps that one search may spend on distances, about a quarter of a second. Beyond it the rung refuses.
const WORK: u64 = 1 << 27;

/// Word steps that may be spent on a similarity which decides nothing any more, a few milliseconds.
const WORK_TO_REPORT: u64 = 1 << 21;

/// The needle's inner lines, to be compared with those of blocks.
///
/// Lines pair by position as far as both sides go. Each pair counts `1 - distance / longer`, in UTF-16 code units of
/// the trimmed lines; a pair that is blank on both sides counts 0. The score is the mean over the pairs, 1 if there is
/// none. Sums are made in the order of the lines, because that decides which of two close scores is the higher one.
pub(crate) struct Inner<'a, 'q> {
    query: &'a Query<'q>,
    /// Trimmed, each with its length in UTF-16 code units.
    lines: Vec<(&'a str, usize)>,
    work: Cell<u64>,
}

/// A score, or a bound that it does not exceed.
pub(crate) struct Score {
    pub(crate) value: f64,
    pub(crate) is_exact: bool,
}

/// Two lines of the same position.
struct Pair<'a> {
    needle: &'a str,
    block: &'a str,
    /// Length of the longer one.
    longer: usize,
    /// Difference of the lengths.
    difference: usize,
}

impl Pair<'_> {
    /// Returns what the pair counts if that shows without a distance.
    fn known(&self) -> Option<f64> {
        if self.longer == 0 {
            Some(0.0)
        } else if self.needle == self.block {
            Some(1.0)
        } else if self.difference == self.longer {
            // One of them is empty.
            Some(0.0)
        } else {
            None
        }
    }

    /// Returns a number that what the pair counts does not exceed.
    fn bound(&self) -> f64 {
        self.known().unwrap_or_else(|| self.share(self.difference.max(1)))
    }

    fn share(&self, distance: usize) -> f64 {
        1.0 - distance as f64 / self.longer as f64
    }
}

impl<'a, 'q> Inner<'a, 'q> {
    pub(crate) fn new(query: &'a Query<'q>) -> Self {
        let needle = query.needle_lines_trimmed();
        let inner = needle.get(1..needle.len() - 1).unwrap_or_default();
        let lines = inner.iter().map(|line| blank::trim(line)).map(|line| (line, distance::utf16_len(line))).collect();
        Self { query, lines, work: Cell::new(0) }
    }

    /// Counts the pairs of a block.
    fn pairs(&self, block: AnchorBlock) -> usize {
        self.lines.len().min(block.lines - 2)
    }

    /// Returns the pairs of a block, in order.
    fn pairs_of<'p>(&'p self, block: AnchorBlock) -> impl Iterator<Item = Pair<'a>> + use<'p, 'a, 'q> {
        let text = block.span.text(self.query.haystack());
        let lines = text.split('\n').skip(1).take(block.lines - 2).map(blank::trim);
        self.lines.iter().zip(lines).map(|(&(needle, needle_length), block)| {
            let length = distance::utf16_len(block);
            Pair { needle, block, longer: length.max(needle_length), difference: length.abs_diff(needle_length) }
        })
    }

    /// Returns a bound of the block's score from the lengths of its lines, or the score if that is enough.
    pub(crate) fn bound(&self, block: AnchorBlock) -> ControlFlow<(), Score> {
        let (mut sum, mut is_exact) = (0.0, true);
        for pair in self.pairs_of(block) {
            self.query.spend(pair.block.len() + 16)?;
            is_exact &= pair.known().is_some();
            sum += pair.bound();
        }
        ControlFlow::Continue(Score { value: self.mean(sum, block), is_exact })
    }

    /// Returns the block's score, or nothing if it surely lies below `to_reach`.
    pub(crate) fn score(&self, block: AnchorBlock, bound: f64, to_reach: f64) -> ControlFlow<(), Option<f64>> {
        let pairs = self.pairs(block) as f64;
        // What the pairs up to here count, and what those from here on count at the most.
        let (mut sum, mut rest) = (0.0, bound * pairs);
        for pair in self.pairs_of(block) {
            rest -= pair.bound();
            let least = (to_reach - ROUNDING) * pairs - sum - rest;
            let Some(value) = self.value(&pair, least)? else { return ControlFlow::Continue(None) };
            sum += value;
        }
        ControlFlow::Continue(Some(self.mean(sum, block)))
    }

    /// Returns an only block's score if it is at least `least`; a lower bound if that already is and the rest would
    /// cost too much.
    pub(crate) fn score_alone(&self, block: AnchorBlock, least: f64) -> ControlFlow<(), Option<f64>> {
        let pairs = self.pairs(block);
        if pairs == 0 {
            return ControlFlow::Continue(Some(1.0));
        }
        let mut sum = 0.0;
        for pair in self.pairs_of(block) {
            let cost = if pair.known().is_some() { 0 } else { distance::cost(pair.needle.len(), pair.block.len()) };
            if sum >= least && self.work.get() + cost > WORK_TO_REPORT {
                break;
            }
            // Divided one by one here, unlike among several.
            sum += self.value(&pair, 0.0)?.unwrap_or(0.0) / pairs as f64;
        }
        ControlFlow::Continue((sum >= least).then_some(sum))
    }

    /// Returns what a pair counts, or nothing if it is less than `least`.
    fn value(&self, pair: &Pair<'_>, least: f64) -> ControlFlow<(), Option<f64>> {
        self.query.spend(pair.block.len() + 16)?;
        if let Some(known) = pair.known() {
            return ControlFlow::Continue(Some(known));
        }
        let limit = most_distance(pair.longer, least);
        let shorter = pair.longer - pair.difference;
        let band = (2 * limit + 1).div_ceil(64) + 1;
        self.work.set(self.work.get() + distance::cost(pair.longer, shorter).min((shorter * band) as u64));
        if self.work.get() > WORK {
            self.query.too_costly()?;
        }
        let distance = distance::utf16_distance_within(pair.needle, pair.block, limit);
        ControlFlow::Continue(distance.map(|distance| pair.share(distance)))
    }

    fn mean(&self, sum: f64, block: AnchorBlock) -> f64 {
        match self.pairs(block) {
            0 => 1.0,
            pairs => sum / pairs as f64,
        }
    }
}

/// Returns the greatest distance at which a pair can still count `least`, or somewhat more.
fn most_distance(longer: usize, least: f64) -> usize {
    if least <= 0.0 {
        return longer;
    }
    // A cast from a float saturates, and a negative one is 0.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let most = ((1.0 - least) * longer as f64) as usize;
    longer.min(most + 1)
}
