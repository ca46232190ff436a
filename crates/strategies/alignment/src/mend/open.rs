//! What a line leaves open: brackets and quotes that other lines have to close.

/// What a line leaves open, and what it closes that others have opened.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// The brackets and quotes that it opens and does not close, in their order.
    pub(super) left: Vec<char>,
    /// How many brackets it closes that it has not opened.
    closed: usize,
}

impl Open {
    pub(super) fn of(line: &str) -> Self {
        let mut open = Self::default();
        open.read(line);
        open
    }

    /// Goes on with what follows.
    pub(super) fn read(&mut self, text: &str) {
        let mut before = ' ';
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let quote = self.quote();
            match c {
                '\\' => {
                    chars.next();
                }
                _ if quote == Some(c) => {
                    self.left.pop();
                }
                _ if quote.is_some() => {}
                // A mark after a letter is an apostrophe.
                '\'' if before.is_alphanumeric() => {}
                '(' | '[' | '{' => self.left.push(c),
                ')' | ']' | '}' => self.closed += usize::from(self.left.pop().is_none()),
                _ if is_quote(c) => self.left.push(c),
                _ => {}
            }
            before = c;
        }
    }

    /// Returns the quote that is left open.
    pub(super) fn quote(&self) -> Option<char> {
        self.left.last().copied().filter(|last| is_quote(*last))
    }

    /// Returns how many more brackets and quotes are opened than closed.
    pub(super) fn depth(&self) -> isize {
        self.left.len().cast_signed() - self.closed.cast_signed()
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

#[cfg(test)]
mod tests {
    use super::Open;

    #[test]
    fn what_is_open_is_what_nothing_closes() {
        for (line, left, depth) in [
            ("call(a, [b])", "", 0),
            ("call(a, [b]", "(", 1),
            ("});", "", -2),
            ("path = $(jq -r '.tool", "('", 2),
            ("say(\"a \\\" (\", b", "(", 1),
            ("// it's not", "", 0),
        ] {
            let open = Open::of(line);
            assert_eq!((open.left.iter().collect::<String>().as_str(), open.depth()), (left, depth), "{line}");
        }
    }
}
