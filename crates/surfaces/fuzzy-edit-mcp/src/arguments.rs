//! The arguments of the tools: their schemas, and those that are deserialized directly.
//!
//! [`read_edits`](fuzzy_report::read_edits) reads the arguments of edits, because it accepts many formats.

use schemars::JsonSchema;
use serde::Deserialize;

/// One edit of one file.
#[expect(dead_code, reason = "only its schema is used; every shape is read as a list of edits")]
#[derive(JsonSchema)]
pub(crate) struct OneEdit {
    /// The file: a path relative to the root, or an absolute path below it.
    file_path: String,
    /// The text to replace, as it is in the file. It must occur only once, unless `replace_all` is true.
    old_string: String,
    /// The replacement; it must differ from `old_string`.
    new_string: String,
    /// Whether to replace every occurrence.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where `old_string` probably begins; the nearest of several equal places is chosen.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal; the edit is refused if the file changed since.
    expected_hash: Option<String>,
}

/// Several edits, of one file or of many: all of them are written, or none.
#[expect(dead_code, reason = "only its schema is used; both shapes are read as a list of single edits")]
#[derive(JsonSchema)]
pub(crate) struct ManyEdits {
    /// The file of every edit without a `file_path`.
    file_path: Option<String>,
    /// SHA-256 of that file as you read it, in hexadecimal.
    expected_hash: Option<String>,
    /// The edits, in order: each applies to the result of the earlier ones.
    edits: Vec<Item>,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
#[schemars(rename = "Edit")]
struct Item {
    /// The file, unless it is given once for all edits.
    file_path: Option<String>,
    /// The text to replace, as it is in the file.
    old_string: String,
    /// The replacement.
    new_string: String,
    /// Whether to replace every occurrence.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where `old_string` probably begins; the nearest of several equal places is chosen.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal.
    expected_hash: Option<String>,
}

/// One edit or several, for `preview_edit`.
#[expect(dead_code, reason = "only its schema is used; both shapes are read as a list of single edits")]
#[derive(JsonSchema)]
pub(crate) struct OneOrMany {
    /// The file: a path relative to the root, or an absolute path below it.
    file_path: Option<String>,
    /// The text to replace, for a single edit.
    old_string: Option<String>,
    /// The replacement, for a single edit.
    new_string: Option<String>,
    /// Whether to replace every occurrence.
    #[serde(default)]
    replace_all: bool,
    /// The line, counted from 1, where `old_string` probably begins; the nearest of several equal places is chosen.
    line: Option<usize>,
    /// SHA-256 of the file as you read it, in hexadecimal.
    expected_hash: Option<String>,
    /// Several edits.
    edits: Option<Vec<Item>>,
}

/// A text to locate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Locate {
    /// The file: a path relative to the root, or an absolute path below it.
    pub(crate) file_path: String,
    /// The text to find.
    pub(crate) old_string: String,
    /// The replacement; with it, the answer is that of the edit.
    #[serde(default)]
    pub(crate) new_string: Option<String>,
    /// Whether to find every occurrence.
    #[serde(default)]
    pub(crate) replace_all: bool,
    /// The line, counted from 1, where `old_string` probably begins; the nearest of several equal places is chosen.
    #[serde(default)]
    pub(crate) line: Option<usize>,
}

/// A patch of any format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patch {
    /// The patch: SEARCH/REPLACE blocks, a unified diff, `*** Begin Patch`, or text that contains any of these.
    pub(crate) patch: String,
    /// The file for blocks and hunks without a file name.
    #[serde(default)]
    pub(crate) file_path: Option<String>,
}

/// A batch to undo.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    /// The batch, by its name in a list; by default the last one.
    #[serde(default)]
    pub(crate) batch: Option<String>,
    /// Whether to write nothing and only report what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
    /// Whether to list the batches that can be undone instead.
    #[serde(default)]
    pub(crate) list: bool,
}
