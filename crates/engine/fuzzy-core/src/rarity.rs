//! Guesses which part of an old text is rarest, so that the first pass over the text decides most searches.

/// Estimates how much a text says, in eighths of a bit: the less frequent its bytes and the longer it is, the more.
///
/// A static guess from the letter frequencies of source code; it only orders filters and never decides a match.
#[must_use]
pub fn weight(text: &str) -> usize {
    text.bytes().map(|byte| usize::from(WEIGHTS[usize::from(byte)])).sum()
}

/// Estimates how much the two different bytes say that say most.
pub(crate) fn two_rarest(bytes: &[u8]) -> usize {
    let (mut rarest, mut second) = (None, 0);
    for byte in bytes {
        let weight = WEIGHTS[usize::from(*byte)];
        match rarest {
            Some((known, _)) if known == *byte => {}
            Some((_, most)) if weight <= most => second = second.max(weight),
            _ => {
                second = rarest.map_or(0, |(_, most)| most);
                rarest = Some((*byte, weight));
            }
        }
    }
    usize::from(second) + rarest.map_or(0, |(_, most)| usize::from(most))
}

/// [`byte_weight`] of every byte: old texts can be long, and every rung weighs them.
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
