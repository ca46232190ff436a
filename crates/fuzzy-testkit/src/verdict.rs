//! Ratings of the results of edits.

/// The rating of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The text is the expected one, byte for byte; or an edit that must be rejected was.
    Right,
    /// The text differs in whitespace at the ends of lines or at the end.
    Tails,
    /// The text differs in other whitespace: words and their order are right.
    Whitespace,
    /// There is no new text, or it is the old one.
    Refused,
    /// Anything else.
    Wrong,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Self; 5] = [Self::Right, Self::Tails, Self::Whitespace, Self::Refused, Self::Wrong];

    /// Rates the result of an edit of `content`; `expected` is the right result.
    #[must_use]
    pub fn of(content: &str, expected: &str, output: Option<&str>) -> Self {
        let Some(output) = output.filter(|output| *output != content) else { return Self::Refused };
        if output == expected {
            Self::Right
        } else if trimmed(output).eq(trimmed(expected)) {
            Self::Tails
        } else if words(output).eq(words(expected)) {
            Self::Whitespace
        } else {
            Self::Wrong
        }
    }

    /// Returns the word for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Tails => "tails",
            Self::Whitespace => "whitespace",
            Self::Refused => "refused",
            Self::Wrong => "WRONG",
        }
    }
}

/// Returns whether Python's `str.split` and `str.rstrip` treat `c` as a blank: Unicode's blanks and four separators of
/// ASCII.
fn is_python_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Returns the lines without the blanks at their ends, and without the blank lines at the end.
fn trimmed(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end_matches(is_python_blank).split('\n').map(|line| line.trim_end_matches(is_python_blank))
}

/// Returns the texts between blanks, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_python_blank).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Verdict, is_python_blank};

    fn of(output: Option<&str>) -> Verdict {
        Verdict::of("a\n", "if x:\n    b\nc\n", output)
    }

    #[test]
    fn a_text_is_right_only_to_the_byte() {
        assert_eq!(of(Some("if x:\n    b\nc\n")), Verdict::Right);
        for tails in ["if x:\n    b\nc", "if x: \n    b\t\nc\n", "if x:\r\n    b\nc\n\n \n", "if x:\n    b\u{1f}\nc\n"]
        {
            assert_eq!(of(Some(tails)), Verdict::Tails, "{tails:?}");
        }
        for blanks in ["if x:\n  b\nc\n", "if x:\n    b c\n", "\nif x:\n    b\nc\n", "if\u{a0}x:\u{1c}b\nc"] {
            assert_eq!(of(Some(blanks)), Verdict::Whitespace, "{blanks:?}");
        }
        for wrong in ["", "if x:\n    b\n", "ifx:\n    b\nc\n", "if x:\n    b\u{feff}\nc\n"] {
            assert_eq!(of(Some(wrong)), Verdict::Wrong, "{wrong:?}");
        }
        assert_eq!(of(None), Verdict::Refused);
        assert_eq!(of(Some("a\n")), Verdict::Refused);
    }

    #[test]
    fn blanks_are_those_of_python() {
        let blanks: Vec<u32> = ('\0'..=char::MAX).filter(|c| is_python_blank(*c)).map(u32::from).collect();
        let python = [
            0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
            0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
        ];
        assert_eq!(blanks, python);
    }
}
