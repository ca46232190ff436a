//! Ranges of a text that keep their original bytes.
//!
//! The bytes of a file are not always the ones that its text encodes to: some are wrong in the encoding and decode to
//! U+FFFD, and some encodings have two codes for one character. Each such place is stored with its bytes, so that an
//! edit elsewhere writes them unchanged.

use std::borrow::Cow;
use std::ops::Range;

use fuzzy_pipeline::Replaced;

use crate::Encoding;

/// The character that wrong bytes decode to.
pub(crate) const WRONG: char = '\u{fffd}';

/// A range of a text with its original bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verbatim {
    /// Offset in the text.
    at: usize,
    /// Length in the text.
    length: u8,
    /// No encoding has longer sequences, valid or wrong.
    bytes: [u8; 6],
    count: u8,
}

impl Verbatim {
    fn end(&self) -> usize {
        self.at + usize::from(self.length)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.count)]
    }

    fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.at..self.end()]
    }
}

/// The ranges of a text that keep their original bytes, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verbatims(Vec<Verbatim>);

impl Verbatims {
    /// Returns whether every character has its usual bytes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a range after all others.
    pub(crate) fn push(&mut self, text: Range<usize>, bytes: &[u8]) {
        let mut own = [0; 6];
        own[..bytes.len()].copy_from_slice(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "a stretch has one or two characters")]
        let (length, count) = (text.len() as u8, bytes.len() as u8);
        self.0.push(Verbatim { at: text.start, length, bytes: own, count });
    }

    /// Moves all ranges `by` bytes of the text towards the start.
    pub(crate) fn shift(&mut self, by: usize) {
        for verbatim in &mut self.0 {
            verbatim.at -= by;
        }
    }

    /// Returns the offset of the first wrong bytes in the text.
    pub(crate) fn first_wrong(&self, text: &str) -> Option<usize> {
        self.0.iter().find(|verbatim| verbatim.text(text).starts_with(WRONG)).map(|verbatim| verbatim.at)
    }

    /// Returns the bytes of a text.
    ///
    /// # Errors
    ///
    /// Returns the offset in `text` of the first character that the encoding lacks.
    pub(crate) fn encode<'t>(&self, encoding: Encoding, text: &'t str) -> Result<Cow<'t, [u8]>, usize> {
        if self.is_empty() {
            return encoding.encode(text);
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut from = 0;
        for verbatim in &self.0 {
            bytes.extend_from_slice(&encoding.encode(&text[from..verbatim.at]).map_err(|at| from + at)?);
            bytes.extend_from_slice(verbatim.bytes());
            from = verbatim.end();
        }
        bytes.extend_from_slice(&encoding.encode(&text[from..]).map_err(|at| from + at)?);
        Ok(Cow::Owned(bytes))
    }

    /// Returns the number of bytes of the text before the offset `end`.
    pub(crate) fn length(&self, encoding: Encoding, text: &str, end: usize) -> usize {
        let (mut bytes, mut from) = (0, 0);
        for verbatim in self.0.iter().take_while(|verbatim| verbatim.end() <= end) {
            bytes += encoding.length(&text[from..verbatim.at]) + usize::from(verbatim.count);
            from = verbatim.end();
        }
        bytes + encoding.length(&text[from..end])
    }

    /// Returns the ranges of the text `new`, which was made from `old` by replacing places.
    ///
    /// Ranges outside the places are kept. Inside a place, characters keep their bytes as far as their correspondence
    /// is clear; any other character gets its usual bytes.
    ///
    /// # Errors
    ///
    /// Returns the offset in `new` of a U+FFFD if it is unclear which wrong bytes it represents.
    pub(crate) fn moved(&self, old: &str, new: &str, replaced: &[Replaced]) -> Result<Self, usize> {
        if self.is_empty() {
            return Ok(Self::default());
        }
        let has_wrong = self.first_wrong(old).is_some();
        let mut moved = Vec::with_capacity(self.0.len());
        let mut rest = self.0.as_slice();
        let (mut from_old, mut from_new) = (0, 0);
        for Replaced { before, after } in replaced {
            let (outside, others) = split(rest, before.start());
            // A partly replaced range loses its bytes.
            let whole = outside.iter().filter(|verbatim| verbatim.end() <= before.start());
            moved.extend(whole.map(|verbatim| Verbatim { at: verbatim.at - from_old + from_new, ..*verbatim }));
            let inside;
            (inside, rest) = split(others, before.end());
            let place = Place { text: old, span: before.start()..before.end(), verbatims: inside };
            place.carry_over(new, after.start()..after.end(), has_wrong, &mut moved)?;
            (from_old, from_new) = (before.end(), after.end());
        }
        moved.extend(rest.iter().map(|verbatim| Verbatim { at: verbatim.at - from_old + from_new, ..*verbatim }));
        Ok(Self(moved))
    }
}

/// Splits ranges at an offset of the text.
fn split(verbatims: &[Verbatim], at: usize) -> (&[Verbatim], &[Verbatim]) {
    verbatims.split_at(verbatims.partition_point(|verbatim| verbatim.at < at))
}

/// A place of the old text.
struct Place<'t> {
    text: &'t str,
    span: Range<usize>,
    verbatims: &'t [Verbatim],
}

impl Place<'_> {
    /// Adds the ranges of the text that replaced the place.
    fn carry_over(
        &self,
        new: &str,
        span: Range<usize>,
        has_wrong: bool,
        moved: &mut Vec<Verbatim>,
    ) -> Result<(), usize> {
        let whole = self.verbatims.iter().filter(|verbatim| verbatim.end() <= self.span.end);
        let mut keys: Vec<&str> = whole.map(|verbatim| verbatim.text(self.text)).collect();
        // A longer range may begin with a shorter one.
        keys.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        keys.dedup();
        let mut found: Vec<Verbatim> = Vec::new();
        for key in keys {
            let mut before = occurrences(self.text, &self.span, key);
            before.retain(|at| self.at(*at).is_none_or(|verbatim| usize::from(verbatim.length) == key.len()));
            let longer: Vec<_> = found.iter().filter(|other| usize::from(other.length) > key.len()).copied().collect();
            let mut after = occurrences(new, &span, key);
            after.retain(|at| longer.iter().all(|other| *at < other.at || other.end() <= *at));
            let own: Vec<Option<&Verbatim>> = before.iter().map(|at| self.at(*at)).collect();
            let is_one = own.windows(2).all(|pair| pair[0].map(Verbatim::bytes) == pair[1].map(Verbatim::bytes));
            let sources: Vec<Option<usize>> = if is_one {
                vec![Some(0); after.len()]
            } else if before.len() == after.len() {
                (0..after.len()).map(Some).collect()
            } else {
                self.shared_ends(new, &span, key, (before.len(), &after))
            };
            for (at, source) in after.iter().zip(sources) {
                match source.map(|source| own[source]) {
                    Some(Some(verbatim)) => found.push(Verbatim { at: *at, ..*verbatim }),
                    None if key.starts_with(WRONG) => return Err(*at),
                    // It gets its usual bytes.
                    Some(None) | None => {}
                }
            }
        }
        if has_wrong
            && !self.text[self.span.clone()].contains(WRONG)
            && let Some(at) = new[span.clone()].find(WRONG)
        {
            return Err(span.start + at);
        }
        found.sort_unstable_by_key(|verbatim| verbatim.at);
        moved.extend(found);
        Ok(())
    }

    /// Maps the occurrences of `key` in the new text to those in the place, as far as they are in the common prefix or
    /// suffix.
    fn shared_ends(
        &self,
        new: &str,
        span: &Range<usize>,
        key: &str,
        (before, after): (usize, &[usize]),
    ) -> Vec<Option<usize>> {
        let (old_text, new_text) = (&self.text[self.span.clone()], &new[span.clone()]);
        let start = common(old_text.bytes(), new_text.bytes());
        let most = old_text.len().min(new_text.len()) - start;
        let end = common(old_text.bytes().rev(), new_text.bytes().rev()).min(most);
        let source = |(number, at): (usize, &usize)| {
            if at + key.len() <= span.start + start {
                Some(number)
            } else if *at >= span.end - end {
                (before + number).checked_sub(after.len())
            } else {
                None
            }
        };
        after.iter().enumerate().map(source).collect()
    }

    fn at(&self, at: usize) -> Option<&Verbatim> {
        self.verbatims.binary_search_by_key(&at, |verbatim| verbatim.at).ok().map(|index| &self.verbatims[index])
    }
}

/// Returns the offsets of a text in a span.
fn occurrences(text: &str, span: &Range<usize>, key: &str) -> Vec<usize> {
    text[span.clone()].match_indices(key).map(|(at, _)| span.start + at).collect()
}

/// Returns the length of the common prefix, in bytes.
fn common(a: impl Iterator<Item = u8>, b: impl Iterator<Item = u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}
