//! Ratings of the results of labelled edits, the same for every program that counts them.

/// Lines around a target that may change, too.
const SLACK: usize = 2;

/// An edit with the results that are right.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labelled<'l> {
    /// The text before the edit.
    pub content: &'l str,
    /// Whether old and new text are the same, so that no edit can make the expected text.
    pub is_same: bool,
    /// The text after the edit; `None` for a refusal.
    pub expected: Option<&'l str>,
    /// Other results that are right; `None` for a refusal.
    pub accept: &'l [Option<String>],
    /// The kind of label: `span` for an edit of which only the lines are known, `unlabelled` for no label; every other
    /// kind is a whole result.
    pub kind: &'l str,
    /// Whether leaving the text unchanged is as good as refusing.
    pub accept_noop: bool,
    /// The lines that contain every change, counted from 0, end excluded, if the kind is `span`.
    pub target: Option<(usize, usize)>,
}

impl Labelled<'_> {
    /// Returns whether the edit should change the text.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.expected.is_some() || self.kind == "span"
    }

    /// Rates the result of the edit, `None` for a refusal; returns `None` if the label is not sufficient.
    #[must_use]
    pub fn verdict(&self, output: Option<&str>) -> Option<Verdict> {
        if self.kind == "unlabelled" || (self.is_same && self.is_positive()) {
            return None;
        }
        if self.accept.iter().any(|accepted| accepted.as_deref() == output) {
            return Some(Verdict::Right);
        }
        if !self.is_positive() {
            let is_harmless = output.is_none_or(|output| self.accept_noop && output == self.content);
            return Some(if is_harmless { Verdict::Right } else { Verdict::Wrong });
        }
        if self.kind == "span" {
            let (first, last) = self.target?;
            return Some(match output.filter(|output| *output != self.content) {
                None => Verdict::Refused,
                Some(output) if is_within(self.content, output, (first.saturating_sub(SLACK), last + SLACK)) => {
                    Verdict::Right
                }
                Some(_) => Verdict::Wrong,
            });
        }
        let expected = self.expected?;
        // The file may be as it should be already.
        let is_right = output == Some(expected);
        Some(if is_right { Verdict::Right } else { Verdict::of(self.content, expected, output) })
    }
}

/// Returns whether every changed line is between two: those between the lines that both texts share at their start and
/// at their end.
fn is_within(before: &str, after: &str, (first, last): (usize, usize)) -> bool {
    let [before, after] = [before, after].map(|text| text.split('\n').collect::<Vec<_>>());
    let start = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    first <= start && before.len() - end <= last
}

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

    /// Returns the word for tables in which whitespace is one verdict.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Tails | Self::Whitespace => "whitespace",
            Self::Refused => "missed",
            Self::Wrong => "wrong",
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
