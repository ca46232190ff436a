//! Texts in which every character is one UTF-16 code unit.

use std::borrow::Cow;

/// First byte of the characters above U+FFFF, the only ones with two code units.
const ASTRAL: u8 = 0xf0;

/// A text and an old text, converted so that every character is one UTF-16 code unit: code that counts characters then
/// counts code units.
///
/// A character with two units becomes two characters of a private-use plane, one per unit. Characters of that plane are
/// converted too, so that none is mistaken for another.
pub(crate) struct Units<'q> {
    haystack: &'q str,
    text: Cow<'q, str>,
    needle: Cow<'q, str>,
}

/// An offset of the text in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Bytes before it in the converted text.
    pub(crate) byte: usize,
    /// Units before it.
    pub(crate) unit: usize,
}

impl<'q> Units<'q> {
    pub(crate) fn new(haystack: &'q str, needle: &'q str) -> Self {
        Self { haystack, text: units(haystack), needle: units(needle) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn needle(&self) -> &str {
        &self.needle
    }

    pub(crate) fn needle_length(&self) -> usize {
        self.needle.chars().count()
    }

    /// Returns the places of ascending offsets; one pass over the text.
    pub(crate) fn places(&self, offsets: impl Iterator<Item = usize>) -> Vec<Place> {
        let (mut at, mut place) = (0, Place { byte: 0, unit: 0 });
        offsets
            .map(|offset| {
                let passed = &self.haystack[at..offset];
                let astral = if passed.is_ascii() { 0 } else { passed.bytes().filter(|b| *b >= ASTRAL).count() };
                place.byte += passed.len() + 4 * astral;
                place.unit += passed.chars().count() + astral;
                at = offset;
                place
            })
            .collect()
    }
}

fn units(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b < ASTRAL) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + text.len() / 4);
    let mut pair = [0; 2];
    for c in text.chars() {
        match c.encode_utf16(&mut pair) {
            [_] => written.push(c),
            pair => written.extend(pair.iter().map(|unit| private(*unit))),
        }
    }
    Cow::Owned(written)
}

/// Returns the private character for one unit of a pair.
fn private(unit: u16) -> char {
    char::from_u32(0xf_0000 + u32::from(unit) - 0xd800).unwrap_or(char::REPLACEMENT_CHARACTER)
}
