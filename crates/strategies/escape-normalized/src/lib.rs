//! Finds the old text if one side has escape sequences where the other has the characters themselves.
//!
//! - Accepts: `\n`, `\t`, `\r`, `\'`, `\"`, `` \` ``, `\\`, `\$` and a backslash before a line break, on either side.
//! - Refuses: other escape sequences, and a line of the text with a line break written as `\n`.
//! - Cost: a substring pass each for the old text without escape sequences, for a backslash, and for the longest runs of
//!   the old text's first, last and rarest line that no escape sequence can change.

mod unescape;

use std::borrow::Cow;
use std::ops::ControlFlow;

use fuzzy_core::{Found, LineForm, Query, Span, Strategy, line_end, rarity};

use crate::unescape::{runs, unescaped, without_continuation};

/// Proposes every place of the old text without escape sequences, then every other window of as many lines that equals
/// this text without its own escape sequences.
#[derive(Debug)]
pub struct EscapeNormalized;

impl Strategy for EscapeNormalized {
    fn name(&self) -> &'static str {
        "escape-normalized"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if query.old().is_empty() {
            return ControlFlow::Continue(());
        }
        let wanted = unescaped(query.old());
        as_text(query, &wanted, found)?;
        // A window without a backslash would equal the text itself.
        if query.first_occurrence("\\").is_none() {
            return ControlFlow::Continue(());
        }
        as_lines(query, &wanted, |window| {
            if window.text(query.text()) == wanted {
                return ControlFlow::Continue(());
            }
            found.propose_equal(window.start(), window.end())
        })
    }
}

fn as_text(query: &Query<'_>, wanted: &str, found: &mut Found<'_>) -> ControlFlow<()> {
    if query.known_absent_part(wanted) {
        return ControlFlow::Continue(());
    }
    let Some(first) = query.first_occurrence(wanted) else { return ControlFlow::Continue(()) };
    for start in query.occurrences_from(wanted, first) {
        found.propose_equal(start, start + wanted.len())?;
    }
    ControlFlow::Continue(())
}

/// Calls `visit` with every window that equals `wanted` without its escape sequences.
///
/// The lines of such a window correspond to those of `wanted` one to one, because a `\n` would add a line. All except
/// the last lose a backslash that belongs to the line break after it.
fn as_lines(query: &Query<'_>, wanted: &str, mut visit: impl FnMut(Span) -> ControlFlow<()>) -> ControlFlow<()> {
    let haystack = query.text();
    let Some((inner, last)) = wanted.rsplit_once('\n') else {
        return query.windows_equal_by(&[wanted], &LastLine, visit);
    };
    let anchor = LastLine.anchor(last);
    if !anchor.is_empty() && (query.known_absent(anchor) || query.first_occurrence(anchor).is_none()) {
        return ControlFlow::Continue(());
    }
    let inner: Vec<&str> = inner.split('\n').collect();
    query.windows_equal_by(&inner, &InnerLine, |window| {
        if window.end() == haystack.len() {
            return ControlFlow::Continue(());
        }
        let start = window.end() + 1;
        let end = line_end(haystack, start);
        query.spend(end - start + 16)?;
        if unescaped(&haystack[start..end]) == last {
            visit(Span::new(window.start(), end))
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// A line without escape sequences.
struct LastLine;

/// A line without escape sequences and without the backslash that belongs to the line break after it.
struct InnerLine;

impl LineForm for LastLine {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        unescaped(line)
    }

    fn wanted<'t>(&self, old_line: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(old_line)
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        rarity::rarest(runs(old_line), |run| *run).unwrap_or("")
    }
}

impl LineForm for InnerLine {
    fn normal<'t>(&self, line: &'t str) -> Cow<'t, str> {
        unescaped(without_continuation(line))
    }

    fn wanted<'t>(&self, old_line: &'t str) -> Cow<'t, str> {
        LastLine.wanted(old_line)
    }

    fn anchor<'t>(&self, old_line: &'t str) -> &'t str {
        LastLine.anchor(old_line)
    }
}

fuzzy_core::register!(EscapeNormalized, priority = 60);
