//! Lines, tokens, the gaps between them, and their normal forms.

use std::hash::Hash;

use rustc_hash::FxHashMap;

pub(crate) mod brackets;
pub(crate) mod characters;
pub(crate) mod lines;
pub(crate) mod normalize;
pub(crate) mod quotes;
pub(crate) mod tokens;
pub(crate) mod vocabulary;
pub(crate) mod whitespace;
pub(crate) mod words;

/// Returns the number of items with each value.
pub(crate) fn tally<T: Eq + Hash>(items: impl IntoIterator<Item = T>) -> FxHashMap<T, usize> {
    let mut counts = FxHashMap::default();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}
