//! What the tools take: the schemas of their arguments, and the arguments that are read as they are.
//!
//! Edits come in many shapes, all of which [`read_edits`](fuzzy_report::read_edits) reads.

use schemars::JsonSchema;
use serde::Deserialize;

/// One edit of one file.
#[expect(dead_code, reason = "only its schema is used; every shape is read as a list of edits")]
#[derive(JsonSchema)]
pub(crate) struct OneEdit {
    /// The file: relative to the root, or absolute and below it.
    file_path: String,
    /// The text to replace, as it is in the file. Only one place may be meant, unless `replace_all` is true.
    old_string: String,
    /// The text to put there; never the same as `old_string`.
    new_string: String,
    /// Whether to replace every place.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where you believe it begins: of several equal places the nearest one is meant.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal; the edit is refused if the file changed since.
    expected_hash: Option<String>,
}

/// Several edits, of one file or of many: all of them are written, or none.
#[expect(dead_code, reason = "only its schema is used; both shapes are read as a list of single edits")]
#[derive(JsonSchema)]
pub(crate) struct ManyEdits {
    /// The file of every edit that names none.
    file_path: Option<String>,
    /// SHA-256 of that file as you read it, in hexadecimal.
    expected_hash: Option<String>,
    /// The edits, in order: a later one sees what the earlier ones made of the file.
    edits: Vec<Item>,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
#[schemars(rename = "Edit")]
struct Item {
    /// The file, if it is not named once for all edits.
    file_path: Option<String>,
    /// The text to replace, as it is in the file.
    old_string: String,
    /// The text to put there.
    new_string: String,
    /// Whether to replace every place.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where you believe it begins: of several equal places the nearest one is meant.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal.
    expected_hash: Option<String>,
}

/// One edit or several, as `preview_edit` takes them.
#[expect(dead_code, reason = "only its schema is used; both shapes are read as a list of single edits")]
#[derive(JsonSchema)]
pub(crate) struct OneOrMany {
    /// The file: relative to the root, or absolute and below it.
    file_path: Option<String>,
    /// The text to replace, if there is one edit.
    old_string: Option<String>,
    /// The text to put there.
    new_string: Option<String>,
    /// Whether to replace every place.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where you believe it begins: of several equal places the nearest one is meant.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal.
    expected_hash: Option<String>,
    /// The edits, if there are several.
    edits: Option<Vec<Item>>,
}

/// A text to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Locate {
    /// The file: relative to the root, or absolute and below it.
    pub(crate) file_path: String,
    /// The text to look for.
    pub(crate) old_string: String,
    /// The text that an edit would put there; with it the answer is about that edit.
    #[serde(default)]
    pub(crate) new_string: Option<String>,
    /// Whether every place is meant.
    #[serde(default)]
    pub(crate) replace_all: bool,
    /// The line, counted from 1, where you believe it begins: of several equal places the nearest one is meant.
    #[serde(default)]
    pub(crate) line: Option<usize>,
}

/// A patch of any format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patch {
    /// The patch: SEARCH/REPLACE blocks, a unified diff, `*** Begin Patch`, or text with any of these in it.
    pub(crate) patch: String,
    /// The file of blocks and hunks that name none.
    #[serde(default)]
    pub(crate) file_path: Option<String>,
}

/// A batch to take back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    /// The batch, as a list names it; the last one unless told.
    #[serde(default)]
    pub(crate) batch: Option<String>,
    /// Whether to write nothing and only say what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Whether to list the batches that can be taken back instead.
    #[serde(default)]
    pub(crate) list: bool,
}
