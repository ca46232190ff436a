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

/// Checks that all words are whole words of the file or the new text, in an order that one of them has.
pub(crate) fn check(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let known: FxHashSet<u64> = sources.iter().flat_map(|text| text.ids()).collect();
    if let Some(at) = case.result.tokens.iter().position(|token| !known.contains(&token.id)) {
        return Err(case.at_token(Law::Words, at));
    }
    // Whether two neighbours have a blank between them in any text.
    let mut neighbours: FxHashMap<Pair, bool> = FxHashMap::default();
    for text in sources {
        for (at, pair) in text.neighbours() {
            *neighbours.entry(pair).or_default() |= !text.tokens[at].is_adjacent;
        }
    }
    for (at, pair) in case.result.neighbours() {
        let token = &case.result.tokens[at];
        let fits = match neighbours.get(&pair) {
            // Two marks without a blank between them in any text are one sign.
            Some(parted) => *parted || token.is_adjacent || token.is_word(),
            None => case.omissions.allows(pair),
        };
        if !fits {
            return Err(case.at_token(Law::Words, at));
        }
    }
    Ok(())
}
