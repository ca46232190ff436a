//! Indexes the lines of a haystack for the lines of some needles.
//!
//! Stores only the place and the key of each line, and looks up only the needles' lines. Cost: one pass over the bytes,
//! one probe for each line.

use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Key, Line, key};
use rustc_hash::FxHashMap;

/// The most listed places of a line: a more frequent one is no evidence.
const MAX_PLACES: usize = 256;

/// One line of the haystack that is not blank.
#[derive(Clone, Copy, Debug)]
pub struct FileLine {
    /// Its first byte.
    pub start: usize,
    /// Its end, before its `\n`.
    pub end: usize,
    /// Its key, for a first comparison.
    pub key: Key,
}

/// The haystack's lines that are not blank.
#[derive(Debug)]
pub struct Index<'t> {
    /// The haystack.
    pub text: &'t str,
    /// Its indexed lines that are not blank.
    pub lines: Vec<FileLine>,
}

/// The places of a needle's line.
#[derive(Clone, Debug, Default)]
pub struct LinePlaces {
    /// The number of lines.
    pub count: usize,
    /// The indexes of the first 256 lines.
    pub lines: Vec<usize>,
}

/// The key of a skipped line; no other line has as many letters.
const UNREAD: Key = Key { hash: 0, len: u32::MAX, word: 0 };

/// The greatest ratio of a line's length to the longest needle's: a longer line is none of its lines, nor all of them
/// joined and escaped.
const MAX_TIMES_LONGER: usize = 8;

/// The fewest bytes of a skipped line: a shorter one costs almost nothing.
const MIN_UNREAD_BYTES: usize = 1 << 14;

impl<'t> Index<'t> {
    /// Indexes all lines of a query's haystack, for needles of at most `longest` bytes.
    ///
    /// Stops early when the query's deadline passes.
    pub fn new(query: &Query<'t>, longest: usize) -> Self {
        Self::of_part(query, 0..query.text().len(), longest)
    }

    /// Indexes the lines of a part that starts and ends at lines.
    pub fn of_part(query: &Query<'t>, part: Range<usize>, longest: usize) -> Self {
        let text = query.text();
        let mut lines = Vec::with_capacity(part.len() / 30);
        let longest = longest.saturating_mul(MAX_TIMES_LONGER).max(MIN_UNREAD_BYTES);
        let mut start = part.start;
        let ends = memchr::memchr_iter(b'\n', &text.as_bytes()[part.clone()]).map(|end| part.start + end);
        for end in ends.chain([part.end]) {
            let line = &text[start..end];
            if query.spend(line.len().min(longest)).is_break() {
                break;
            }
            let key = if line.len() <= longest { key(line) } else { UNREAD };
            if key.len > 0 || !line.chars().all(is_blank) {
                lines.push(FileLine { start, end, key });
            }
            start = end + 1;
        }
        Self { text, lines }
    }

    /// Returns the text of a line; empty for a skipped one.
    #[must_use]
    pub fn line(&self, index: usize) -> &'t str {
        let line = self.lines[index];
        if line.key == UNREAD { "" } else { &self.text[line.start..line.end] }
    }

    /// Returns lines for an alignment, all of one weight and without elisions.
    #[must_use]
    pub fn plain_lines(&self, range: Range<usize>) -> Vec<Line<'t>> {
        range.map(|at| Line { text: self.line(at), key: self.lines[at].key, weight: 1.0, elision: false }).collect()
    }

    /// Finds the lines that have one of the keys.
    pub fn places(&self, keys: impl Iterator<Item = Key>) -> FxHashMap<Key, LinePlaces> {
        let mut places: FxHashMap<Key, LinePlaces> = keys.map(|key| (key, LinePlaces::default())).collect();
        // A small filter on the hash's top bits spares most of the probes.
        let mut filter = [0u64; 64];
        for key in places.keys() {
            let bit = slot(*key);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        for (index, line) in self.lines.iter().enumerate() {
            let bit = slot(line.key);
            if filter[bit / 64] & (1 << (bit % 64)) == 0 {
                continue;
            }
            if let Some(found) = places.get_mut(&line.key) {
                found.count += 1;
                if found.lines.len() < MAX_PLACES {
                    found.lines.push(index);
                }
            }
        }
        places
    }
}

/// Returns the bit of a key in the filter.
fn slot(key: Key) -> usize {
    // The product spreads the low bits, which the hash leaves least mixed.
    let mixed = (key.hash ^ u64::from(key.len)).wrapping_mul(0xA24B_AED4_963E_E407);
    usize::try_from(mixed >> 52).unwrap_or(0)
}
