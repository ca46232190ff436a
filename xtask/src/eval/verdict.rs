//! What an answer is worth.

use crate::eval::cases::Case;
use crate::eval::sequence_matcher::changes;

/// Lines by which a change may miss its target.
const SLACK: usize = 2;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// The text is the expected one to the byte; or an edit that must not be carried out was not.
    Right,
    /// The text differs in blanks at ends of lines or at the end.
    Tails,
    /// The text differs in other blanks: words and their order are right.
    Blanks,
    /// There is no new text, or it is the old one.
    Refused,
    /// Anything else.
    Wrong,
}

impl Verdict {
    /// Every verdict, best first.
    pub(crate) const ALL: [Self; 5] = [Self::Right, Self::Tails, Self::Blanks, Self::Refused, Self::Wrong];

    /// Judges the text that an edit made, or its refusal; gives nothing where the case cannot tell.
    pub(crate) fn of(case: &Case, output: Option<&str>) -> Option<Self> {
        if case.known() == "unlabelled" || (case.old == case.new && case.is_positive()) {
            return None;
        }
        if !case.is_positive() {
            let harmless = output.is_none_or(|output| case.accept_noop && output == case.content);
            return Some(if harmless { Self::Right } else { Self::Wrong });
        }
        let Some(output) = output.filter(|output| *output != case.content) else { return Some(Self::Refused) };
        if case.known() == "span" {
            return Some(if lies_in_target(case, output) { Self::Right } else { Self::Wrong });
        }
        let expected = case.expected.as_deref()?;
        Some(if output == expected {
            Self::Right
        } else if trimmed(output).eq(trimmed(expected)) {
            Self::Tails
        } else if words(output).eq(words(expected)) {
            Self::Blanks
        } else {
            Self::Wrong
        })
    }
}

/// Tells whether every changed line lies in the target, or near it.
fn lies_in_target(case: &Case, output: &str) -> bool {
    let Some((first, last)) = case.target else { return false };
    let before: Vec<_> = case.content.split('\n').collect();
    let after: Vec<_> = output.split('\n').collect();
    changes(&before, &after)
        .iter()
        .all(|change| first <= change.before.start + SLACK && change.before.end <= last + SLACK)
}

/// Tells whether Python's `str.split` and `str.rstrip` take `c` away: Unicode's blanks and four separators of ASCII.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Returns the lines without the blanks at their ends, and without the blank lines at the end.
fn trimmed(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end_matches(is_blank).split('\n').map(|line| line.trim_end_matches(is_blank))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Verdict, is_blank};
    use crate::eval::cases::Case;

    fn positive(expected: &str) -> Case {
        Case {
            content: "a\n".to_owned(),
            old: "a".to_owned(),
            new: "b".to_owned(),
            expected: Some(expected.to_owned()),
            ..Case::default()
        }
    }

    fn negative(accept_noop: bool) -> Case {
        Case { accept_noop, expected: None, ..positive("") }
    }

    #[test]
    fn a_positive_is_right_only_to_the_byte() {
        let of = |output| Verdict::of(&positive("if x:\n    b\nc\n"), output).unwrap();
        assert_eq!(of(Some("if x:\n    b\nc\n")), Verdict::Right);
        for tails in ["if x:\n    b\nc", "if x: \n    b\t\nc\n", "if x:\r\n    b\nc\n\n \n", "if x:\n    b\u{1f}\nc\n"]
        {
            assert_eq!(of(Some(tails)), Verdict::Tails, "{tails:?}");
        }
        for blanks in ["if x:\n  b\nc\n", "if x:\n    b c\n", "\nif x:\n    b\nc\n", "if\u{a0}x:\u{1c}b\nc"] {
            assert_eq!(of(Some(blanks)), Verdict::Blanks, "{blanks:?}");
        }
        for wrong in ["", "if x:\n    b\n", "ifx:\n    b\nc\n", "if x:\n    b\u{feff}\nc\n"] {
            assert_eq!(of(Some(wrong)), Verdict::Wrong, "{wrong:?}");
        }
        assert_eq!(of(None), Verdict::Refused);
        assert_eq!(of(Some("a\n")), Verdict::Refused);
    }

    #[test]
    fn a_negative_must_be_left_alone() {
        assert_eq!(Verdict::of(&negative(false), None), Some(Verdict::Right));
        assert_eq!(Verdict::of(&negative(false), Some("a\n")), Some(Verdict::Wrong));
        assert_eq!(Verdict::of(&negative(true), Some("a\n")), Some(Verdict::Right));
        assert_eq!(Verdict::of(&negative(true), Some("a")), Some(Verdict::Wrong));
    }

    #[test]
    fn a_change_must_lie_near_its_target() {
        let content = (0..20).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let case = Case {
            content: content.clone(),
            expected_kind: Some("span".to_owned()),
            target: Some((8, 10)),
            ..negative(false)
        };
        let of = |line: usize| {
            let output = content.replacen(&format!("\n{line}\n"), "\nx\n", 1);
            Verdict::of(&case, Some(&output)).unwrap()
        };
        assert_eq!(of(5), Verdict::Wrong);
        assert_eq!(of(6), Verdict::Right);
        assert_eq!(of(11), Verdict::Right);
        assert_eq!(of(12), Verdict::Wrong);
        assert_eq!(Verdict::of(&case, Some(&content)), Some(Verdict::Refused));
        assert_eq!(Verdict::of(&case, None), Some(Verdict::Refused));
    }

    #[test]
    fn what_cannot_be_judged_is_not() {
        let kind = |kind: &str, case: Case| Case { expected_kind: Some(kind.to_owned()), ..case };
        let same = |case: Case| Case { new: case.old.clone(), ..case };
        assert_eq!(Verdict::of(&kind("unlabelled", positive("b\n")), Some("b\n")), None);
        assert_eq!(Verdict::of(&same(positive("a\n")), None), None);
        assert_eq!(Verdict::of(&same(kind("span", negative(false))), None), None);
        assert_eq!(Verdict::of(&same(negative(false)), None), Some(Verdict::Right));
    }

    #[test]
    fn blanks_are_those_of_python() {
        let blanks: Vec<u32> = ('\0'..=char::MAX).filter(|c| is_blank(*c)).map(u32::from).collect();
        let python = [
            0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
            0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
        ];
        assert_eq!(blanks, python);
    }
}
