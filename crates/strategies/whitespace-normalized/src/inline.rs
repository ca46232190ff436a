//! Compares texts with the runs of blanks inside their lines collapsed.
//!
//! - Accepts: other runs of blanks after the first other character of a line, trailing blanks of another length.
//! - Refuses: added or missing runs of blanks, other indentation, other line breaks.
//! - Cost: one substring pass for the rarest text between two runs, and a verification around each of its places.

use std::ops::ControlFlow;

use fuzzy_core::{CollapsedPattern, Found, Gap, Query, Span, Strategy, blank};

/// Matches a run of blanks inside a line with any other; compares the start of a line unchanged.
///
/// A place never cuts a run of the file: if the old text ends in a run, the place includes all of the file's; if it
/// begins with one, the place begins with the file's.
#[derive(Debug)]
pub struct Inline;

impl Strategy for Inline {
    fn name(&self) -> &'static str {
        "whitespace-normalized/inline"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let (haystack, needle) = (query.text(), query.old());
        let mut propose = |place: Span| {
            if cuts_run(haystack, place.start()) || cuts_run(haystack, place.end()) {
                return ControlFlow::Continue(());
            }
            found.propose_equal(place.start(), place.end())
        };
        let (indent, rest) = needle.split_at(blank::leading_inline(needle));
        if rest.is_empty() {
            // Blanks alone follow no other character, so they are compared unchanged.
            return query.occurrences(needle).try_for_each(|start| propose(Span::new(start, start + needle.len())));
        }
        query.places_of(&CollapsedPattern::new(parts(rest), Gap::Inline), |place| {
            if haystack[..place.start()].ends_with(indent) {
                propose(Span::new(place.start() - indent.len(), place.end()))?;
            }
            ControlFlow::Continue(())
        })
    }
}

/// Splits `text` at the runs of blanks that follow another character on their line.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut is_indent = true;
    while let Some(c) = text[at..].chars().next() {
        if blank::is_inline(c) && !is_indent {
            parts.push(&text[start..at]);
            at += blank::leading_inline(&text[at..]);
            start = at;
        } else {
            is_indent = c == '\n' || is_indent && blank::is_inline(c);
            at += c.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns whether inline blanks are on both sides of `at`.
fn cuts_run(haystack: &str, at: usize) -> bool {
    haystack[..at].ends_with(blank::is_inline) && haystack[at..].starts_with(blank::is_inline)
}
