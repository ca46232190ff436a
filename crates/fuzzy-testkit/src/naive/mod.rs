//! The strategies directly from their definitions: they test every line, window or offset, without filters, bounds or
//! caches.
//!
//! They share no code with the strategies. Tests compare both ([`agrees`]), and benches compare their times. There is
//! one file per family, and:
//!
//! - [`distance`]: edit distances by the crate `levenshtein`.
//! - [`places`]: the spans that the definitions test.

mod best_window;
mod block_aligned;
pub mod block_anchor;
mod context_aware;
pub mod distance;
pub mod escape_normalized;
mod indentation_flexible;
mod levenshtein;
pub mod line_trimmed;
pub mod places;
mod subsequence;
mod trimmed_boundary;
mod whitespace_normalized;

use std::ops::ControlFlow;

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Found, Query, Span, Strategy};
use proptest::prelude::*;

use self::places::{equal, occurrences};
use crate::candidates;
use crate::contract::assert_contract;

/// A strategy, directly from its definition.
#[derive(Debug)]
pub struct Rung {
    name: &'static str,
    find: fn(&str, &str) -> Vec<Candidate>,
}

const RUNGS: &[Rung] = &[
    // Compares the needle with the text at every offset.
    Rung { name: "exact", find: |haystack, needle| equal(occurrences(haystack, needle)) },
    Rung { name: "line-trimmed", find: line_trimmed::plain },
    Rung { name: "line-trimmed/ends", find: line_trimmed::ends },
    Rung { name: "line-trimmed/unicode", find: line_trimmed::unicode },
    Rung { name: "block-anchor", find: block_anchor::plain },
    Rung { name: "block-anchor/guarded", find: block_anchor::guarded },
    Rung { name: "block-anchor/whole", find: block_anchor::whole },
    Rung { name: "whitespace-normalized", find: whitespace_normalized::plain },
    Rung { name: "whitespace-normalized/inline", find: whitespace_normalized::inline },
    Rung { name: "whitespace-normalized/collapsed", find: whitespace_normalized::collapsed },
    Rung { name: "indentation-flexible", find: indentation_flexible::plain },
    Rung { name: "indentation-flexible/stripped", find: indentation_flexible::stripped },
    Rung { name: "escape-normalized", find: escape_normalized::plain },
    Rung { name: "trimmed-boundary", find: trimmed_boundary::plain },
    Rung {
        name: "trimmed-boundary/text",
        find: |haystack, needle| equal(occurrences(haystack, needle.trim_matches(is_blank))),
    },
    Rung { name: "context-aware", find: context_aware::plain },
    Rung {
        name: "multi-occurrence",
        find: |haystack, needle| {
            let places = haystack.match_indices(needle);
            equal(places.map(|(at, text)| Span::new(at, at + text.len())))
        },
    },
    Rung { name: "block-aligned", find: block_aligned::plain },
    Rung { name: "levenshtein", find: levenshtein::plain },
    Rung { name: "subsequence", find: subsequence::plain },
    Rung { name: "best-window", find: best_window::plain },
    Rung { name: "best-window/boocode", find: best_window::boocode },
];

impl Rung {
    /// Returns the candidates in order; none for an empty needle.
    fn find(&self, haystack: &str, needle: &str) -> Vec<Candidate> {
        if needle.is_empty() { Vec::new() } else { (self.find)(haystack, needle) }
    }
}

impl Strategy for Rung {
    fn name(&self) -> &'static str {
        self.name
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        for candidate in self.find(query.text(), query.old()) {
            found.propose(candidate)?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the definition of a strategy by name, if there is one.
#[must_use]
pub fn rung(name: &str) -> Option<&'static Rung> {
    RUNGS.iter().find(|rung| rung.name == name)
}

/// Checks that a strategy agrees with its definition and with the contract of strategies.
///
/// # Errors
///
/// Returns an error if the candidates differ.
///
/// # Panics
///
/// Panics if the strategy has no definition here or violates the contract.
pub fn agrees(strategy: &dyn Strategy, haystack: &str, needle: &str) -> Result<(), TestCaseError> {
    let rung = rung(strategy.name()).expect("the strategy has a definition");
    prop_assert_eq!(candidates(strategy, haystack, needle), rung.find(haystack, needle));
    assert_contract(strategy, haystack, needle);
    Ok(())
}
