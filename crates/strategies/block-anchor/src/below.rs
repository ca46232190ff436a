//! Similarities of one text to many others that start alike and end at different stops.

use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use fuzzy_core::distance::{self, Pattern};
use fuzzy_core::{Query, Similarity};
use rustc_hash::FxHashMap;

/// Word steps that one search may spend on distances, less than a tenth of a second. Beyond it the rung refuses: among
/// thousands of blocks with the same two ends, the most similar one is hardly the one that was meant.
const WORK: u64 = 1 << 25;

/// Measures a needle against what is below one opening line after another.
pub(crate) struct Below<'t, 'q> {
    query: &'t Query<'q>,
    pattern: Pattern,
    /// What was measured: files that repeat a block repeat what is below its opening.
    known: FxHashMap<Task<'t>, Vec<Measured>>,
    work: u64,
}

/// A text with its first stop and the limit. The last stop is the text's end, and those between follow from the text.
#[derive(PartialEq, Eq, Hash)]
struct Task<'t> {
    text: &'t str,
    first_stop: usize,
    limit: usize,
}

/// Where one of the texts ends.
#[derive(Clone, Copy)]
pub(crate) struct Stop {
    /// Bytes of the text.
    pub(crate) byte: usize,
    /// Characters of the text or of the needle, whichever has more.
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

    /// Returns the stops at which the needle's similarity to the text up to there is `least` or more; that must not
    /// be less than before.
    ///
    /// The last of the stops must be the end of the text, and the others the ends of all lines before it, from the
    /// first stop on, that equal a line which is the same for all texts. No such text has a distance above the limit.
    /// Breaks if it would cost too much.
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
