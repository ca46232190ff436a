//! Edits that name lines by their ends: the reports about them.

use std::path::Path;

use fuzzy_core::{Applied, Arranged, Edit, LineRange, Quote, Span};
use serde::Serialize;

use crate::blanks::excerpt;

/// Characters of a quoted line, at most.
const WIDTH: usize = 80;

/// The lines that an edit replaced, by their ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ReplacedLines {
    /// The first replaced line; long lines are cut.
    pub first: String,
    /// The last replaced line; long lines are cut.
    pub last: String,
    /// The number of replaced lines.
    pub count: usize,
}

/// The new place of moved or copied lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NewLines {
    /// The file.
    pub file_path: String,
    /// The lines in the new text of this file.
    pub lines: LineRange,
    /// Whether the lines are also at their old place.
    pub is_copy: bool,
}

impl NewLines {
    /// Makes the new place.
    #[must_use]
    pub fn new(path: &Path, lines: LineRange, is_copy: bool) -> Self {
        Self { file_path: path.to_string_lossy().into_owned(), lines, is_copy }
    }

    /// Returns the place in words.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{} to `{}` {}", if self.is_copy { "copied" } else { "moved" }, self.file_path, self.lines)
    }
}

impl ReplacedLines {
    /// Returns the lines that an edit replaced, if it named them by their ends.
    #[must_use]
    pub fn of(edit: &Edit<'_>, text: &str, applied: &Applied) -> Option<Self> {
        let is_named = matches!(edit.quote, Quote::First(_)) || edit.transfer.is_some();
        is_named.then(|| Self::in_span(text, applied.found.span))
    }

    /// Returns the lines of a span.
    #[must_use]
    pub fn in_span(text: &str, span: Span) -> Self {
        let lines = span.text(text);
        let cut = |line: Option<&str>| excerpt(line.unwrap_or_default(), 0, WIDTH);
        let (first, last) = (cut(lines.lines().next()), cut(lines.lines().last()));
        Self { first, last, count: lines.lines().count().max(1) }
    }

    /// Returns the lines in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { first, last, count } = self;
        let (first, last) = (first.trim(), last.trim());
        if *count == 1 { format!("1 line, `{first}`") } else { format!("{count} lines, from `{first}` to `{last}`") }
    }
}

/// Returns in words what an edit of `text` changed beside its lines, or took along with them.
#[must_use]
pub fn arranged_note(arranged: &Arranged, text: &str) -> Option<String> {
    let lines = |span: &Span| LineRange::of(text, *span);
    let hanging = arranged.hanging.as_ref().map(|span| format!("with {}, which belong to them", lines(span)));
    let behind = arranged.is_behind.then(|| "behind the lines that close the block".to_owned());
    let separators = arranged.separators.iter().map(|span| {
        let verb = if span.is_empty() { "added to" } else { "removed from" };
        format!("a separator was {verb} {}", lines(span))
    });
    let parts: Vec<String> = hanging.into_iter().chain(behind).chain(separators).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Returns the name of the argument that the search of an edit is about, if it is not the old text.
pub(crate) const fn searched(edit: &Edit<'_>) -> Option<&'static str> {
    match edit.quote {
        Quote::First(_) => Some("the text of `first`"),
        Quote::After => Some("the text of `after`"),
        Quote::Before => Some("the text of `before`"),
        _ => None,
    }
}
