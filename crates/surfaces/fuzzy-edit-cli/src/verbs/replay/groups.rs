//! The columns by which answers are grouped.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

/// The value of a record without the column.
pub(super) const NONE: &str = "(none)";

/// The most characters of a value; a longer one is cut.
const LONGEST: usize = 60;

/// Columns that a page shows without a request, if a record has them.
const USUAL: [&str; 3] = ["kind", "model", "host"];

/// The columns by which answers are grouped.
#[derive(Debug, Default)]
pub(super) struct Columns {
    names: Vec<String>,
    /// The number of columns of the command line, which are the first.
    wanted: usize,
}

impl Columns {
    /// Returns the columns of the command line, and the usual ones for a page.
    pub(super) fn new(wanted: &[String], has_page: bool) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in wanted.iter().map(String::as_str).chain(USUAL.into_iter().filter(|_| has_page)) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        Self { wanted: names.len().min(wanted.len()), names }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the columns of the command line.
    pub(super) fn wanted(&self) -> &[String] {
        &self.names[..self.wanted]
    }

    /// Returns the values of a line of JSON, in the order of the columns.
    pub(super) fn of_json(&self, line: &[u8]) -> Vec<String> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(line).unwrap_or_default();
        let value = |name: &str| match serde_json::from_str(fields.get(name)?.get()).ok()? {
            serde_json::Value::Null => None,
            serde_json::Value::String(text) => Some(text),
            other => Some(other.to_string()),
        };
        self.names
            .iter()
            .map(|name| cut(other_name(name).map_or_else(|| value(name), |other| value(name).or(value(other)))))
            .collect()
    }
}

/// Returns the field that has the value of a column if its own is missing.
pub(super) fn other_name(column: &str) -> Option<&'static str> {
    (column == "kind").then_some("drift")
}

/// Returns a value for a table.
pub(super) fn cut(value: Option<String>) -> String {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return NONE.to_owned() };
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    }
}
