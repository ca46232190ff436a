//! Compares the needle with the place: which of its words are slips, and which ends of lines it forgot.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::{common, gaps};
use crate::text::{Pair, Text, Token};

/// Returns the file's word for each word of the needle that is a slip of it: for the laws both are one word.
pub(crate) fn corrections(needle: &Text<'_>, place: &Text<'_>, similar: &[(usize, usize)]) -> FxHashMap<u64, u64> {
    let mut corrections = FxHashMap::default();
    for &(line, other) in similar {
        let (left, right) = (needle.on(line), place.on(other));
        let pairs = common(&needle.ids_on(line), &place.ids_on(other));
        // A line that has little of another is no copy of it.
        if 3 * pairs.len() < left.len() {
            continue;
        }
        let gaps = gaps(&pairs, left.len(), right.len());
        for (at, to) in &gaps {
            let (ours, theirs) = (words(&left[at.clone()]), words(&right[to.clone()]));
            if ours.len() != theirs.len() {
                continue;
            }
            // A name that is all that differs is misremembered, however it is spelt.
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
    // What is a slip of a slip would need another pass.
    let targets: Vec<u64> = corrections.values().copied().collect();
    for target in targets {
        corrections.remove(&target);
    }
    corrections
}

/// Pairs lines of the needle with lines of the place that differ from them and are where they should be.
pub(crate) fn similar_lines(needle: &Text<'_>, place: &Text<'_>) -> Vec<(usize, usize)> {
    // Lines of the place among which a line's counterpart is looked for, which keeps the cost linear.
    const MAX_LINES_AHEAD: usize = 6;
    let mut similar = Vec::new();
    for (at, to) in gaps(&common(&needle.keys(), &place.keys()), needle.lines.len(), place.lines.len()) {
        if at.len() == to.len() {
            similar.extend(at.zip(to));
            continue;
        }
        let mut from = to.start;
        for line in at {
            let ids: FxHashSet<u64> = needle.on(line).iter().map(|token| token.id).collect();
            let near: Range<usize> = from..to.end.min(from + MAX_LINES_AHEAD);
            let best = near
                .map(|other| {
                    let shared = place.on(other).iter().filter(|token| ids.contains(&token.id)).count();
                    (shared, Reverse(other))
                })
                .max();
            if let Some((count, Reverse(best))) = best
                && 2 * count >= needle.on(line).len()
            {
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

/// Returns whether a word is a slip of another: two thirds of the letters are alike, or one is the larger part of the
/// other and begins or ends it; and not only digits differ.
fn is_misspelling(ours: &str, theirs: &str) -> bool {
    // Bytes. No name is so long, and comparing takes the square of the letters.
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

/// What the file has at the ends of lines and the needle forgot, and the new text with it: it may follow the last token
/// of a new line, where it follows it in neither text.
#[derive(Debug, Default)]
pub(crate) struct Omissions {
    /// Last tokens of new lines.
    ends: FxHashSet<u64>,
    /// First tokens of what the needle forgot.
    tails: FxHashSet<u64>,
}

impl Omissions {
    pub(crate) fn new(needle: &Text<'_>, place: &Text<'_>, new: &Text<'_>, similar: &[(usize, usize)]) -> Self {
        let mut tails = FxHashSet::default();
        for &(line, other) in similar {
            let (ours, theirs) = (needle.on(line), place.on(other));
            let pairs = common(&needle.ids_on(line), &place.ids_on(other));
            let end = pairs.last().filter(|(at, _)| at + 1 == ours.len()).map_or(theirs.len(), |(_, to)| to + 1);
            // Marks, or a remark after a blank.
            let tail = &theirs[end..];
            if let Some(first) = tail.first()
                && (!first.is_adjacent || tail.iter().all(|token| !token.is_word()))
            {
                tails.insert(first.id);
            }
        }
        // Nothing forgotten follows a separator.
        let ends = new.lines.iter().map(|line| &new.tokens[line.tokens.end - 1]);
        let ends = ends.filter(|token| !matches!(token.text, "," | ";" | ":")).map(|token| token.id).collect();
        Self { ends, tails }
    }

    /// Returns whether the second token may follow the first because the needle forgot it.
    pub(crate) fn allows(&self, pair: Pair) -> bool {
        self.tails.contains(&pair.after) && self.ends.contains(&pair.before)
    }
}
