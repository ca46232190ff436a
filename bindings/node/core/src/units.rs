//! Converts byte offsets to offsets in a JavaScript string, which are in UTF-16 code units.

use std::cell::Cell;

use fuzzy_pipeline::{LineRange, Span};
use serde::Serialize;

/// Converts byte offsets of a text to offsets in the JavaScript string.
///
/// Each conversion continues at the previous offset, so offsets in ascending order cost one pass over the text.
#[derive(Debug)]
pub(crate) struct Units<'t> {
    text: &'t str,
    is_ascii: bool,
    last: Cell<(usize, usize)>,
    /// The offset of the text in the JavaScript string.
    start: usize,
}

/// A range of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    /// Its start in the JavaScript string.
    pub(crate) start: usize,
    /// Its end in the JavaScript string.
    pub(crate) end: usize,
    /// Its first and its last line; the first line of the text is 1.
    pub(crate) lines: (usize, usize),
    /// Its start and end as byte offsets in UTF-8.
    pub(crate) bytes: (usize, usize),
}

impl<'t> Units<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::of_part(text, 0)
    }

    /// Creates the converter for a part of a JavaScript string, which begins at the offset `start`.
    pub(crate) fn of_part(text: &'t str, start: usize) -> Self {
        Self { text, is_ascii: text.is_ascii(), last: Cell::new((0, 0)), start }
    }

    /// Returns the offset of a byte in the JavaScript string.
    pub(crate) fn at(&self, byte: usize) -> usize {
        if self.is_ascii {
            return self.start + byte;
        }
        let (from, units) = Some(self.last.get()).filter(|(from, _)| *from <= byte).unwrap_or_default();
        let units = units + count(&self.text.as_bytes()[from..byte]);
        self.last.set((byte, units));
        self.start + units
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let LineRange { first, last } = LineRange::of(self.text, span);
        Place {
            start: self.at(span.start()),
            end: self.at(span.end()),
            lines: (first, last),
            bytes: (span.start(), span.end()),
        }
    }
}

/// Counts UTF-16 code units: one for the first byte of a character, and a second one if the character has four bytes.
fn count(utf8: &[u8]) -> usize {
    utf8.iter().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn every_offset_is_that_of_the_javascript_string() {
        for text in ["", "plain", "é\u{301}ß", "a😀b\u{10ffff}c", "漢\u{feff}字\r\n"] {
            let units = Units::new(text);
            let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for byte in offsets.iter().chain(offsets.iter().rev()).copied() {
                assert_eq!(units.at(byte), text[..byte].encode_utf16().count(), "{text:?} at {byte}");
            }
        }
    }
}
