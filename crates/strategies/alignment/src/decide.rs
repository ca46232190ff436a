//! Decides what an edit does to a haystack: one sure place, nothing, or a refusal that helps.

use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;

pub use crate::decision::{Decision, Nearest, Proposal, Reason, Splice};
use crate::exact::exact;
use crate::readings::{Reading, of_lines};
use crate::search::Search;
use crate::trimmed;

/// Decides where an edit lands and what it writes there.
///
/// # Complexity
///
/// A few substring passes over the haystack for an exact needle, for one that differs in the blanks
/// around its lines only, and for one whose words do not stand in it; else one pass to index the
/// lines, and alignments of the needle with a few windows of its size.
///
/// Where the query's deadline passes on the way, the query says that it was stopped, and what is
/// returned means nothing.
#[must_use]
pub fn decide(query: &Query<'_>, replacement: &str, replace_all: bool) -> Decision {
    let needle = query.needle();
    if needle == replacement {
        return Decision::refused(Reason::Identical);
    }
    if needle.is_empty() {
        return Decision::refused(Reason::EmptyNeedle);
    }
    if let Some(decision) = exact(query, replacement, replace_all) {
        return decision;
    }
    if needle.chars().all(is_blank) {
        return Decision::refused(Reason::NotFound);
    }
    if !replace_all && let Some(decision) = trimmed::decide(query, replacement) {
        return decision;
    }
    let readings = of_lines(needle, replacement);
    if !any_word_stands(query, &readings, replacement) {
        return Decision::refused(Reason::NotFound);
    }
    Search::new(query, &readings).decide(replace_all)
}

/// Returns the best place of the needle and those that equal it, with how well each explains the needle.
pub(crate) fn best_places(query: &Query<'_>) -> Vec<(Range<usize>, f32)> {
    let needle = query.needle();
    if needle.chars().all(is_blank) {
        return Vec::new();
    }
    if let Some(place) = trimmed::place(query) {
        return vec![(place, 1.0)];
    }
    let readings = of_lines(needle, needle);
    if !any_word_stands(query, &readings, needle) {
        return Vec::new();
    }
    Search::new(query, &readings).best()
}

/// Tells whether one of the longest words of any reading, or of the replacement, stands in the
/// haystack. Where none does, nothing can be found.
fn any_word_stands(query: &Query<'_>, readings: &[Reading<'_>], replacement: &str) -> bool {
    let texts = readings.iter().map(|reading| reading.needle.as_ref()).chain([replacement]);
    for text in texts {
        let mut words: Vec<&str> =
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words.dedup();
        words.truncate(8);
        if words.is_empty() {
            return true;
        }
        if words.iter().any(|word| query.first_occurrence(word).is_some()) {
            return true;
        }
    }
    false
}
