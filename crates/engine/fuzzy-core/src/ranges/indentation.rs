//! The indentation of a new text whose author misquoted that of the place.

use std::borrow::Cow;
use std::collections::HashMap;

use super::depth::Depths;
use super::lines::{body, has_word, lead, width};

/// How the indentation of a new text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// It is the file's.
    AsGiven,
    /// It is the quote's, on every line.
    Moved,
    /// The first line lost it, as the quote did; the others have the file's.
    FirstLine,
}

/// The place of a new text.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    /// The indentation of the quote and of its line in the file.
    pub(super) depths: Depths<'t>,
    /// How the other quoted lines are read, if there are any and they agree.
    pub(super) quoted: Option<Reading>,
    /// The replaced lines; none for an insertion.
    pub(super) replaced: Option<&'t str>,
    /// The line on the other side of an insertion.
    pub(super) beside: Option<&'t str>,
}

impl Place<'_> {
    /// Returns the new text with the indentation of the place; none if it is not certain.
    ///
    /// A quote with the file's indentation has a new text with the file's. Otherwise the new text shows by itself whether
    /// its indentation is the file's or the quote's, and the other quoted lines must not contradict.
    pub(super) fn fitted<'n>(&self, new: &'n str) -> Option<Cow<'n, str>> {
        Some(match self.reading(new)? {
            Reading::AsGiven => Cow::Borrowed(new),
            Reading::Moved => Cow::Owned(self.moved(new)?),
            Reading::FirstLine => {
                let first = new.find(|c: char| !c.is_whitespace()).unwrap_or_default();
                let start = new[..first].rfind('\n').map_or(0, |at| at + 1);
                Cow::Owned([&new[..start], self.depths.there, &new[first..]].concat())
            }
        })
    }

    fn reading(&self, new: &str) -> Option<Reading> {
        let mut lines = new.lines().filter(|line| !line.trim().is_empty()).map(lead);
        if self.depths.are_equal() {
            return Some(Reading::AsGiven);
        }
        let Some(first) = lines.next() else { return Some(Reading::AsGiven) };
        let there = width(self.depths.there);
        let mut rest = lines.peekable();
        let is_single = rest.peek().is_none();
        let is_deep = rest.all(|line| width(line) >= there);
        let (as_given, as_quoted) = self.shared(new);
        if first == self.depths.quoted {
            // Below the end of a block, new lines may be less deep than the quoted one.
            let is_inside = self.beside.is_some_and(|line| width(lead(line)) >= there);
            if self.replaced.is_none() && !is_inside {
                return None;
            }
            return match self.quoted {
                _ if is_single => Some(Reading::Moved),
                Some(Reading::FirstLine) => is_deep.then_some(Reading::FirstLine),
                _ if !is_deep => Some(Reading::Moved),
                Some(_) => (as_given == 0).then_some(Reading::Moved),
                // Nothing shows whether the other lines are as deep as they should be.
                None => None,
            };
        }
        let moved = self.depths.moved(first);
        let fits = |indentation: &str| {
            indentation == self.depths.there || self.beside.is_some_and(|line| lead(line) == indentation)
        };
        match (fits(first), moved.as_deref().is_some_and(fits)) {
            (true, false) => is_deep.then_some(Reading::AsGiven),
            (false, true) => Some(Reading::Moved),
            (true, true) => None,
            (false, false) => match (as_given, as_quoted) {
                (1.., 0) => Some(Reading::AsGiven),
                (0, 1..) => Some(Reading::Moved),
                _ => None,
            },
        }
    }

    /// Counts the lines that the new text shares with the replaced ones: those with the file's indentation, and those
    /// with the quote's.
    fn shared(&self, new: &str) -> (usize, usize) {
        let mut there: HashMap<&str, Option<&str>> = HashMap::new();
        for line in self.replaced.unwrap_or_default().lines().filter(|line| has_word(line)) {
            there.entry(body(line)).and_modify(|known| *known = None).or_insert(Some(lead(line)));
        }
        let mut counts = (0, 0);
        for line in new.lines() {
            if let Some(Some(there)) = there.get(body(line)) {
                if lead(line) == *there {
                    counts.0 += 1;
                } else if self.depths.moved(lead(line)).as_deref() == Some(there) {
                    counts.1 += 1;
                }
            }
        }
        counts
    }

    /// Returns the new text with every line moved as far as the quoted one.
    fn moved(&self, new: &str) -> Option<String> {
        let mut moved = String::with_capacity(new.len() + new.len() / 8);
        for line in new.split_inclusive('\n') {
            let given = lead(line);
            let there = match self.depths.moved(given) {
                _ if given.is_empty() && line.trim().is_empty() => None,
                // Blanks of a blank line need no indentation.
                None if line.trim().is_empty() => Some(given.to_owned()),
                there => Some(there?),
            };
            moved.push_str(&there.unwrap_or_default());
            moved.push_str(&line[given.len()..]);
        }
        Some(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::{Depths, Place, Reading};

    const ONE: Option<Reading> = Some(Reading::FirstLine);
    const ALL: Option<Reading> = Some(Reading::Moved);

    fn replacing(quoted: &'static str, there: &'static str, reading: Option<Reading>) -> Place<'static> {
        let replaced = Some("    a()\n    b()");
        Place { depths: Depths { quoted, there }, quoted: reading, replaced, beside: None }
    }

    fn beside(quoted: &'static str, there: &'static str, line: &'static str) -> Place<'static> {
        Place { depths: Depths { quoted, there }, quoted: None, replaced: None, beside: Some(line) }
    }

    #[test]
    fn the_new_text_shows_whether_its_indentation_is_the_quotes() {
        let cases = [
            // The quote is right, so that the new text is.
            (replacing("    ", "    ", None), "b()\n", Some("b()\n")),
            // The quote and the new text lost the indentation.
            (replacing("", "    ", ALL), "if c:\n    x()\n", Some("    if c:\n        x()\n")),
            (replacing("", "    ", ALL), "if c:\n    x()\ny()", Some("    if c:\n        x()\n    y()")),
            (replacing("", "    ", None), "x()\ny()", Some("    x()\n    y()")),
            (replacing("", "    ", None), "x()", Some("    x()")),
            // They lost that of the first line.
            (replacing("", "    ", ONE), "x()\n    y()", Some("    x()\n    y()")),
            (replacing("", "    ", ONE), "\nx()\n    y()", Some("\n    x()\n    y()")),
            (replacing("", "    ", ONE), "x()\ny()", None),
            // The quote alone lost it.
            (replacing("", "    ", ALL), "    c()\n        d()", Some("    c()\n        d()")),
            (replacing("", "    ", None), "        if c:\n    a()", Some("        if c:\n    a()")),
            // Nothing shows which it is.
            (replacing("", "    ", None), "if c:\n    x()", None),
            (replacing("", "    ", ALL), "if c:\n    a()", None),
            (replacing("", "    ", ALL), "  x()", None),
            // Tabs, quoted as spaces.
            (replacing("    ", "\t", ALL), "    if c:\n        x()", Some("\tif c:\n\t\tx()")),
            (replacing("    ", "\t", ALL), "    if c:\n      x()", None),
            // A body below the line that opens it.
            (beside("", "    ", "        a()"), "    b()", None),
            (beside("", "    ", "        a()"), "        b()", Some("        b()")),
            (beside("", "  ", "      a()"), "    b()", Some("      b()")),
            // Below the last line of a block.
            (beside("", "    ", "    a()"), "b()", Some("    b()")),
            (beside("", "    ", "a()"), "b()", None),
            (replacing("", "    ", None), "\n\n", Some("\n\n")),
        ];
        for (place, new, expected) in cases {
            assert_eq!(place.fitted(new).as_deref(), expected, "{new:?}");
        }
    }
}
