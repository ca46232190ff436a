//! Compares words.

use crate::text::tokens::{Class, Tokens};

/// The most bytes of a word that is compared by similarity: a longer one is data, not a name.
const MAX_WORD_BYTES: usize = 400;

/// Returns the similarity of two words, from 0 to 1.
pub(crate) fn likeness(a: &str, b: &str) -> f32 {
    if a.len().max(b.len()) > MAX_WORD_BYTES {
        return if a == b { 1.0 } else { 0.0 };
    }
    #[allow(clippy::cast_possible_truncation)] // A similarity needs no more than f32.
    let found = rapidfuzz::distance::indel::normalized_similarity(a.chars(), b.chars()) as f32;
    found
}

/// Returns whether two words share most of their letters at their ends.
pub(crate) fn looks_like(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let least = a.len().min(b.len());
    let head = a.iter().zip(b).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let tail =
        a.iter().rev().zip(b.iter().rev()).take(least - head).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    2 * (head + tail) >= a.len().max(b.len())
}

/// The least share of a line and its changed form that both have.
pub(crate) const MIN_CHANGED_LIKENESS: f32 = 0.6;

/// The least likeness of a word and its miscopy: two thirds of the letters.
const MIN_SLIP_LIKENESS: f32 = 0.66;

/// Returns whether a word is a miscopy of another. Words that differ in digits alone are two values.
pub(crate) fn is_slip(a: &str, b: &str) -> bool {
    if is_number(a) || is_number(b) {
        return false;
    }
    let [(digits, letters), (other_digits, other_letters)] = [a, b].map(without_digits);
    match (digits == other_digits, letters == other_letters) {
        (false, true) => false,
        // Equal digits are no evidence: `i32`, `u32`.
        _ if digits.is_empty() => has_most_letters(a, b),
        _ => has_most_letters(a, b) && has_most_letters(&letters, &other_letters),
    }
}

/// Returns the digits of a word, and the rest of it.
fn without_digits(word: &str) -> (String, String) {
    word.chars().partition(char::is_ascii_digit)
}

/// Returns whether two words are as alike as a word and its miscopy, in any case of letters.
fn has_most_letters(a: &str, b: &str) -> bool {
    likeness(&a.to_lowercase(), &b.to_lowercase()) >= MIN_SLIP_LIKENESS
}

/// Returns whether a word begins with a digit.
pub(crate) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the minus right before a number, unless it subtracts from a token right before it.
pub(crate) fn minus(tokens: &Tokens<'_>, number: usize) -> Option<usize> {
    let glued = |index: usize| index.checked_sub(1).filter(|_| tokens.is_glued(index));
    let minus = glued(number).filter(|&minus| tokens.get(minus) == "-")?;
    let minuend = glued(minus).filter(|&before| tokens.is_word(before) || tokens.class(before) == Class::Closer);
    minuend.is_none().then_some(minus)
}
