//! All words are whole words of the file or the new text, in an order that one of them has.
//!
//! ```text
//! file: a: 1,
//! old:  a: 1    new: a: 2,    result: a: 2,,    breaks it: neither text has two marks in a row
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::Pair;

/// Finds a word or mark that neither text has.
pub(crate) fn unknown_token(case: &Case<'_>) -> Option<Broken> {
    let known: FxHashSet<u64> = case.place.tokens.iter().chain(&case.new.tokens).map(|token| token.id).collect();
    let at = case.result.tokens.iter().position(|token| !known.contains(&token.id))?;
    Some(case.at_token(Law::Words, at))
}

/// Finds a token that follows another as in neither text.
pub(crate) fn unknown_order(case: &Case<'_>) -> Option<Broken> {
    // Whether two neighbours have a blank between them in any text.
    let mut neighbours: FxHashMap<Pair, bool> = FxHashMap::default();
    for text in [&case.place, &case.new] {
        for (at, pair) in text.neighbours() {
            *neighbours.entry(pair).or_default() |= !text.tokens[at].is_adjacent;
        }
    }
    let tokens = &case.result.tokens;
    let are_marks = |at: usize| !(tokens[at - 1].is_word() || tokens[at].is_word());
    let (at, _) = case.result.neighbours().find(|(at, pair)| match neighbours.get(pair) {
        // Two marks without a blank between them in any text are one sign.
        Some(parted) => !(*parted || tokens[*at].is_adjacent) && are_marks(*at),
        None => !case.omissions.allows(*pair),
    })?;
    Some(case.at_token(Law::Words, at))
}
