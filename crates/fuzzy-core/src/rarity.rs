//! Guesses which part of a needle is rarest, so that the first pass over the haystack decides most searches.

/// Estimates how much a text says, in eighths of a bit: the less frequent its bytes and the longer it is, the more.
///
/// A static guess from the letter frequencies of source code; it only orders filters and never decides a match.
#[must_use]
pub fn weight(text: &str) -> usize {
    weight_of(text.as_bytes())
}

/// Estimates the same of bytes that may be a part of a text.
pub(crate) fn weight_of(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(WEIGHTS[usize::from(*byte)])).sum()
}

/// [`byte_weight`] of every byte: needles can be long, and every rung weighs them.
const WEIGHTS: [u8; 256] = {
    let mut weights = [0; 256];
    let mut byte = u8::MAX;
    loop {
        weights[byte as usize] = byte_weight(byte);
        match byte.checked_sub(1) {
            Some(below) => byte = below,
            None => break weights,
        }
    }
};

const fn byte_weight(byte: u8) -> u8 {
    match byte {
        b'\t'..=b'\r' | b' ' => 8,
        b'e' | b't' | b'a' | b'i' | b'n' | b'r' | b's' | b'o' => 32,
        b'l' | b'c' | b'd' | b'u' | b'm' | b'p' | b'f' => 38,
        b'(' | b')' | b'.' | b',' | b'=' | b'_' | b';' | b'"' | b'-' | b'/' | b'*' => 36,
        b'{' | b'}' | b'[' | b']' | b':' | b'0'..=b'9' => 44,
        b'z' | b'q' | b'j' | b'x' | b'J' | b'Q' | b'X' | b'Z' | b'~' | b'^' | b'`' | b'?' | b'%' => 64,
        _ => 50,
    }
}

/// Returns the item whose text is rarest by [`weight`]; the first of equals, none if every text is empty.
pub fn rarest<'a, T>(items: impl IntoIterator<Item = T>, text: impl Fn(&T) -> &'a str) -> Option<T> {
    let mut best: Option<(usize, T)> = None;
    for item in items {
        let weight = weight(text(&item));
        if weight > best.as_ref().map_or(0, |(best, _)| *best) {
            best = Some((weight, item));
        }
    }
    best.map(|(_, item)| item)
}
