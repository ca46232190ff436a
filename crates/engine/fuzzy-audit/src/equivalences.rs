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
        let quotes = |text: &str| ['"', '\'', '`'].map(|quote| text.matches(quote).count());
        let typography = |text: &str| text.matches(|c| to_ascii(c) != c).count();
        Self {
            quotes: quotes(place) != quotes(needle),
            typography: typography(place) != typography(needle),
            escapes: place.matches('\\').count() != needle.matches('\\').count(),
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

/// Returns the ASCII form of a curly quote or a long dash; other characters unchanged.
fn to_ascii(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        other => other,
    }
}
