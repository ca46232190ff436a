//! Similarities of one text to many others with the same start and different ends.

use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use fuzzy_core::distance::{self, Pattern};
use fuzzy_core::{Query, Similarity};
use rustc_hash::FxHashMap;

/// Word steps of distances per search, at most, less than a tenth of a second. Beyond it the strategy refuses: among
/// thousands of blocks with the same two ends, the most similar one is probably not the right one.
const WORK: u64 = 1 << 25;

/// Measures an old text against the text below each of several opening lines.
pub(crate) struct Below<'t, 'q> {
    query: &'t Query<'q>,
    pattern: Pattern,
    /// Earlier results: files that repeat a block repeat the text below its opening.
    known: FxHashMap<Task<'t>, Vec<Measured>>,
    work: u64,
}

/// A text with its first stop and the limit. The last stop is the text's end, and the ones between follow from the
/// text.
#[derive(PartialEq, Eq, Hash)]
struct Task<'t> {
    text: &'t str,
    first_stop: usize,
    limit: usize,
}

/// The end of one of the texts.
#[derive(Clone, Copy)]
pub(crate) struct Stop {
    /// The text's length in bytes.
    pub(crate) byte: usize,
    /// The length of the text or of the old text, whichever is longer, in characters.
    pub(crate) longer: usize,
}

/// The bytes of a text and its similarity.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) byte: usize,
    pub(crate) similarity: Similarity,
}

impl<'t, 'q> Below<'t, 'q> {
    pub(crate) fn new(query: &'t Query<'q>, needle: &str) -> Self {
        Self { query, pattern: Pattern::new(needle), known: FxHashMap::default(), work: 0 }
    }

    /// Returns the stops up to which the text has a similarity to the old text of at least `least`, which must not be
    /// lower than in earlier calls.
    ///
    /// The last stop must be the end of the text. The others must be the ends of all earlier lines, from the first stop
    /// on, that equal a line which is the same for all texts. Skips texts with a distance above the limit. Breaks if it
    /// would cost too much.
    pub(crate) fn alike(
        &mut self,
        text: &'t str,
        mut stops: impl Iterator<Item = Stop> + Clone,
        limit: usize,
        least: Similarity,
    ) -> ControlFlow<(), &[Measured]> {
        self.query.spend(text.len())?;
        let read = text.len().min(self.pattern.len() + limit);
        let band = self.pattern.len().div_ceil(64).min((2 * limit + 1) / 64 + 2);
        let first_stop = stops.clone().next().map_or(0, |stop| stop.byte);
        let entry = self.known.entry(Task { text, first_stop, limit });
        let word_steps = if matches!(entry, Entry::Occupied(_)) { text.len() / 64 } else { read.saturating_mul(band) };
        self.work = self.work.saturating_add(word_steps as u64);
        if self.work > WORK {
            self.query.too_costly()?;
        }
        self.query.may_take(distance::time(word_steps as u64))?;
        ControlFlow::Continue(entry.or_insert_with(|| {
            let mut measured = Vec::new();
            let bytes = stops.clone().map(|stop| stop.byte);
            let _ = self.pattern.distances_at(text, bytes, limit, |byte, distance| {
                if let Some(stop) = stops.find(|stop| stop.byte == byte) {
                    let similarity = Similarity::of_distance(distance, stop.longer);
                    measured.extend((similarity >= least).then_some(Measured { byte, similarity }));
                }
                ControlFlow::Continue(())
            });
            measured
        }))
    }
}
