//! Says which marks the file writes in another way than the edit.

/// The classes of marks that the file writes in another way than the edit does: a token that only changed its dress is
/// the same token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dress {
    /// Tells whether `"`, `'` and `` ` `` around a text stand for each other.
    pub quotes: bool,
    /// Tells whether curly quotes and long dashes stand for the plain ones.
    pub marks: bool,
    /// Tells whether any number of backslashes in a row stands for any other.
    pub escapes: bool,
}

impl Dress {
    /// Returns the classes in which two texts differ in how often they have each mark.
    #[must_use]
    pub fn between(place: &str, needle: &str) -> Self {
        let count = |text: &str| {
            let mut counts = [0_usize; 5];
            for c in text.chars() {
                match c {
                    '"' => counts[0] += 1,
                    '\'' => counts[1] += 1,
                    '`' => counts[2] += 1,
                    '\\' => counts[4] += 1,
                    _ if typed(c) != c => counts[3] += 1,
                    _ => {}
                }
            }
            counts
        };
        let (file, edit) = (count(place), count(needle));
        Self { quotes: file[..3] != edit[..3], marks: file[3] != edit[3], escapes: file[4] != edit[4] }
    }

    /// Returns what stands for a mark.
    pub(crate) fn plain(self, mark: char) -> char {
        match self.typed(mark) {
            '\'' | '`' if self.quotes => '"',
            other => other,
        }
    }

    /// Returns what a keyboard has for a character.
    pub(crate) fn typed(self, c: char) -> char {
        if self.marks { typed(c) } else { c }
    }
}

fn typed(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        other => other,
    }
}
