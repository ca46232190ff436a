//! Compares the needle with the place: finds its misspelled words and its omitted ends of lines.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::{common, gaps};
use crate::text::{Pair, Text, Token};

/// Returns the file's word for each misspelled word of the needle: for the laws both are one word.
pub(crate) fn corrections(needle: &Text<'_>, place: &Text<'_>, similar: &[(usize, usize)]) -> FxHashMap<u64, u64> {
    let mut corrections = FxHashMap::default();
    for &(line, other) in similar {
        let (left, right) = (needle.on(line), place.on(other));
        let pairs = common(&needle.ids_on(line), &place.ids_on(other));
        // A line that shares little with another is no copy of it.
        if 3 * pairs.len() < left.len() {
            continue;
        }
        let gaps = gaps(&pairs, left.len(), right.len());
        for (at, to) in &gaps {
            let (ours, theirs) = (words(&left[at.clone()]), words(&right[to.clone()]));
            if ours.len() != theirs.len() {
                continue;
            }
            // If one name is the only difference, it is misremembered, whatever its spelling.
            let is_only_difference = gaps.len() == 1 && at.len() == 1 && to.len() == 1 && 2 * pairs.len() >= left.len();
            for (ours, theirs) in ours.iter().zip(&theirs) {
                if is_misspelling(ours.text, theirs.text)
                    || (is_only_difference && is_name(ours.text) && is_name(theirs.text))
                {
                    corrections.entry(ours.id).or_insert(theirs.id);
                }
            }
        }
    }
    // A correction of a correction would need another pass.
    let targets: Vec<u64> = corrections.values().copied().collect();
    for target in targets {
        corrections.remove(&target);
    }
    corrections
}

/// Pairs lines of the needle with differing lines of the place at the same position.
pub(crate) fn similar_lines(needle: &Text<'_>, place: &Text<'_>) -> Vec<(usize, usize)> {
    // The lines of the place to search for a counterpart; keeps the cost linear.
    const MAX_LINES_AHEAD: usize = 6;
    let mut similar = Vec::new();
    for (at, to) in gaps(&common(&needle.keys(), &place.keys()), needle.lines.len(), place.lines.len()) {
        if at.len() == to.len() {
            similar.extend(at.zip(to));
            continue;
        }
        let mut from = to.start;
        for line in at {
            let ids: FxHashSet<u64> = needle.ids_on(line).into_iter().collect();
            let near = from..to.end.min(from + MAX_LINES_AHEAD);
            let shared = |line: usize| place.on(line).iter().filter(|token| ids.contains(&token.id)).count();
            let best = near.max_by_key(|other| (shared(*other), Reverse(*other)));
            if let Some(best) = best.filter(|best| 2 * shared(*best) >= needle.on(line).len()) {
                similar.push((line, best));
                from = best + 1;
            }
        }
    }
    similar
}

/// Returns the tokens that are words.
fn words<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    tokens.iter().filter(|token| token.is_word()).copied().collect()
}

/// Returns whether a word is a name and no number.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// Returns whether a word is a misspelling of another: they share two thirds of their letters, or one is a prefix or
/// suffix of at least half the other. Words that differ only in digits are no misspellings.
fn is_misspelling(ours: &str, theirs: &str) -> bool {
    // In bytes. Names are shorter, and a comparison is quadratic in the letters.
    const MAX_NAME_BYTES: usize = 200;
    if ours.len().max(theirs.len()) > MAX_NAME_BYTES || !ours.contains(char::is_alphabetic) {
        return false;
    }
    let (a, b) = (letters(ours), letters(theirs));
    if a != b && ours.chars().filter(|c| !c.is_numeric()).eq(theirs.chars().filter(|c| !c.is_numeric())) {
        return false;
    }
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    let is_part = 2 * short.len() >= long.len() && (long.starts_with(short) || long.ends_with(short));
    is_part || 3 * common(&a, &b).len() >= 2 * long.len()
}

/// Returns the characters of a word in lower case, as numbers.
fn letters(word: &str) -> Vec<u64> {
    word.chars().flat_map(char::to_lowercase).map(u64::from).collect()
}

/// Ends of lines that the needle, and so the new text, omits. They may follow the last token of a new line.
#[derive(Debug)]
pub(crate) struct Omissions {
    /// The last tokens of new lines.
    ends: FxHashSet<u64>,
    /// The first tokens of the omitted ends.
    tails: FxHashSet<u64>,
}

impl Omissions {
    pub(crate) fn new(needle: &Text<'_>, place: &Text<'_>, new: &Text<'_>, similar: &[(usize, usize)]) -> Self {
        let mut tails = FxHashSet::default();
        for &(line, other) in similar {
            let (ours, theirs) = (needle.on(line), place.on(other));
            let pairs = common(&needle.ids_on(line), &place.ids_on(other));
            let end = pairs.last().filter(|(at, _)| at + 1 == ours.len()).map_or(theirs.len(), |(_, to)| to + 1);
            // Marks alone, or a comment after a blank.
            let tail = &theirs[end..];
            if let Some(first) = tail.first()
                && (!first.is_adjacent || tail.iter().all(|token| !token.is_word()))
            {
                tails.insert(first.id);
            }
        }
        // No omission follows a separator.
        let ends = new.lines.iter().map(|line| &new.tokens[line.tokens.end - 1]);
        let ends = ends.filter(|token| !matches!(token.text, "," | ";" | ":")).map(|token| token.id).collect();
        Self { ends, tails }
    }

    /// Returns whether the second token may follow the first as an omission of the needle.
    pub(crate) fn allows(&self, pair: Pair) -> bool {
        self.tails.contains(&pair.after) && self.ends.contains(&pair.before)
    }
}
