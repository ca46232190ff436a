//! Substring search that costs little to prepare, however long the text.

use memchr::memmem::Finder;

use crate::rarity;

/// Bytes of a longer text that are looked for, before the rest is compared. Preparing a search for so many takes about
/// a microsecond, and the search looks for the two rarest bytes of no more than that.
const PIECE_BYTES: usize = 256;

/// Pieces from which the rarest is chosen, spread over the text.
const WEIGHED_PIECES: usize = 8;

/// Finds a text; a long one by a piece of it.
///
/// Preparing a substring search takes about 3 ns for each byte of the text, so for a text of 4 kB it takes as long as
/// searching 400 kB for it. Where the piece occurs without the rest so often that comparing costs more than preparing
/// would have, the whole text is prepared after all; the time stays linear in the text.
#[derive(Clone, Debug)]
pub(crate) struct TextFinder<'n> {
    text: &'n [u8],
    piece: Finder<'n>,
    /// Where the piece occurs in the text.
    offset: usize,
    /// Bytes that were compared in vain, at the most.
    in_vain: usize,
}

impl<'n> TextFinder<'n> {
    /// Prepares the search for `text`.
    pub(crate) fn new(text: &'n str) -> Self {
        let whole = text.as_bytes();
        let offset = if whole.len() <= PIECE_BYTES { 0 } else { rarest_piece(whole) };
        let piece = whole.get(offset..offset + PIECE_BYTES).unwrap_or(whole);
        Self { text: whole, piece: Finder::new(piece), offset, in_vain: 0 }
    }

    /// Returns the number of bytes of the text.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the first place of the text in `haystack`.
    pub(crate) fn find(&mut self, haystack: &[u8]) -> Option<usize> {
        let mut start = 0;
        loop {
            start += self.piece.find(haystack.get(start + self.offset..)?)?;
            if self.piece.needle().len() == self.text.len() || haystack[start..].starts_with(self.text) {
                return Some(start);
            }
            start += 1;
            self.in_vain += self.text.len();
            if self.in_vain > 2 * haystack.len() {
                self.piece = Finder::new(self.text);
                self.offset = 0;
            }
        }
    }
}

/// Returns where the piece starts whose two rarest bytes are the rarest, the first of equals. All depends on these two:
/// the search stops at every place that has both.
fn rarest_piece(text: &[u8]) -> usize {
    let step = (text.len() - PIECE_BYTES) / (WEIGHED_PIECES - 1);
    let offsets = (0..WEIGHED_PIECES).map(|choice| choice * step);
    offsets.rev().max_by_key(|offset| rarity::two_rarest(&text[*offset..*offset + PIECE_BYTES])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::TextFinder;
    use fuzzy_testkit::texts;
    use proptest::prelude::*;

    fn all(haystack: &str, text: &str) -> Vec<usize> {
        let mut finder = TextFinder::new(text);
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = haystack.as_bytes().get(at..).and_then(|rest| finder.find(rest)) {
            found.push(at + next);
            at += next + 1;
        }
        found
    }

    fn naive(haystack: &str, text: &str) -> Vec<usize> {
        (0..haystack.len()).filter(|at| haystack.as_bytes()[*at..].starts_with(text.as_bytes())).collect()
    }

    #[test]
    fn a_piece_that_is_everywhere_loses_no_place() {
        let text = "ab".repeat(200) + "c";
        let haystack = "ab".repeat(3000) + "c" + &text + "ab";
        assert_eq!(all(&haystack, &text), naive(&haystack, &text));
        assert_eq!(all(&haystack, &text).len(), 2);
    }

    proptest! {
        #![proptest_config(texts::config())]

        #[test]
        fn places_equal_the_naive_search(unit in "[ab]{1,3}é{0,1}", odd in "[abc]{1,4}", repeats in 100..900_usize, cut in 0..1_800_usize, times in 1..6_usize) {
            let block = unit.repeat(repeats) + &odd;
            let haystack = block.repeat(times);
            let text = &block[block.floor_char_boundary(cut.min(block.len() - 1))..];
            prop_assert_eq!(all(&haystack, text), naive(&haystack, text));
        }
    }
}
