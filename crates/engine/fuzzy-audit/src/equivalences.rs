//! Marks that the file writes in another way than the edit.

/// The classes of marks that the file writes in another way than the edit does: a token that only changed its dress is
/// the same token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equivalences {
    /// Whether `"`, `'` and `` ` `` around a text mean the same.
    pub quotes: bool,
    /// Whether curly quotes and long dashes mean the same as the plain ones.
    pub typography: bool,
    /// Whether any number of backslashes in a row means the same as any other.
    pub escapes: bool,
}

impl Equivalences {
    /// Returns the classes in which two texts differ in how often they have each mark.
    #[must_use]
    pub fn between(place: &str, needle: &str) -> Self {
        let (file, edit) = (Counts::of(place), Counts::of(needle));
        Self {
            quotes: file.quotes != edit.quotes,
            typography: file.typography != edit.typography,
            escapes: file.escapes != edit.escapes,
        }
    }

    /// Returns the mark that all those of the same meaning are taken for.
    pub(crate) fn canonical(self, mark: char) -> char {
        match self.to_ascii(mark) {
            '\'' | '`' if self.quotes => '"',
            other => other,
        }
    }

    /// Returns what a keyboard has for a character, where the two texts differ in that.
    pub(crate) fn to_ascii(self, c: char) -> char {
        if self.typography { to_ascii(c) } else { c }
    }
}

/// How often a text has the marks of each class.
#[derive(Default)]
struct Counts {
    /// Of `"`, `'` and `` ` ``, each.
    quotes: [usize; 3],
    typography: usize,
    escapes: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        for c in text.chars() {
            match c {
                '"' => counts.quotes[0] += 1,
                '\'' => counts.quotes[1] += 1,
                '`' => counts.quotes[2] += 1,
                '\\' => counts.escapes += 1,
                _ if to_ascii(c) != c => counts.typography += 1,
                _ => {}
            }
        }
        counts
    }
}

/// Returns what a keyboard has for a curly quote or a long dash; other characters stay.
fn to_ascii(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        other => other,
    }
}
