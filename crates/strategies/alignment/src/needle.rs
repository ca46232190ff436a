//! The lines of a needle, weighed by what they tell.

use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Key, Line, Pair, information};
use rustc_hash::FxHashMap;

use crate::index::LinePlaces;

/// The most lines of a block that is forgotten in one piece, unless the needle has more.
const MAX_FORGOTTEN: usize = 8;

/// The needle's lines that are not blank, weighed by how rare they are in the haystack.
#[derive(Clone, Debug)]
pub struct Needle<'r> {
    /// The lines.
    pub lines: Vec<Line<'r>>,
    /// The weight of all lines that are no elision.
    pub total: f32,
    /// Whether some line stands for any number of others.
    pub elided: bool,
}

/// Returns the lines that are not blank.
pub fn full_lines(text: &str) -> Vec<Line<'_>> {
    text.split('\n').filter(|line| !line.chars().all(is_blank)).map(Line::new).collect()
}

impl<'r> Needle<'r> {
    /// Weighs lines by what they tell and by how many places they have.
    #[must_use]
    pub fn new(lines: &[Line<'r>], places: &FxHashMap<Key, LinePlaces>) -> Self {
        let mut lines = lines.to_vec();
        let mut total = 0.0;
        let mut elided = false;
        for line in &mut lines {
            let count = places.get(&line.key).map_or(0, |found| found.count);
            // What the file has is no placeholder.
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
    /// Returns whether a line of the needle that occurs in the haystack is there once.
    #[must_use]
    pub fn is_unique(&self, at: usize) -> bool {
        self.lines[at].weight >= information(self.lines[at].key)
    }

    /// Returns the needle's lines of a pair.
    #[must_use]
    pub fn paired(&self, pair: &Pair) -> &[Line<'_>] {
        &self.lines[pair.left.clone()]
    }

    /// Returns what the needle's lines of a pair weigh together.
    #[must_use]
    pub fn weight(&self, pair: &Pair) -> f32 {
        self.paired(pair).iter().map(|line| line.weight).sum()
    }

    /// Returns whether between two neighbouring pairs the file has more lines than a needle forgets.
    #[must_use]
    pub fn is_wide(&self, pair: &Pair, next: &Pair) -> bool {
        let between = &self.lines[pair.left.end..next.left.start];
        let missing = next.right.start - pair.right.end;
        missing > MAX_FORGOTTEN.max(self.lines.len()) && !between.iter().any(|line| line.elision)
    }
}

/// Returns how much less a line proves that occurs in many places.
fn rarity(count: usize) -> f32 {
    // The square root keeps a block of common lines worth something together.
    1.0 / (count.max(1) as f32).sqrt()
}
