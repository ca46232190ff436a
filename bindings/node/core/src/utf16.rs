//! A text in UTF-16, the encoding of JavaScript strings.
//!
//! The conversion of a string with a character outside Latin-1 to UTF-8 takes as long as several searches. The engine
//! therefore receives the string in UTF-16, and converts only the necessary part.

use std::ops::Range;

use memchr::memmem;

use crate::bad_request::BadRequest;

/// A text in UTF-16, little-endian, without lone surrogates. All offsets are in UTF-16 code units.
#[derive(Clone, Copy, Debug)]
pub struct Utf16<'b> {
    units: &'b [[u8; 2]],
}

/// The number of units that are checked together: surrogates and characters outside ASCII are rare.
const BLOCK: usize = 32;

impl<'b> Utf16<'b> {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Returns [`BadRequest::LoneSurrogate`] if there is one, and [`BadRequest::HalfUnit`] if the bytes end inside a
    /// unit.
    pub fn read(bytes: &'b [u8]) -> Result<Self, BadRequest> {
        let (units, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BadRequest::HalfUnit);
        }
        if is_well_formed(units) { Ok(Self { units }) } else { Err(BadRequest::LoneSurrogate) }
    }

    /// Returns the number of units.
    pub(crate) const fn len(self) -> usize {
        self.units.len()
    }

    /// Returns the offset of a text that occurs exactly once; overlapping occurrences count. `None` as well if the
    /// search would take too long.
    pub(crate) fn only_place(self, text: &str) -> Option<usize> {
        let mut needle = Vec::with_capacity(2 * text.len());
        for unit in text.encode_utf16() {
            needle.extend_from_slice(&unit.to_le_bytes());
        }
        if needle.is_empty() {
            return None;
        }
        let finder = memmem::Finder::new(&needle);
        let mut places = self.places(&finder);
        let first = places.next()??;
        match places.next() {
            None => Some(first),
            Some(_) => None,
        }
    }

    /// Returns the offsets of a text. After too many matches inside a unit the search gives up, and the items are
    /// `None`.
    fn places<'a>(self, finder: &'a memmem::Finder<'_>) -> impl Iterator<Item = Option<usize>> + use<'a, 'b> {
        const MOST_BETWEEN_UNITS: usize = 64;
        let bytes = self.units.as_flattened();
        let (mut at, mut between) = (0, 0);
        std::iter::from_fn(move || {
            while between < MOST_BETWEEN_UNITS {
                let found = at + finder.find(bytes.get(at..)?)?;
                at = found + 1;
                if found.is_multiple_of(2) {
                    return Some(Some(found / 2));
                }
                between += 1;
            }
            Some(None)
        })
    }

    /// Returns the lines of a range: from the start of its first line to the end of its last line, with the line break.
    pub(crate) fn lines(self, around: Range<usize>) -> Range<usize> {
        let bytes = self.units.as_flattened();
        let is_break = |at: &usize| at.is_multiple_of(2) && bytes.get(at + 1) == Some(&0);
        let mut before = memchr::memrchr_iter(b'\n', &bytes[..2 * around.start]).filter(is_break);
        let start = before.next().map_or(0, |at| at / 2 + 1);
        let from = 2 * around.end;
        let mut after = memchr::memchr_iter(b'\n', &bytes[from..]).map(|at| at + from).filter(is_break);
        let end = after.next().map_or(self.len(), |at| at / 2 + 1);
        start..end
    }

    /// Returns whether a range may contain a `\r`.
    pub(crate) fn may_have_carriage_return(self, range: Range<usize>) -> bool {
        // One byte of another character may equal `\r`. That is rare, and only makes the excerpt longer.
        memchr::memchr(b'\r', self.units[range].as_flattened()).is_some()
    }

    /// Returns a range in UTF-8. It must begin and end between characters.
    pub(crate) fn text(self, range: Range<usize>) -> String {
        let mut utf8 = Vec::with_capacity(range.len() + range.len() / 8);
        let mut rest = &self.units[range];
        while !rest.is_empty() {
            if let Some((block, behind)) = rest.split_first_chunk::<BLOCK>()
                && block.iter().fold(0, |all, unit| all | u16::from_le_bytes(*unit)) < 0x80
            {
                utf8.extend_from_slice(&block.map(|[low, _]| low));
                rest = behind;
                continue;
            }
            let mut read = 0;
            // A surrogate pair may end after the block.
            let units = rest.iter().map(|unit| u16::from_le_bytes(*unit));
            for character in char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)) {
                utf8.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                read += character.len_utf16();
                if read >= BLOCK {
                    break;
                }
            }
            rest = &rest[read..];
        }
        String::from_utf8(utf8).unwrap_or_default()
    }
}

/// Returns whether every surrogate is part of a pair.
fn is_well_formed(units: &[[u8; 2]]) -> bool {
    let mut rest = units;
    while let Some((block, behind)) = rest.split_first_chunk::<BLOCK>() {
        let is_surrogate = |unit: &[u8; 2]| u16::from_le_bytes(*unit) & 0xf800 == 0xd800;
        // Without an early exit, so that the compiler vectorizes the loop.
        if !block.iter().fold(false, |found, unit| found | is_surrogate(unit)) {
            rest = behind;
            continue;
        }
        // Decodes the block, and the other half of a pair at its end.
        let pairs = char::decode_utf16(rest.iter().map(|unit| u16::from_le_bytes(*unit)));
        let mut read = 0;
        for character in pairs {
            let Ok(character) = character else { return false };
            read += character.len_utf16();
            if read >= BLOCK {
                break;
            }
        }
        rest = &rest[read..];
    }
    char::decode_utf16(rest.iter().map(|unit| u16::from_le_bytes(*unit))).all(|character| character.is_ok())
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Utf16};

    fn bytes(units: &[u16]) -> Vec<u8> {
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
    }

    fn utf16(text: &str) -> Vec<u8> {
        bytes(&text.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn lone_surrogates_are_found_wherever_they_are() {
        for padding in (0..3).chain(BLOCK - 3..BLOCK + 3).chain(2 * BLOCK - 2..2 * BLOCK + 2) {
            let with = |middle: &[u16]| {
                let all = [&vec![u16::from(b'a'); padding], middle, &[u16::from(b'b'); 40]].concat();
                Utf16::read(&bytes(&all)).is_ok()
            };
            assert!(with(&[0xd83d, 0xde00]) && with(&[0xd83d, 0xde00, 0xd83d, 0xde00]) && with(&[0xe000, 0xd7ff]));
            for lone in [&[0xd83d_u16][..], &[0xde00], &[0xde00, 0xd83d], &[0xd83d, 0xd83d, 0xde00]] {
                assert!(!with(lone), "{lone:x?} after {padding}");
            }
        }
        assert!(Utf16::read(&bytes(&[0x61, 0xd83d])).is_err());
        assert!(Utf16::read(b"abc").is_err());
        assert!(Utf16::read(b"").is_ok());
    }

    #[test]
    fn a_text_comes_back_as_it_is() {
        for padding in 0..2 * BLOCK {
            let text = format!("{}ü😀漢\r\n\0{}", "a".repeat(padding), "b".repeat(BLOCK));
            let bytes = utf16(&text);
            let units = Utf16::read(&bytes).unwrap();
            assert_eq!(units.text(0..units.len()), text);
        }
    }

    #[test]
    fn only_one_place_counts_and_none_between_two_units() {
        let only = |text: &str, needle: &str| Utf16::read(&utf16(text)).unwrap().only_place(needle);
        assert_eq!(only("xüy", "ü"), Some(1));
        assert_eq!(only("😀xüy", "xü"), Some(2));
        assert_eq!(only("", "a"), None);
        assert_eq!(only("a", ""), None);
        assert_eq!(only("aXaa", "a"), None);
        assert_eq!(only("ababa", "aba"), None);
        // The bytes of the text contain the bytes of the needle, but between two units.
        assert_eq!(only("\u{6261}\u{6261}", "\u{6162}"), None);
        assert_eq!(only("\u{6261}\u{6261}\u{6162}", "\u{6162}"), Some(2));
        // After that many such matches the search is not worth its time.
        assert_eq!(only(&("\u{6261}".repeat(1_000) + "\u{6162}"), "\u{6162}"), None);
    }

    #[test]
    fn lines_end_with_their_break_and_no_other_character() {
        // One byte of `ਊ` equals a line break.
        let text = "ab\nਊ\u{10a}c\r\n\nd";
        let bytes = utf16(text);
        let units = Utf16::read(&bytes).unwrap();
        let lines = |from: usize, to: usize| units.text(units.lines(from..to));
        assert_eq!(lines(0, 0), "ab\n");
        assert_eq!(lines(3, 4), "ਊ\u{10a}c\r\n");
        assert_eq!(lines(2, 3), "ab\nਊ\u{10a}c\r\n");
        assert_eq!(lines(8, 8), "\n");
        assert_eq!(lines(9, 10), "d");
    }
}
