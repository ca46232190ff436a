//! Requests about the place of an edit.

use std::path::PathBuf;

use fuzzy_patch::{LineQuote, PlaceError};
use serde::Deserialize;

/// An edit to locate or explain, without one of its conditions.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Lookup {
    /// The file.
    pub file_path: PathBuf,
    /// The text to look for; empty if `quote` says where.
    pub old_string: String,
    /// The text to put there; without it only the place of the old text is searched.
    pub new_string: Option<String>,
    /// Whether to locate every place.
    pub replace_all: bool,
    /// The line hint, counted from 1.
    pub line: Option<usize>,
    /// The quote that names the lines, instead of the old text.
    pub quote: Option<Box<LineQuote>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    file_path: PathBuf,
    old_string: Option<String>,
    new_string: Option<String>,
    #[serde(default)]
    replace_all: bool,
    line: Option<usize>,
    first: Option<String>,
    last: Option<String>,
    expected_lines: Option<usize>,
    after: Option<String>,
    before: Option<String>,
    lines: Option<(usize, usize)>,
}

impl TryFrom<Fields> for Lookup {
    type Error = PlaceError;

    fn try_from(fields: Fields) -> Result<Self, PlaceError> {
        let Fields { file_path, old_string, new_string, replace_all, line, .. } = fields;
        let Fields { first, last, expected_lines, after, before, lines, .. } = fields;
        let quote = LineQuote { first, last, expected_lines, after, before, lines, insert_line: None };
        quote.check(old_string.is_some(), replace_all)?;
        let quote = (!quote.is_empty()).then(|| Box::new(quote));
        Ok(Self { file_path, old_string: old_string.unwrap_or_default(), new_string, replace_all, line, quote })
    }
}
