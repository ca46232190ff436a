//! The distance between two texts, after bounds that decide most pairs without a matrix.

use std::time::Duration;

use rapidfuzz::HashableChar;
use rapidfuzz::distance::levenshtein;

/// Returns the length of `text` in UTF-16 code units.
///
/// # Complexity
///
/// One pass over the bytes, many at a time.
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        // Only a sequence of four bytes takes two units.
        text.chars().count() + text.bytes().filter(|&byte| byte >= ASTRAL_LEAD_BYTE).count()
    }
}

/// Returns the length of `text` in Unicode scalar values.
///
/// # Complexity
///
/// One pass over the bytes, many at a time.
#[must_use]
pub fn scalar_len(text: &str) -> usize {
    text.chars().count()
}

/// Returns about how many 64-bit word steps it takes to measure two texts of these lengths, or to
/// search one of them for the other with a [`Pattern`](super::Pattern), when no limit and no
/// bound helps.
///
/// A step takes one to three nanoseconds. Ask before measuring texts that may be huge: two of
/// 5 MB cost 400 thousand million steps. The lengths are in the unit of the distance.
///
/// # Examples
///
/// ```
/// use fuzzy_core::distance::cost;
///
/// assert_eq!(cost(4_000, 100), 8_000);
/// ```
#[must_use]
pub fn cost(a_len: usize, b_len: usize) -> u64 {
    let words = a_len.min(b_len).div_ceil(64) as u64;
    words.saturating_mul(a_len.max(b_len) as u64)
}

/// Returns about how long so many word steps of a distance between two texts take at the most.
#[must_use]
pub const fn time(steps: u64) -> Duration {
    Duration::from_nanos(steps.saturating_mul(3))
}

/// Returns the Levenshtein distance in UTF-16 code units.
///
/// # Examples
///
/// ```
/// use fuzzy_core::distance::utf16_distance;
///
/// assert_eq!(utf16_distance("let a", "let b"), 1);
/// assert_eq!(utf16_distance("😀", ""), 2);
/// ```
///
/// # Complexity
///
/// At most [`cost`] word steps for what is left without the common prefix and suffix.
#[must_use]
pub fn utf16_distance(a: &str, b: &str) -> usize {
    // The longer text's length is the most a distance can be, and its bytes no less than that.
    utf16_distance_within(a, b, a.len().max(b.len())).unwrap_or(usize::MAX)
}

/// Returns the Levenshtein distance in UTF-16 code units, or `None` when it exceeds `limit`.
///
/// # Complexity
///
/// Linear for equal texts and where the lengths or the counts of characters already differ by
/// more than the limit; else about `min(len) * ((2 * limit + 1) / 64 + 2)` word steps. Memory is
/// proportional to the lengths, about 32 bytes per unit.
#[must_use]
pub fn utf16_distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (a, b) = without_common_ends(a, b);
    if a.bytes().chain(b.bytes()).all(|byte| byte < ASTRAL_LEAD_BYTE) {
        return by_chars(a, b, limit);
    }
    let (a_len, b_len) = (utf16_len(a), utf16_len(b));
    if let Some(decided) = by_length(a_len, b_len, limit) {
        return decided;
    }
    let a: Vec<u16> = a.encode_utf16().collect();
    let b: Vec<u16> = b.encode_utf16().collect();
    measure(a.iter().copied(), a_len, b.iter().copied(), b_len, limit)
}

/// Returns the Levenshtein distance in Unicode scalar values.
///
/// # Examples
///
/// ```
/// use fuzzy_core::distance::scalar_distance;
///
/// assert_eq!(scalar_distance("😀", ""), 1);
/// ```
///
/// # Complexity
///
/// At most [`cost`] word steps for what is left without the common prefix and suffix.
#[must_use]
pub fn scalar_distance(a: &str, b: &str) -> usize {
    scalar_distance_within(a, b, a.len().max(b.len())).unwrap_or(usize::MAX)
}

/// Returns the Levenshtein distance in Unicode scalar values, or `None` when it exceeds `limit`.
///
/// # Complexity
///
/// As [`utf16_distance_within`].
#[must_use]
pub fn scalar_distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (a, b) = without_common_ends(a, b);
    by_chars(a, b, limit)
}

/// The least first byte of a UTF-8 sequence for a character above U+FFFF; all other bytes are less.
const ASTRAL_LEAD_BYTE: u8 = 0xf0;

/// The distance in characters of texts without common ends.
fn by_chars(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a_len, b_len) = (scalar_len(a), scalar_len(b));
    if let Some(decided) = by_length(a_len, b_len, limit) {
        return decided;
    }
    if a_len == a.len() && b_len == b.len() {
        measure(a.bytes(), a_len, b.bytes(), b_len, limit)
    } else {
        measure(a.chars(), a_len, b.chars(), b_len, limit)
    }
}

/// What the lengths alone decide.
#[expect(clippy::option_option, reason = "undecided, or decided either way")]
fn by_length(a_len: usize, b_len: usize, limit: usize) -> Option<Option<usize>> {
    if a_len.abs_diff(b_len) > limit {
        Some(None)
    } else if a_len == 0 || b_len == 0 {
        Some(Some(a_len.max(b_len)))
    } else if limit == 0 {
        // Texts without common ends are equal only when they are empty.
        Some(None)
    } else {
        None
    }
}

/// The distance of two texts that are not empty and have no common ends.
fn measure<U, I, J>(a: I, a_len: usize, b: J, b_len: usize, limit: usize) -> Option<usize>
where
    U: HashableChar + Copy + PartialEq + Into<u32>,
    I: DoubleEndedIterator<Item = U> + Clone,
    J: DoubleEndedIterator<Item = U> + Clone,
{
    let limit = limit.min(a_len.max(b_len));
    // Texts of one machine word are measured in the time it takes to count their characters.
    let counts = limit < a_len.max(b_len) && a_len.min(b_len) >= 64;
    if counts && least_by_count(a.clone(), b.clone()) > limit {
        return None;
    }
    levenshtein::distance_with_args(a, b, &levenshtein::Args::default().score_cutoff(limit))
}

/// A lower bound of the distance: an edit removes at most one surplus character of either side.
///
/// Characters are counted by their low eight bits; those that share them only lower the bound.
fn least_by_count<U: Into<u32>>(a: impl Iterator<Item = U>, b: impl Iterator<Item = U>) -> usize {
    let mut counts = [0_i64; 256];
    for unit in a {
        counts[(unit.into() & 0xff) as usize] += 1;
    }
    for unit in b {
        counts[(unit.into() & 0xff) as usize] -= 1;
    }
    let (mut surplus, mut shortage) = (0_u64, 0_u64);
    for count in counts {
        surplus += count.max(0).unsigned_abs();
        shortage += count.min(0).unsigned_abs();
    }
    usize::try_from(surplus.max(shortage)).unwrap_or(usize::MAX)
}

/// Cuts off what both texts begin with and what both end with, which no distance depends on.
fn without_common_ends<'t>(a: &'t str, b: &'t str) -> (&'t str, &'t str) {
    let prefix = shared(a.bytes().zip(b.bytes()));
    // The same bytes are before the cut in both texts, so it is a boundary in both or neither.
    let prefix = a.floor_char_boundary(prefix);
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = shared(a.bytes().rev().zip(b.bytes().rev()));
    let cut = a.ceil_char_boundary(a.len() - suffix);
    let suffix = a.len() - cut;
    (&a[..cut], &b[..b.len() - suffix])
}

/// Returns how many pairs of equal bytes there are before the first of different ones.
fn shared(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}
