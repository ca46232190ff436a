//! Scans a text for brackets, strings and comments.

use std::str::CharIndices;

use fuzzy_core::blank::is_blank;

use crate::text::characters::comment_mark;

/// The brackets and quotes that a text does not close or open itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Brackets<'t> {
    /// The brackets and quotes that it opens and does not close, in their order; a triple quote is one.
    pub unclosed: Vec<&'t str>,
    /// The number of brackets that it closes and does not open.
    unopened: usize,
}

impl<'t> Brackets<'t> {
    /// Scans a text. Cost: one pass.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        let mut open = Self::default();
        open.read(text, |_, _| {});
        open
    }

    /// Reads the text that follows, and calls `code` with the place of each character outside of strings, in bytes, and
    /// the character. A string in single quotes ends with its line, but not with the text.
    pub fn read(&mut self, text: &'t str, mut code: impl FnMut(usize, char)) {
        let mut before = ' ';
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            let quote = self.unclosed.last().copied().filter(|last| last.starts_with(is_quote));
            if quote.is_none() {
                code(at, c);
            }
            match quote {
                _ if c == '\\' => {
                    chars.next();
                }
                Some(quote) if text[at..].starts_with(quote) || (c == '\n' && quote.len() == 1) => {
                    self.unclosed.pop();
                    chars = skipped(chars, quote);
                }
                // After a letter it is an apostrophe, after these marks the name of a lifetime.
                None if c == '\'' && (before.is_alphanumeric() || matches!(before, '&' | '<')) => {}
                None if is_quote(c) => {
                    let quote = quote_of(&text[at..]);
                    self.unclosed.push(quote);
                    chars = skipped(chars, quote);
                }
                None if matches!(c, '(' | '[' | '{') => self.unclosed.push(&text[at..=at]),
                None if matches!(c, ')' | ']' | '}') => self.unopened += usize::from(self.unclosed.pop().is_none()),
                _ => {}
            }
            before = c;
        }
    }

    /// Returns the unclosed quote; none if it is a triple quote.
    #[must_use]
    pub fn quote(&self) -> Option<&'t str> {
        self.unclosed.last().copied().filter(|last| last.starts_with(is_quote) && last.len() == 1)
    }

    /// Returns the number of opened brackets less that of closed ones.
    #[must_use]
    pub fn depth(&self) -> isize {
        let opened = self.unclosed.iter().filter(|bracket| !bracket.starts_with(is_quote)).count();
        opened.cast_signed() - self.unopened.cast_signed()
    }
}

/// Returns the first byte of the comment after a line's code: after a blank, and not in a string. Cost: one pass for each
/// mark of a comment.
#[must_use]
pub fn comment(line: &str) -> Option<usize> {
    let after_blanks = line.match_indices(is_blank).map(|(at, blank)| at + blank.len());
    let mut marks = after_blanks.filter(|&at| comment_mark(&line[at..]).is_some());
    marks.find(|&at| Brackets::of(&line[..at]).quote().is_none_or(|quote| !line[at..].contains(quote)))
}

/// Returns the quote at the start of a text: a triple or a single one.
fn quote_of(text: &str) -> &str {
    let is_long = text[1..].starts_with(&text[..1].repeat(2));
    &text[..if is_long { 3 } else { 1 }]
}

/// Skips the other characters of a quote, after its first.
fn skipped<'t>(mut chars: CharIndices<'t>, quote: &str) -> CharIndices<'t> {
    for _ in 1..quote.len() {
        chars.next();
    }
    chars
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

#[cfg(test)]
mod tests {
    use super::{Brackets, comment};

    #[test]
    fn brackets_and_quotes_stay_open_until_closed() {
        for (line, unclosed, depth) in [
            ("call(a, [b])", "", 0),
            ("call(a, [b]", "(", 1),
            ("});", "", -2),
            ("path = $(jq -r '.tool", "('", 1),
            ("say(\"a \\\" (\", b", "(", 1),
            ("// it's not", "", 0),
            ("\"\"\"Says \"so\"", "\"\"\"", 0),
            ("say(\"\", ' ')", "", 0),
            ("fn f<'a>(a: &'a str", "(", 1),
            ("say(\"a\nb)", "", 0),
        ] {
            let open = Brackets::of(line);
            assert_eq!((open.unclosed.concat().as_str(), open.depth()), (unclosed, depth), "{line}");
        }
    }

    #[test]
    fn a_comment_begins_after_a_blank_and_outside_of_strings() {
        for (line, code) in [
            ("a, // b", Some("a, ")),
            ("a: \"b // c\", # d", Some("a: \"b // c\", ")),
            ("run --all -- b", Some("run --all ")),
            ("http://a", None),
            ("\"a # b\"", None),
        ] {
            assert_eq!(comment(line).map(|at| &line[..at]), code, "{line}");
        }
    }
}
