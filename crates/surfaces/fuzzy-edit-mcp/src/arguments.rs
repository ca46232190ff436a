//! The arguments of the tools: their schemas, and those that are deserialized directly.
//!
//! [`read_edits`](fuzzy_report::read_edits) reads the arguments of edits, because it accepts many formats. Their schemas
//! are parts of the one of [`FileEdit`].

use std::path::PathBuf;
use std::sync::Arc;

use fuzzy_report::{CellEdit, CellName, FileEdit, LineQuote, LineTransfer, NewPlace};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::schema::input;

/// Returns the schema of one edit of one file, for `edit`.
pub(crate) fn one_edit() -> Arc<JsonObject> {
    object(properties(&["count"]), &["file_path", "new_string"])
}

/// Returns the schema of several edits, of one file or of many, for `multi_edit`.
pub(crate) fn many_edits() -> Arc<JsonObject> {
    let mut shared = properties(&[]);
    shared.retain(|name, _| name == "file_path" || name == "expected_hash");
    described(&mut shared, "file_path", "The file of every edit without a `file_path`.");
    described(&mut shared, "expected_hash", "SHA-256 of that file as you read it, in hexadecimal.");
    shared.insert("edits".to_owned(), list("The edits, in order: each applies to the result of the earlier ones."));
    object(shared, &["edits"])
}

/// Returns the schema of one edit or several, for `preview_edit`.
pub(crate) fn one_or_many_edits() -> Arc<JsonObject> {
    let mut all = plain(properties(&["count"]));
    all.insert("edits".to_owned(), list("Several edits, instead of one."));
    object(all, &[])
}

/// Returns the schema of a text to find, for `locate`.
pub(crate) fn lookup() -> Arc<JsonObject> {
    let mut all = plain(properties(&["count", "expected_hash"]));
    described(&mut all, "old_string", "The text to find.");
    described(&mut all, "new_string", "The replacement; with it, the answer is that of the edit.");
    object(all, &["file_path"])
}

/// Returns the schema of a list of edits.
fn list(description: &str) -> Value {
    let mut edit = plain(properties(&["count"]));
    described(&mut edit, "file_path", "The file, unless it is given once for all edits.");
    let items = object(edit, &["new_string"]);
    json!({"type": "array", "description": description, "items": *items})
}

/// Returns the properties of [`FileEdit`] except those `without`.
fn properties(without: &[&str]) -> JsonObject {
    let schema = Arc::unwrap_or_clone(input::<FileEdit>());
    let all = schema.into_iter().find(|(name, _)| name == "properties").map(|(_, all)| all);
    let Some(Value::Object(mut all)) = all else { return JsonObject::new() };
    // A tool of its own moves lines.
    all.retain(|name, _| !without.contains(&name.as_str()) && name != "move_to" && name != "copy_to");
    all
}

/// Removes the descriptions, which those of `edit` are for.
fn plain(mut properties: JsonObject) -> JsonObject {
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        property.remove("description");
        property.remove("default");
    }
    properties
}

/// Replaces the description of a property.
fn described(properties: &mut JsonObject, name: &str, description: &str) {
    if let Some(property) = properties.get_mut(name) {
        property["description"] = description.into();
    }
}

fn object(properties: JsonObject, required: &[&str]) -> Arc<JsonObject> {
    Arc::new(JsonObject::from_iter([
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), Value::Object(properties)),
        ("required".to_owned(), required.into()),
    ]))
}

/// Lines to move or copy.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveLines {
    /// The file of the lines.
    file_path: PathBuf,
    /// All of the lines, as they are in the file; or instead:
    old_string: Option<String>,
    /// The first line of the lines, or as many as make it unique.
    first: Option<String>,
    /// The last line of the lines; more lines if it occurs before the end.
    last: Option<String>,
    /// The number of lines from `first` to `last`, if `last` occurs several times.
    expected_lines: Option<usize>,
    /// Numbers of the first and the last line, with `first` as a guard.
    #[schemars(with = "Option<[usize; 2]>")]
    lines: Option<(usize, usize)>,
    /// The file of the new place; by default the same. Without `after` and `before`: a new file.
    to_file: Option<PathBuf>,
    /// The line below which the lines are to be.
    after: Option<String>,
    /// The line above which the lines are to be.
    before: Option<String>,
    /// Whether the lines also stay where they are.
    #[serde(default)]
    copy: bool,
    /// Instead of lines: a notebook's cell, by id or number; `after` or `before` names one, too.
    cell: Option<CellName>,
}

impl MoveLines {
    /// Returns the edit.
    ///
    /// # Errors
    ///
    /// The reason, if it does not say once where the lines are and where they are to be.
    pub(crate) fn edit(self) -> Result<FileEdit, String> {
        let Self { file_path, old_string, first, last, expected_lines, lines, .. } = self;
        let quote = LineQuote { first, last, expected_lines, lines, ..LineQuote::default() };
        let has_place = old_string.is_some() || !quote.is_empty();
        if self.cell.is_none() || has_place {
            quote.check(old_string.is_some(), false).map_err(|error| error.to_string())?;
        }
        let to = NewPlace { file_path: self.to_file, after: self.after, before: self.before };
        let transfer = LineTransfer::new(to, self.copy);
        transfer.check(None, false, false).map_err(|error| error.to_string())?;
        let edit = FileEdit::new(&file_path, old_string.unwrap_or_default(), "");
        let quote = (!quote.is_empty()).then(|| Box::new(quote));
        let cell = self.cell.map(|cell| Box::new(CellEdit::of(cell)));
        Ok(FileEdit { quote, cell, ..edit.with_transfer(transfer) })
    }
}

/// A patch of any format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patch {
    /// The patch: SEARCH/REPLACE blocks, a unified diff, `*** Begin Patch`, or text that contains any of these.
    pub(crate) patch: String,
    /// The file for blocks and hunks without a file name.
    pub(crate) file_path: Option<String>,
}

/// A batch to undo.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    /// The batch, by its name in a list; by default the last one.
    pub(crate) batch: Option<String>,
    /// Whether to write nothing and only report what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Whether to list the batches that can be undone instead.
    #[serde(default)]
    pub(crate) list: bool,
}
