//! A pattern prepared once and measured against many places of a text.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::band::Band;
use super::kernel::{STRIP, Steps};
use super::sweep::Sweep;

/// Prepares a text for bit-parallel edit distances against many places of another.
///
/// Distances are Levenshtein distances in Unicode scalar values. The pattern is kept as one bit
/// mask per distinct character and block of 64 rows, so preparing costs its length plus
/// `distinct characters * length / 8` bytes.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use fuzzy_core::distance::Pattern;
///
/// let pattern = Pattern::new("count");
/// let mut found = Vec::new();
/// let _ = pattern.least_ending_at("the cound\nis", [9, 12], 1, |stop, distance| {
///     found.push((stop, distance));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(9, 1)]);
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    len: usize,
    /// Class of each ASCII character; 0 is the class of all characters the pattern lacks.
    ascii: [u32; 128],
    other: FxHashMap<char, u32>,
    classes: usize,
    /// `masks[block * classes + class]`: the rows of the block that hold the class's character.
    masks: Vec<u64>,
}

impl Pattern {
    /// Texts that advance side by side: parts of one text. Measured best of 2, 4 and 8.
    const LANES: usize = 4;

    /// Prepares `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut pattern = Self { len: 0, ascii: [0; 128], other: FxHashMap::default(), classes: 1, masks: Vec::new() };
        let mut rows = Vec::with_capacity(text.len());
        for char in text.chars() {
            let next = u32::try_from(pattern.classes).unwrap_or(u32::MAX);
            let class = match pattern.ascii.get_mut(char as usize) {
                Some(class) => class,
                None => pattern.other.entry(char).or_insert(0),
            };
            if *class == 0 {
                *class = next;
                pattern.classes += 1;
            }
            rows.push(*class);
        }
        pattern.len = rows.len();
        pattern.masks = vec![0; pattern.blocks() * pattern.classes];
        for (row, class) in rows.into_iter().enumerate() {
            pattern.masks[row / 64 * pattern.classes + class as usize] |= 1 << (row % 64);
        }
        pattern
    }

    /// Returns the pattern's length in Unicode scalar values.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a length to compute with")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Visits the stops at which some text ends that is within `limit` of the pattern.
    ///
    /// `stops` are ascending byte offsets into `text`; one that is not on a char boundary, or
    /// lies before its predecessor, is skipped. `visit` gets each stop, in order, whose least
    /// distance between the pattern and any `text[start..stop]` is at most `limit`, and that
    /// distance. It bounds from below the distance of every window that ends there. A limit of
    /// the pattern's length or more visits every stop. The pass ends with `stops`, which may end
    /// early, at a deadline for one.
    ///
    /// # Errors
    ///
    /// Returns [`ControlFlow::Break`] as soon as `visit` does; the text is read ahead of the
    /// visits by up to 64 Ki characters, or 16 times the longest match if that is more.
    ///
    /// # Complexity
    ///
    /// One pass over `text`, about `text * pattern / 64` word steps; a small limit skips the
    /// blocks of the pattern that no match within it can have reached. Memory is proportional to
    /// the pattern and to the text read ahead, never to the whole text.
    pub fn least_ending_at(
        &self,
        text: &str,
        stops: impl IntoIterator<Item = usize>,
        limit: usize,
        visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = limit.min(self.len);
        let stops = valid(text, stops).peekable();
        // A match within the limit is no longer than this, so a lane that starts so far before
        // its first stop has forgotten where it started.
        let reach = self.len + limit;
        if text.len() / Self::LANES > reach {
            Sweep::<{ Self::LANES }>::new(self, limit, reach).run(text, stops, visit)
        } else {
            Sweep::<1>::new(self, limit, reach).run(text, stops, visit)
        }
    }

    /// Visits the stops whose whole prefix of `text` is within `limit` of the pattern.
    ///
    /// `stops` are as in [`Pattern::least_ending_at`]. `visit` gets each stop, in order, whose
    /// distance between the pattern and `text[..stop]` is at most `limit`, and that distance.
    ///
    /// # Errors
    ///
    /// Returns [`ControlFlow::Break`] as soon as `visit` does.
    ///
    /// # Complexity
    ///
    /// One pass over `text` that ends after the last stop, or where no later one can be within
    /// the limit; each character costs about `(2 * limit + 1) / 64 + 2` word steps at most. No memory
    /// beyond two words per 64 characters of the pattern.
    pub fn distances_at(
        &self,
        text: &str,
        stops: impl IntoIterator<Item = usize>,
        limit: usize,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = limit.min(self.len.saturating_add(text.len()));
        let mut stops = valid(text, stops).peekable();
        while stops.next_if_eq(&0).is_some() {
            if self.len <= limit {
                visit(0, self.len)?;
            }
        }
        if self.len == 0 {
            return lengths_at(text, stops, limit, visit);
        }

        let mut band = Band::<1>::new(self, limit);
        let mut chars = text.char_indices();
        while stops.peek().is_some() {
            let mut classes = [0; STRIP];
            let mut ends = [0; STRIP];
            let mut filled = 0;
            for (at, char) in chars.by_ref().take(STRIP) {
                classes[filled] = self.class(char);
                ends[filled] = at + char.len_utf8();
                filled += 1;
            }
            band.advance(&[&classes], &Steps::RISING);
            for (column, &end) in ends.iter().enumerate().take(filled) {
                while stops.next_if_eq(&end).is_some() {
                    if let Some(distance) = band.distance(0, column + 1) {
                        visit(end, distance)?;
                    }
                }
            }
            if filled < STRIP || !band.narrow_top() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Number of blocks of 64 rows.
    pub(super) fn blocks(&self) -> usize {
        self.len.div_ceil(64)
    }

    /// Rows of the pattern in a block: 64 in all but the last.
    pub(super) fn rows(&self, block: usize) -> usize {
        (self.len - block * 64).min(64)
    }

    /// Masks of one block, by class.
    pub(super) fn masks(&self, block: usize) -> &[u64] {
        &self.masks[block * self.classes..(block + 1) * self.classes]
    }

    /// Class of a character.
    pub(super) fn class(&self, char: char) -> u32 {
        match self.ascii.get(char as usize) {
            Some(&class) => class,
            None => self.other.get(&char).copied().unwrap_or(0),
        }
    }

    /// Class of an ASCII character.
    pub(super) fn ascii_class(&self, byte: u8) -> u32 {
        self.ascii[usize::from(byte & 0x7f)]
    }
}

/// Drops stops that are outside the text, inside a character or before an earlier one.
fn valid(text: &str, stops: impl IntoIterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut least = 0;
    stops.into_iter().filter(move |&stop| {
        let keep = stop >= least && text.is_char_boundary(stop);
        if keep {
            least = stop;
        }
        keep
    })
}

/// The distances of the empty pattern: the lengths of the prefixes.
fn lengths_at(
    text: &str,
    stops: impl Iterator<Item = usize>,
    limit: usize,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (mut from, mut len) = (0, 0);
    for stop in stops {
        len += super::scalar_len(&text[from..stop]);
        from = stop;
        if len > limit {
            break;
        }
        visit(stop, len)?;
    }
    ControlFlow::Continue(())
}
