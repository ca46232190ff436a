//! Compares lines in a common spelling of characters that look alike.
//!
//! - Accepts: curly quotes, long dashes, unusual spaces, invisible characters, letters and accents separate or
//!   composed; and everything that [`Ends`](crate::Ends) accepts.
//! - Refuses: changed indentation, another number of lines, any other character.
//! - Cost: a pass to check whether the text is ASCII; if so, like [`Ends`](crate::Ends); otherwise five more passes
//!   for invisible characters, and one over all lines if there are any.

use std::borrow::Cow;
use std::ops::ControlFlow;

use fuzzy_core::{Found, LineForm, Query, Strategy, blank, rarity};
use memchr::memmem;

use crate::canonical::{HIDDEN, canonical, is_literal, is_plain};
use crate::ends::between_blank_lines;

/// Compares lines by their appearance without trailing blanks, and the old text without its outer blank lines.
#[derive(Debug)]
pub struct Unicode;

impl Strategy for Unicode {
    fn name(&self) -> &'static str {
        "line-trimmed/unicode"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let needle = canonical(query.old());
        let lines: Vec<&str> = needle.split('\n').collect();
        query.windows_equal_by(between_blank_lines(&lines), &Canonical::of(query.text()), |window| {
            found.propose_equal(window.start(), window.end())
        })
    }
}

/// Lines in the common spelling, without trailing blanks.
#[derive(Clone, Copy, Debug)]
enum Canonical {
    /// Every line of the text is its own normal form.
    Plain,
    /// A normal form can differ from its line, but no invisible character is inside a word.
    Visible,
    /// Any two characters of a normal form may be apart in the text.
    Hidden,
}

impl Canonical {
    fn of(haystack: &str) -> Self {
        if is_plain(haystack) {
            return Self::Plain;
        }
        // A byte order mark is before the first word, not inside it.
        let rest = haystack.strip_prefix('\u{feff}').unwrap_or(haystack).as_bytes();
        let mut bytes = [0; 4];
        let hides = HIDDEN.iter().any(|c| memmem::find(rest, c.encode_utf8(&mut bytes).as_bytes()).is_some());
        if hides { Self::Hidden } else { Self::Visible }
    }
}

impl LineForm for Canonical {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        match canonical(line) {
            Cow::Borrowed(line) => Cow::Borrowed(blank::trim_end(line)),
            Cow::Owned(mut line) => {
                line.truncate(blank::trim_end(&line).len());
                Cow::Owned(line)
            }
        }
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        match self {
            Self::Plain => blank::trim(old_line),
            Self::Visible => {
                let runs = old_line.split(|c: char| !u8::try_from(c).is_ok_and(is_literal));
                rarity::rarest(runs, |run| run).unwrap_or("")
            }
            Self::Hidden => "",
        }
    }
}
