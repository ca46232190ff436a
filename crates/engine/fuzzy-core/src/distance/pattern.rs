//! A pattern prepared once, to be measured against many places of a text.

use rustc_hash::FxHashMap;

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
