//! Texts that are shown to people: names of files may hold anything, also what steers a terminal.

use std::borrow::Cow;

/// Returns a text without what would steer a terminal or look like another line: control characters are escaped.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() || is_bidi(c))
}

/// Returns a text of several lines in the same way.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| (c.is_control() && c != '\n' && c != '\t') || is_bidi(c))
}

/// Marks that turn the direction of what follows, so that it reads as something else.
const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_bad(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_lines};

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        assert_eq!(printable("a b/é.txt"), "a b/é.txt");
        assert_eq!(printable("a\u{1b}[2J\n\u{202e}b\u{9b}\u{7f}"), "a\\u{1b}[2J\\n\\u{202e}b\\u{9b}\\u{7f}");
        assert_eq!(printable_lines("a\n\tb\r\u{1b}c"), "a\n\tb\\r\\u{1b}c");
    }
}
