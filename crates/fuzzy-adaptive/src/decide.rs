//! Decides what an edit does to a haystack: one sure place, nothing, or a refusal that helps.

use fuzzy_alignment::{any_word_stands, of_lines};
use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;

pub use crate::decision::{Decision, Nearest, Proposal, Reason, Splice};
use crate::exact::exact;
use crate::judge::Judge;
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
    Judge::new(query, &readings).decide(replace_all)
}
