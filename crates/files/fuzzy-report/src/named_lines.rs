//! Edits that name lines by their ends: their parts for the engine, and the reports about them.

use std::path::Path;

use fuzzy_core::{Applied, Arranged, Edit, LineRange, Numbers, Quote, Span};
use fuzzy_patch::{LineQuote, PlaceError};
use serde::Serialize;

use crate::blanks::excerpt;
use crate::failure::Failure;

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

/// Makes the engine's edit of the lines of `text` that `quote` names, without the byte order mark `mark` of the file in its
/// texts. The numbers of lines are trusted if the file is as it was read.
///
/// # Errors
///
/// Returns the failure of a quote that is not exactly one way to say where.
pub fn named_edit<'e>(
    quote: &'e LineQuote,
    (mark, text): (&str, &str),
    new: &'e str,
    is_as_read: bool,
) -> Result<Edit<'e>, Box<Failure>> {
    quote.check(false, false).map_err(|error| Box::new(error.into()))?;
    if let (Some(line), None, None) = (quote.insert_line, &quote.after, &quote.before) {
        return Err(inserted_at(text, line).into());
    }
    let unmarked = |text: &'e str| text.strip_prefix(mark).unwrap_or(text);
    let new = unmarked(new);
    Ok(match (&quote.after, &quote.before) {
        (Some(anchor), _) => Edit::after(unmarked(anchor), new).with_line(quote.insert_line),
        (_, Some(anchor)) => Edit::before(unmarked(anchor), new).with_line(quote.insert_line),
        _ => {
            let given = |text: &'e Option<String>| unmarked(text.as_deref().unwrap_or_default());
            let numbers = quote.lines.map(|(first, last)| Numbers::new(&(first..=last)).exact(is_as_read));
            let edit = Edit::range(given(&quote.first), given(&quote.last), new);
            edit.with_expected_lines(quote.expected_lines).with_numbers(numbers)
        }
    })
}

impl From<PlaceError> for Failure {
    fn from(error: PlaceError) -> Self {
        let next_step = "Say where in exactly one way: `old_string`; `first` and `last`; `after`; `before`; or `lines` with \
                         `first`.";
        Self::bad_input(error.to_string(), next_step)
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

/// Makes the failure of an insertion at a line number alone, which proposes the text of that line as its guard.
fn inserted_at(text: &str, line: usize) -> Failure {
    let above = text.lines().take(line).filter(|line| !line.trim().is_empty()).last();
    let json = |line: &str| serde_json::Value::from(line).to_string();
    let guard = match (above, text.lines().find(|line| !line.trim().is_empty())) {
        (Some(above), _) => format!("\"after\": {}", json(above)),
        (None, Some(first)) => format!("\"before\": {}", json(first)),
        (None, None) => "\"old_string\": \"\"".to_owned(),
    };
    let message = format!("the line number {line} alone is not trusted, because the file may have changed");
    Failure::bad_input(message, format!("Send {guard} instead of the number, if that is the line."))
}
