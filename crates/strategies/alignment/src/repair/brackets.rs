//! What a line leaves open: brackets and quotes that other lines have to close.

use std::str::CharIndices;

/// What a line leaves open, and what it closes that others have opened.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OpenBrackets<'t> {
    /// The brackets and quotes that it opens and does not close, in their order; three quotes are one.
    pub(super) unclosed: Vec<&'t str>,
    /// How many brackets it closes that it has not opened.
    unopened: usize,
}

impl<'t> OpenBrackets<'t> {
    pub(super) fn of(line: &'t str) -> Self {
        let mut open = Self::default();
        open.read(line);
        open
    }

    /// Goes on with what follows.
    pub(super) fn read(&mut self, text: &'t str) {
        let mut before = ' ';
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            match self.unclosed.last().copied().filter(|last| last.starts_with(is_quote)) {
                _ if c == '\\' => {
                    chars.next();
                }
                Some(quote) if text[at..].starts_with(quote) => {
                    self.unclosed.pop();
                    chars = skipped(chars, quote);
                }
                // A mark after a letter is an apostrophe.
                None if c == '\'' && before.is_alphanumeric() => {}
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

    /// Returns the quote that is left open; none where it is three.
    pub(super) fn quote(&self) -> Option<&'t str> {
        self.unclosed.last().copied().filter(|last| last.starts_with(is_quote) && !self.is_multiline_string())
    }

    /// Returns whether a text in three quotes is left open: it has line breaks of its own.
    pub(super) fn is_multiline_string(&self) -> bool {
        self.unclosed.last().is_some_and(|last| last.len() > 1)
    }

    /// Returns how many more brackets and quotes are opened than closed.
    pub(super) fn depth(&self) -> isize {
        self.unclosed.len().cast_signed() - self.unopened.cast_signed()
    }
}

/// Returns the quote that a text begins with: three of a kind, or one.
fn quote_of(text: &str) -> &str {
    let is_long = text[1..].starts_with(&text[..1].repeat(2));
    &text[..if is_long { 3 } else { 1 }]
}

/// Returns what follows the first character of a quote, without the others of the quote.
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
    use super::OpenBrackets;

    #[test]
    fn what_is_open_is_what_nothing_closes() {
        for (line, unclosed, depth) in [
            ("call(a, [b])", "", 0),
            ("call(a, [b]", "(", 1),
            ("});", "", -2),
            ("path = $(jq -r '.tool", "('", 2),
            ("say(\"a \\\" (\", b", "(", 1),
            ("// it's not", "", 0),
            ("\"\"\"Says \"so\"", "\"\"\"", 1),
            ("say(\"\", ' ')", "", 0),
        ] {
            let open = OpenBrackets::of(line);
            assert_eq!((open.unclosed.concat().as_str(), open.depth()), (unclosed, depth), "{line}");
        }
    }
}
