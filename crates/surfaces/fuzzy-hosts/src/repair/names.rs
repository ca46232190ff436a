//! The names that hosts give to the properties of an edit.

use serde_json::{Map, Value};

/// Names of the file.
const FILE: &[&str] = &["file_path", "filePath", "path"];
/// Names of the old text.
const OLD: &[&str] = &["old_string", "oldString", "old_str", "old_text", "oldText"];
/// Names of the new text.
const NEW: &[&str] = &["new_string", "newString", "new_str", "new_text", "newText"];
/// Names of the option that replaces every occurrence.
const ALL: &[&str] = &["replace_all", "replaceAll", "allow_multiple"];
/// Names of a list of edits.
const LIST: &[&str] = &["edits", "replacements"];

/// Returns the path of the file.
pub(crate) fn file(input: &Map<String, Value>) -> Option<&str> {
    FILE.iter().find_map(|name| input.get(*name)?.as_str())
}

/// The names of both texts in an edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
}

impl Names {
    /// Reads them from an edit; returns `None` if a text is missing.
    pub(crate) fn of(input: &Map<String, Value>) -> Option<Self> {
        let name =
            |names: &[&'static str]| names.iter().copied().find(|name| input.get(*name).is_some_and(Value::is_string));
        Some(Self { old: name(OLD)?, new: name(NEW)? })
    }
}

/// Returns whether the edit replaces every occurrence.
pub(crate) fn all(input: &Map<String, Value>) -> bool {
    ALL.iter().any(|name| input.get(*name) == Some(&Value::Bool(true)))
}

/// Returns the list of edits, if the input has one.
pub(crate) fn list(input: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    let name = LIST.iter().find(|name| input.get(**name).is_some_and(Value::is_array))?;
    input.get_mut(*name)?.as_array_mut()
}
