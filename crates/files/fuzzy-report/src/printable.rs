//! Makes texts safe to print: file names may contain control sequences for a terminal.

use std::borrow::Cow;

/// Returns a text with its control characters escaped, so that it can neither control a terminal nor fake another line.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() || is_bidi(c))
}

/// Escapes a text of several lines; keeps its line breaks and tabs.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| (c.is_control() && c != '\n' && c != '\t') || is_bidi(c))
}

/// Characters that change the direction of the text after them, so that it reads differently.
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
    fn control_characters_are_escaped() {
        assert_eq!(printable("a b/é.txt"), "a b/é.txt");
        assert_eq!(printable("a\u{1b}[2J\n\u{202e}b\u{9b}\u{7f}"), "a\\u{1b}[2J\\n\\u{202e}b\\u{9b}\\u{7f}");
        assert_eq!(printable_lines("a\n\tb\r\u{1b}c"), "a\n\tb\\r\\u{1b}c");
    }
}
