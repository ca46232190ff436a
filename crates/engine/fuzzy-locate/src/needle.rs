//! The lines of a needle, weighted by their information.

use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Key, Line, Pair, information};
use rustc_hash::FxHashMap;

use crate::index::LinePlaces;

/// The most lines of one omission, unless the needle has more.
const MAX_FORGOTTEN: usize = 8;

/// The needle's lines that are not blank, weighted by their rarity in the haystack.
#[derive(Clone, Debug)]
pub struct Needle<'r> {
    /// The lines.
    pub lines: Vec<Line<'r>>,
    /// The weight of all lines except elisions.
    pub total: f32,
    /// Whether a line is an elision of any number of others.
    pub elided: bool,
}

/// Returns the lines that are not blank.
pub fn full_lines(text: &str) -> Vec<Line<'_>> {
    text.split('\n').filter(|line| !line.chars().all(is_blank)).map(Line::new).collect()
}

impl<'r> Needle<'r> {
    /// Weights lines by their information and their number of places.
    #[must_use]
    pub fn new(lines: &[Line<'r>], places: &FxHashMap<Key, LinePlaces>) -> Self {
        let mut lines = lines.to_vec();
        let mut total = 0.0;
        let mut elided = false;
        for line in &mut lines {
            let count = places.get(&line.key).map_or(0, |found| found.count);
            // A line of the file is no placeholder.
            line.elision &= count == 0;
            elided |= line.elision;
            line.weight = information(line.key) * rarity(count);
            if !line.elision {
                total += line.weight;
            }
        }
        Self { lines, total, elided }
    }
}

impl Needle<'_> {
    /// Returns whether a line of the needle occurs at most once in the haystack.
    #[must_use]
    pub fn is_unique(&self, at: usize) -> bool {
        self.lines[at].weight >= information(self.lines[at].key)
    }

    /// Returns the needle's lines of a pair.
    #[must_use]
    pub fn paired(&self, pair: &Pair) -> &[Line<'_>] {
        &self.lines[pair.left.clone()]
    }

    /// Returns the weight of the needle's lines of a pair.
    #[must_use]
    pub fn weight(&self, pair: &Pair) -> f32 {
        self.paired(pair).iter().map(|line| line.weight).sum()
    }

    /// Returns whether the file has more lines between two neighbouring pairs than a needle omits.
    #[must_use]
    pub fn is_wide(&self, pair: &Pair, next: &Pair) -> bool {
        let between = &self.lines[pair.left.end..next.left.start];
        let missing = next.right.start - pair.right.end;
        missing > MAX_FORGOTTEN.max(self.lines.len()) && !between.iter().any(|line| line.elision)
    }
}

/// Returns the factor for the weight of a line with this many places, 0 to 1.
fn rarity(count: usize) -> f32 {
    // The square root leaves a block of common lines some weight.
    1.0 / (count.max(1) as f32).sqrt()
}
