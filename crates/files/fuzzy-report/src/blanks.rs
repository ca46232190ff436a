//! Formats lines for people to compare: makes blanks visible where they differ and cuts long lines.

use fuzzy_core::blank::{self, is_blank};

/// Characters before the first difference of two long lines.
pub(crate) const LEAD: usize = 20;

/// Returns two lines with the blanks made visible in which they differ: `·` for a space, `→` for a tab, `␍` for a
/// carriage return, the code point for any other.
///
/// The blanks before, inside and after the text are compared separately, so that a changed indentation does not clutter
/// the rest. Control characters are always replaced by their symbols.
#[must_use]
pub fn visible_blanks(a: &str, b: &str) -> (String, String) {
    let (a, b) = (Parts::new(a), Parts::new(b));
    let differ = [a.before != b.before, a.gaps() != b.gaps(), a.after != b.after];
    (a.show(differ), b.show(differ))
}

/// Returns at most `width` characters of a line, including those at `from`; `…` replaces the omitted parts.
#[must_use]
pub fn excerpt(line: &str, from: usize, width: usize) -> String {
    let length = line.chars().count();
    if length <= width || width < 2 {
        return line.to_owned();
    }
    let lead = LEAD.min(width / 4);
    let start = if from + lead > width { (from - lead).min(length - width + 1) } else { 0 };
    let room = width - usize::from(start > 0);
    let rest = length - start > room;
    let kept = line.chars().skip(start).take(room - usize::from(rest));
    let before = (start > 0).then_some('…');
    before.into_iter().chain(kept).chain(rest.then_some('…')).collect()
}

/// Returns the length of the common prefix of two lines, in characters.
#[must_use]
pub fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// A line split into the blanks before the text, the text, and the blanks after it.
struct Parts<'l> {
    before: &'l str,
    body: &'l str,
    after: &'l str,
}

impl<'l> Parts<'l> {
    fn new(line: &'l str) -> Self {
        let (before, rest) = line.split_at(blank::leading(line));
        let (body, after) = rest.split_at(rest.len() - blank::trailing(rest));
        Self { before, body, after }
    }

    /// Returns the blanks inside the body, one entry for each run of them.
    fn gaps(&self) -> Vec<&'l str> {
        self.body.split(|c| !is_blank(c)).filter(|gap| !gap.is_empty()).collect()
    }

    fn show(&self, visible: [bool; 3]) -> String {
        let parts = [self.before, self.body, self.after].into_iter().zip(visible);
        let mut out = String::new();
        for (part, visible) in parts {
            part.chars().for_each(|c| show(c, visible, &mut out));
        }
        out
    }
}

fn show(c: char, visible: bool, out: &mut String) {
    match c {
        ' ' if visible => out.push('·'),
        '\t' if visible => out.push('→'),
        '\r' if visible => out.push('␍'),
        ' ' | '\t' => out.push(c),
        '\u{7f}' => out.push('␡'),
        // The symbols of the control characters have the same order as the characters.
        c if c.is_ascii_control() => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or(c)),
        c if (visible && is_blank(c)) || c.is_control() => {
            out.extend(format!("<U+{:04X}>", u32::from(c)).chars());
        }
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::{excerpt, visible_blanks};

    fn visible(a: &str, b: &str) -> (String, String) {
        visible_blanks(a, b)
    }

    #[test]
    fn blanks_are_visible_only_where_they_differ() {
        assert_eq!(visible("  a b", "\ta b"), ("··a b".into(), "→a b".into()));
        assert_eq!(visible("  a b", "  a  b"), ("  a·b".into(), "  a··b".into()));
        assert_eq!(visible("a b \r", "a b"), ("a b·␍".into(), "a b".into()));
        assert_eq!(visible("a\u{a0}b", "a b"), ("a<U+00A0>b".into(), "a·b".into()));
        assert_eq!(visible(" a b", " a c"), (" a b".into(), " a c".into()));
    }

    #[test]
    fn control_characters_never_reach_a_terminal() {
        assert_eq!(visible("a\u{1b}[2J\u{7f}\u{9b}", "a").0, "a␛[2J␡<U+009B>");
    }

    #[test]
    fn a_long_line_is_cut_around_the_difference() {
        let line = "0123456789".repeat(10);
        assert_eq!(excerpt(&line, 0, 12), "01234567890…");
        assert_eq!(excerpt(&line, 55, 32), "…789012345678901234567890123456…");
        assert_eq!(excerpt(&line, 99, 12), "…90123456789");
        assert_eq!(excerpt("short", 3, 12), "short");
    }
}
