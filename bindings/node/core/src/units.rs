//! Offsets in a JavaScript string, which counts UTF-16 code units.

use std::cell::Cell;

use fuzzy_pipeline::{LineRange, Span};
use serde::Serialize;

/// Turns byte offsets of a text into those of the JavaScript string.
///
/// It goes on from the last offset that it was asked for, so that places in the order of the text cost one pass.
#[derive(Debug)]
pub(crate) struct Units<'t> {
    text: &'t str,
    is_ascii: bool,
    last: Cell<(usize, usize)>,
    /// Where the text begins in the JavaScript string.
    start: usize,
}

/// A stretch of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    /// Where it starts in the JavaScript string.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// Its first and its last line, counted from 1.
    pub(crate) lines: (usize, usize),
    /// Its start and end in UTF-8.
    pub(crate) bytes: (usize, usize),
}

impl<'t> Units<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::of_part(text, 0)
    }

    /// Counts in a part of a JavaScript string, which begins at `start` there.
    pub(crate) fn of_part(text: &'t str, start: usize) -> Self {
        Self { text, is_ascii: text.is_ascii(), last: Cell::new((0, 0)), start }
    }

    /// Returns the offset in the JavaScript string.
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

/// Counts UTF-16 code units: one for the first byte of a character, and another where it takes four bytes.
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
