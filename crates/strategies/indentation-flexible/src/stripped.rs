//! Compares texts without any indentation.
//!
//! - Accepts: any indentation of any line, also lines moved relative to each other.
//! - Refuses: blanks changed anywhere else, another number of lines.
//! - Cost: one substring pass for the rarest line, and a verification around each of its places.

use std::ops::ControlFlow;

use fuzzy_core::{CollapsedPattern, Found, Gap, Query, Strategy, blank};

/// Finds the old text in the text, both without the leading blanks of their lines; a place may start and end inside a
/// line.
///
/// An old text that begins with blanks matches from the start of a line, with that line's own blanks; any other old text
/// matches after them. A last line of the old text that has only blanks matches the file's blanks there; an empty one ends after the
/// line break. An old text of one blank line has no place.
#[derive(Debug)]
pub struct Stripped;

impl Strategy for Stripped {
    fn name(&self) -> &'static str {
        "indentation-flexible/stripped"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let (haystack, needle) = (query.text(), query.old());
        let lines = needle.split_inclusive('\n').map(|line| &line[blank::leading_inline(line)..]);
        // Only the last line can become empty: all others keep their line break.
        let parts = lines.filter(|line| !line.is_empty()).collect();
        let starts_with_blanks = needle.starts_with(blank::is_inline);
        let ends_in_blank_line = needle.trim_end_matches(blank::is_inline).ends_with('\n');
        query.places_of(&CollapsedPattern::new(parts, Gap::Indent), |place| {
            let (mut start, mut end) = (place.start(), place.end());
            if starts_with_blanks {
                start -= blank::trailing_inline(&haystack[..start]);
                if start > 0 && !haystack[..start].ends_with('\n') {
                    return ControlFlow::Continue(());
                }
            }
            if ends_in_blank_line && !needle.ends_with('\n') {
                end += blank::leading_inline(&haystack[end..]);
            }
            found.propose_equal(start, end)
        })
    }
}
