//! Finds the brackets and quotes that a line opens and other lines close.

use std::str::CharIndices;

/// The brackets and quotes that a line does not close or open itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenBrackets<'t> {
    /// The brackets and quotes that it opens and does not close, in their order; a triple quote is one.
    pub(super) unclosed: Vec<&'t str>,
    /// The number of brackets that it closes and does not open.
    unopened: usize,
}

impl<'t> OpenBrackets<'t> {
    pub(crate) fn of(line: &'t str) -> Self {
        let mut open = Self::default();
        open.read(line);
        open
    }

    /// Reads the text that follows.
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
                // After a letter, it is an apostrophe.
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

    /// Returns the unclosed quote; none if it is a triple quote.
    pub(crate) fn quote(&self) -> Option<&'t str> {
        self.unclosed.last().copied().filter(|last| last.starts_with(is_quote) && !self.is_multiline_string())
    }

    /// Returns whether a string in triple quotes is unclosed: it has line breaks of its own.
    pub(super) fn is_multiline_string(&self) -> bool {
        self.unclosed.last().is_some_and(|last| last.len() > 1)
    }

    /// Returns the number of opened brackets and quotes less that of closed ones.
    pub(super) fn depth(&self) -> isize {
        self.unclosed.len().cast_signed() - self.unopened.cast_signed()
    }
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
    use super::OpenBrackets;

    #[test]
    fn brackets_and_quotes_stay_open_until_closed() {
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
