//! Undoes escapes: backslashes before quotes and backslashes, and HTML entities.

use std::borrow::Cow;

use fuzzy_merge::{Brackets, Mechanism, equal_but_blanks};
use rustc_hash::FxHashSet;

use super::evidence::{Evidence, Slip};
use crate::mechanisms::{ESCAPES, HTML_ENTITIES};

/// A class of escaping within lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// Backslashes before quotes.
    Quotes,
    /// Backslashes before backslashes.
    Backslashes,
    /// Backslashes before either.
    Both,
    /// HTML entities.
    Entities,
}

/// A part of a text: a character, or its escape.
struct Part<'t> {
    /// The text of the part.
    text: &'t str,
    /// The character that it is, or that its escape is for.
    character: &'t str,
}

impl Part<'_> {
    fn is_escape(&self) -> bool {
        self.text.len() > self.character.len()
    }
}

impl Escape {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Quotes, Self::Backslashes, Self::Both, Self::Entities];

    /// Returns the slip of this class.
    #[must_use]
    pub const fn slip(self) -> &'static Mechanism {
        if matches!(self, Self::Entities) { &HTML_ENTITIES } else { &ESCAPES }
    }

    /// Undoes one level of escaping of this class.
    #[must_use]
    pub fn undo(self, text: &str) -> String {
        self.parts(text).map(|part| part.character).collect()
    }

    /// Splits a text into characters and escapes of this class. Other pairs of backslashes remain pairs.
    fn parts(self, mut rest: &str) -> impl Iterator<Item = Part<'_>> + Clone {
        std::iter::from_fn(move || {
            let escaped = self.escaped(rest);
            let pair = rest.starts_with("\\\\").then_some(2);
            let first = || rest.chars().next().map_or(0, char::len_utf8);
            let length = escaped.map(|(length, _)| length).or(pair).unwrap_or_else(first);
            let (text, after) = rest.split_at(length);
            rest = after;
            (length > 0).then(|| Part { text, character: escaped.map_or(text, |(_, character)| character) })
        })
    }

    /// Returns the length of the escape at the start of a text, in bytes, and its character.
    fn escaped(self, text: &str) -> Option<(usize, &str)> {
        if self == Self::Entities {
            let entity = ENTITIES.iter().find(|(name, _)| text.starts_with(name));
            return entity.map(|(name, character)| (name.len(), *character));
        }
        let character = text.strip_prefix('\\')?.get(..1)?;
        let is_of_class = match character {
            "\"" | "'" | "`" => self != Self::Backslashes,
            "\\" => self != Self::Quotes,
            _ => false,
        };
        is_of_class.then_some((2, character))
    }

    /// Undoes the class in a new text by its own evidence. Returns none if a line leaves open whether it is escaped.
    #[must_use]
    pub(crate) fn undo_in_new<'t>(self, needle: &str, new: &'t str) -> Option<Cow<'t, str>> {
        let slips = Slips::of(self.of_new(new), needle, new);
        let evidence = |lines: &[&str], at: usize| slips.evidence(lines[at]);
        Slip { evidence: &evidence, undo: &|line| slips.undo(line), token: &|_| None }.undo_in_new(needle, new)
    }

    /// Returns the class of a new text: backslashes before escaped quotes are escaped, too.
    fn of_new(self, new: &str) -> Self {
        let mut pairs = units(new).filter(|unit| unit.starts_with("\\\\")).peekable();
        let has_pairs = self == Self::Quotes && pairs.peek().is_some();
        if has_pairs && pairs.all(|unit| unit.ends_with(['"', '\'', '`'])) { Self::Both } else { self }
    }

    /// Returns whether all escapes of a line are inside strings with plain quotes: `"say \"hi\""`.
    fn is_quoted(self, line: &str) -> bool {
        let (mut open, mut has_outside) = (Brackets::default(), false);
        open.read(line, |at, _| has_outside |= self.escaped(&line[at..]).is_some());
        matches!(self, Self::Quotes | Self::Both) && !has_outside && open.quote().is_none()
    }
}

/// The escapes of a needle.
struct Slips<'t> {
    escape: Escape,
    /// The escaped characters: the needle's, and others that the new text always escapes.
    characters: FxHashSet<&'t str>,
    /// The escapes of the needle, each with all backslashes or entities that belong together.
    escaped: FxHashSet<&'t str>,
    /// The same without one level of escaping.
    undone: FxHashSet<String>,
    /// The other characters of the needle.
    plain: FxHashSet<&'t str>,
}

impl<'t> Slips<'t> {
    fn of(escape: Escape, needle: &'t str, new: &'t str) -> Self {
        let (escaped, plain): (FxHashSet<&str>, FxHashSet<&str>) =
            units(needle).partition(|unit| escape.undo(unit) != **unit);
        let of_new = |is_escape: bool| {
            let parts = escape.parts(new).filter(move |part| part.is_escape() == is_escape);
            parts.map(|part| part.character).collect::<FxHashSet<&str>>()
        };
        let mut characters: FxHashSet<&str> = of_new(true).difference(&of_new(false)).copied().collect();
        characters.extend(escape.parts(needle).filter(Part::is_escape).map(|part| part.character));
        let undone = escaped.iter().map(|unit| escape.undo(unit)).collect();
        Self { escape, characters, escaped, undone, plain }
    }

    /// Returns whether a part is one of the escaped characters.
    fn has(&self, part: &Part<'_>) -> bool {
        self.characters.contains(part.character)
    }

    fn undo(&self, line: &str) -> String {
        self.escape.parts(line).map(|part| if self.has(&part) { part.character } else { part.text }).collect()
    }

    /// Returns the evidence of a line: whether it has these escapes, or the same characters without.
    fn evidence(&self, line: &str) -> Evidence {
        let (mut is_escaped, mut is_plain, mut is_open) = (false, false, false);
        for unit in units(line) {
            // They are one backslash if the author escapes more than quotes.
            is_open |= self.escape == Escape::Quotes && unit.starts_with("\\\\") && !self.plain.contains(unit);
            if self.escaped.contains(unit) {
                is_escaped = true;
            } else if self.undone.contains(unit) {
                is_plain |= !self.plain.contains(unit);
            } else {
                let mut parts = self.escape.parts(unit).filter(|part| self.has(part));
                is_escaped |= parts.clone().any(|part| part.is_escape());
                is_plain |= !self.plain.contains(unit) && parts.any(|part| !part.is_escape());
            }
        }
        match (is_escaped, is_plain) {
            (true, true) if self.escape.is_quoted(line) => Evidence::Clean,
            (true, is_plain) if is_plain || is_open => Evidence::Mixed,
            (true, _) => Evidence::Slipped,
            (false, true) => Evidence::Clean,
            (false, false) => Evidence::Free,
        }
    }
}

/// Splits a text into units: all backslashes before a character with it, nested entities (`&amp;lt;`), and other
/// characters.
fn units(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let marks = rest.len() - rest.trim_start_matches('\\').len();
        let mut length = marks + rest[marks..].chars().next().map_or(0, char::len_utf8);
        while rest[..length].ends_with('&') || rest[..length].ends_with("&amp;") {
            let name = rest[length..].trim_start_matches(|c: char| c == '#' || c.is_ascii_alphanumeric());
            let end = rest.len() - name.len();
            if end == length || !name.starts_with(';') {
                break;
            }
            length = end + 1;
        }
        let (unit, after) = rest.split_at(length);
        rest = after;
        (length > 0).then_some(unit)
    })
}

const ENTITIES: [(&str, &str); 8] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&#34;", "\""),
];

/// Chooses the class of escaping that makes most of the paired lines equal when undone. `pairs` has lines of the needle
/// with their lines of the file.
#[must_use]
pub(crate) fn escape_of(pairs: &[(&str, &str)]) -> Option<Escape> {
    if pairs.iter().all(|(needle, _)| marks(needle) == 0) {
        return None;
    }
    let mut best = (pairs.iter().filter(|(needle, file)| equal_but_blanks(needle, file)).count(), None);
    for escape in Escape::ALL {
        let count = pairs.iter().filter(|(needle, file)| equal_but_blanks(&escape.undo(needle), file)).count();
        if count > best.0 {
            best = (count, Some(escape));
        }
    }
    if best.1.is_some() {
        return best.1;
    }
    // No line is equal: choose the class that leaves the needle as many marks as the file has.
    let theirs: usize = pairs.iter().map(|(_, file)| marks(file)).sum();
    if pairs.iter().map(|(needle, _)| marks(needle)).sum::<usize>() == theirs {
        return None;
    }
    let leaves_theirs =
        |escape: &Escape| pairs.iter().map(|(needle, _)| marks(&escape.undo(needle))).sum::<usize>() == theirs;
    Escape::ALL.into_iter().find(leaves_theirs)
}

/// Returns the number of characters in a text that begin escapes.
fn marks(text: &str) -> usize {
    text.matches(['\\', '&']).count()
}

#[cfg(test)]
mod tests {
    use super::{Escape, escape_of};

    #[test]
    fn the_escape_that_makes_most_lines_equal_is_undone() {
        assert_eq!(escape_of(&[("say(\\\"a\\\")", "say(\"a\")")]), Some(Escape::Quotes));
        assert_eq!(escape_of(&[("find(\\\\w)", "find(\\w)")]), Some(Escape::Backslashes));
        assert_eq!(escape_of(&[("a &lt; b", "a < b")]), Some(Escape::Entities));
        assert_eq!(escape_of(&[("a &lt; b", "a &lt; b"), ("c\\n", "c\\n")]), None);
    }
}
