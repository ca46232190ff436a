//! Undoes escapes: backslashes before quotes and backslashes, and HTML entities.

use fuzzy_merge::equal_but_blanks;

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

impl Escape {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Quotes, Self::Backslashes, Self::Both, Self::Entities];

    /// Undoes one level of escaping of this class.
    #[must_use]
    pub fn undo(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        if self == Self::Entities {
            let mut rest = text;
            while let Some(at) = rest.find('&') {
                out.push_str(&rest[..at]);
                rest = &rest[at..];
                let known = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
                let (skip, put) = known.map_or((1, "&"), |(name, character)| (name.len(), *character));
                out.push_str(put);
                rest = &rest[skip..];
            }
            out.push_str(rest);
        } else {
            let mut chars = text.chars().peekable();
            while let Some(c) = chars.next() {
                let next = chars.peek().copied();
                let undone = c == '\\'
                    && match next {
                        Some('"' | '\'' | '`') => self != Self::Backslashes,
                        Some('\\') => self != Self::Quotes,
                        _ => false,
                    };
                match (undone, next) {
                    (true, Some(next)) => {
                        out.push(next);
                        chars.next();
                    }
                    _ => out.push(c),
                }
            }
        }
        out
    }

    /// Undoes the class in a new text that has the needle's escapes rather than the file's.
    #[must_use]
    pub(crate) fn undo_shared(self, file: &str, needle: &str, new: &str) -> Option<String> {
        undo_shared(file, needle, new, |escape| self.undo(escape))
    }
}

/// Undoes escapes in a new text that has the needle's wrong escapes rather than their undone forms: the author may have
/// miscopied one text and written the other correctly. Returns none if a line has both, or if one line has undone forms
/// and another has wrong escapes of the same kind.
pub(crate) fn undo_shared(file: &str, needle: &str, new: &str, undo: impl Fn(&str) -> String) -> Option<String> {
    let theirs = escapes(file);
    let slips: Vec<String> = escapes(needle).into_iter().filter(|escape| !theirs.contains(escape)).collect();
    let undone: Vec<String> = slips.iter().map(|escape| undo(escape)).collect();
    // A wrong escape of the same kind, which the needle lacks.
    let is_like_slip = |escape: &String| {
        let undone = undo(escape);
        undone != *escape && !theirs.contains(escape) && theirs.contains(&undone)
    };
    // A kept line is a copy like the needle, and no evidence of the author's own escaping.
    let is_kept = |line: &str| needle.split('\n').any(|old| equal_but_blanks(old, line));
    let lines: Vec<(&str, bool)> = new.split('\n').map(|line| (line, is_kept(line))).collect();
    let (mut slipped, mut like_slip, mut right) = (false, false, false);
    for (line, _) in lines.iter().filter(|(_, is_kept)| !is_kept) {
        let ours = escapes(line);
        let (has_slips, has_undone) =
            (slips.iter().any(|it| ours.contains(it)), undone.iter().any(|it| ours.contains(it)));
        if has_slips && has_undone {
            return None;
        }
        slipped |= has_slips;
        like_slip |= ours.iter().any(is_like_slip);
        right |= has_undone;
    }
    if right && like_slip && !slipped {
        return None;
    }
    let undone = lines.into_iter().map(
        |(line, is_kept)| {
            if slipped || !right || is_kept { undo(line) } else { line.to_owned() }
        },
    );
    Some(undone.collect::<Vec<_>>().join("\n"))
}

/// Returns the escapes of a text: backslashes with the character after them, and entities.
fn escapes(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '&']) {
        rest = &rest[at..];
        let length = if rest.starts_with('&') {
            rest.find(';').filter(|end| *end <= 6).map_or(1, |end| end + 1)
        } else {
            let marks = rest.len() - rest.trim_start_matches('\\').len();
            marks + rest[marks..].chars().next().map_or(0, char::len_utf8)
        };
        let escape = rest[..length].to_owned();
        if length > 1 && !found.contains(&escape) {
            found.push(escape);
        }
        rest = &rest[length..];
    }
    found
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
