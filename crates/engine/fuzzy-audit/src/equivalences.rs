//! Classes of marks that are equal in an audit.

/// The classes of equal marks: those that the file and the edit write differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equivalences {
    /// Whether the quotes `"`, `'` and `` ` `` are equal.
    pub quotes: bool,
    /// Whether curly quotes and long dashes equal the ASCII ones.
    pub typography: bool,
    /// Whether runs of backslashes of any length are equal.
    pub escapes: bool,
}

impl Equivalences {
    /// Returns the classes whose marks have different counts in two texts.
    #[must_use]
    pub fn between(place: &str, needle: &str) -> Self {
        let (file, edit) = (Counts::of(place), Counts::of(needle));
        Self {
            quotes: file.quotes != edit.quotes,
            typography: file.typography != edit.typography,
            escapes: file.escapes != edit.escapes,
        }
    }

    /// Returns the representative of a mark's class.
    pub(crate) fn canonical(self, mark: char) -> char {
        match self.to_ascii(mark) {
            '\'' | '`' if self.quotes => '"',
            other => other,
        }
    }

    /// Returns the ASCII form of a character, if such forms are equal.
    pub(crate) fn to_ascii(self, c: char) -> char {
        if self.typography { to_ascii(c) } else { c }
    }
}

/// The counts of a text's marks, for each class.
#[derive(Default)]
struct Counts {
    /// Of `"`, `'` and `` ` ``.
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

/// Returns the ASCII form of a curly quote or a long dash; other characters unchanged.
fn to_ascii(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        other => other,
    }
}
