//! The indentation of a quote of one line that begins after it, where the new text's other lines have it.
//!
//! ```text
//! file:     say(a);      old: say( a );     new: say( a );      read: both begin with four spaces
//!                                                  go();
//! ```

use std::ops::Range;

use fuzzy_core::blank::{is_blank_text, leading};
use fuzzy_core::line_start;

/// Returns old and new text with the indentation of the place before their first lines, if all later lines are as deep.
pub(crate) fn indented(document: &str, region: &Range<usize>, old: &str, new: &str) -> Option<[String; 2]> {
    let line = &document[line_start(document, region.start)..];
    let indent = &line[..leading(line)];
    let (first, later) = new.split_once('\n')?;
    let mut later = later.split('\n').filter(|line| !is_blank_text(line)).peekable();
    let is_quote = !old.trim_end_matches('\n').contains('\n') && [old, first].iter().all(|text| leading(text) == 0);
    let is_deep = later.peek().is_some() && later.all(|line| line.starts_with(indent));
    (!indent.is_empty() && is_quote && is_deep).then(|| [old, new].map(|text| [indent, text].concat()))
}
