//! The names that hosts give to the properties of an edit.

use serde_json::{Map, Value};

/// Names of the file.
const FILE: &[&str] = &["file_path", "filePath", "path"];
/// Names of the old text.
const OLD: &[&str] = &["old_string", "oldString", "old_str", "old_text", "oldText"];
/// Names of the new text.
const NEW: &[&str] = &["new_string", "newString", "new_str", "new_text", "newText"];
/// Names of the wish to replace every place.
const ALL: &[&str] = &["replace_all", "replaceAll", "allow_multiple"];
/// Names of a list of edits.
const LIST: &[&str] = &["edits", "replacements"];

/// Returns the name and the text of the file.
pub(crate) fn file(input: &Map<String, Value>) -> Option<&str> {
    FILE.iter().find_map(|name| input.get(*name)?.as_str())
}

/// The names of both texts of an edit, as this input has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
}

impl Names {
    /// Reads them off an edit; nothing if a text is missing.
    pub(crate) fn of(input: &Map<String, Value>) -> Option<Self> {
        let name =
            |names: &[&'static str]| names.iter().copied().find(|name| input.get(*name).is_some_and(Value::is_string));
        Some(Self { old: name(OLD)?, new: name(NEW)? })
    }
}

/// Returns whether every place is wanted.
pub(crate) fn all(input: &Map<String, Value>) -> bool {
    ALL.iter().any(|name| input.get(*name) == Some(&Value::Bool(true)))
}

/// Returns the list of edits, if the input has one.
pub(crate) fn list(input: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    let name = LIST.iter().find(|name| input.get(**name).is_some_and(Value::is_array))?;
    input.get_mut(*name)?.as_array_mut()
}
