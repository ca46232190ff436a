//! Edit distances by the crate `levenshtein`, which computes the whole table.

use fuzzy_core::Similarity;
use levenshtein::levenshtein;

/// Returns the Levenshtein distance in Unicode scalar values.
#[must_use]
pub fn scalar_distance(a: &str, b: &str) -> usize {
    levenshtein(a, b)
}

/// Returns the Levenshtein distance in UTF-16 code units.
#[must_use]
pub fn utf16_distance(a: &str, b: &str) -> usize {
    levenshtein(&units(a), &units(b))
}

/// Converts each UTF-16 code unit to a character; surrogates move to the last plane, which no text here uses.
#[must_use]
pub fn units(text: &str) -> String {
    let units = text.encode_utf16().map(u32::from);
    units.filter_map(|unit| char::from_u32(unit).or(char::from_u32(0x10_0000 | unit))).collect()
}

/// Returns the length of the longer text in Unicode scalar values.
pub(super) fn longer_of(a: &str, b: &str) -> usize {
    a.chars().count().max(b.chars().count())
}

/// Returns the similarity of two texts by their distance in Unicode scalar values.
pub(super) fn scalar_similarity(a: &str, b: &str) -> Similarity {
    Similarity::of_distance(scalar_distance(a, b), longer_of(a, b))
}
