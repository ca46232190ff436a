//! Reads what a model sends as the arguments of a tool.
//!
//! Models were trained on tools that name the same things differently, and some send an array as the text of its JSON.
//! What means the same is read the same; what is not known is an error, because an ignored `dry_run` writes a file.

use std::fmt::Write as _;

use rmcp::ErrorData;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Other names for the same arguments, each with the name used here.
const ALIASES: &[(&str, &str)] = &[
    ("filePath", "file_path"),
    ("path", "file_path"),
    ("oldString", "old_string"),
    ("old_str", "old_string"),
    ("oldText", "old_string"),
    ("newString", "new_string"),
    ("new_str", "new_string"),
    ("newText", "new_string"),
    ("replaceAll", "replace_all"),
    ("expectedHash", "expected_hash"),
    ("input", "patch"),
];

/// One edit of one file.
#[derive(Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneEdit {
    /// The file: relative to the root, or absolute and below it.
    pub(crate) file_path: String,
    /// The text to replace, as it stands in the file. Only one place may be meant, unless `replace_all` is true.
    pub(crate) old_string: String,
    /// The text to put there; never the same as `old_string`.
    pub(crate) new_string: String,
    /// Whether to replace every place.
    #[serde(default)]
    pub(crate) replace_all: bool,
    /// SHA-256 of the file as you read it, in hexadecimal; the edit is refused if the file changed since.
    #[serde(default)]
    pub(crate) expected_hash: Option<String>,
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
    /// The text to replace, as it stands in the file.
    old_string: String,
    /// The text to put there.
    new_string: String,
    /// Whether to replace every place.
    #[serde(default)]
    replace_all: bool,
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

/// What was asked for; one edit and a list of one are reported differently.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Edits {
    pub(crate) edits: Vec<OneEdit>,
    pub(crate) is_list: bool,
}

/// Reads one edit or several, in any of the shapes that mean them.
///
/// # Errors
///
/// Says what cannot be read.
pub(crate) fn edits(arguments: JsonObject) -> Result<Edits, ErrorData> {
    let mut shared = canonical(arguments)?;
    let Some(list) = shared.remove("edits") else {
        return Ok(Edits { edits: vec![typed(shared)?], is_list: false });
    };
    let Value::Array(items) = unpacked(list, "edits")? else {
        return Err(unreadable("`edits` has to be an array of edits"));
    };
    if items.is_empty() {
        return Err(unreadable("`edits` is empty; give at least one edit"));
    }
    let edits: Result<Vec<OneEdit>, ErrorData> = items
        .into_iter()
        .enumerate()
        .map(|(index, item)| {
            let name = format!("edits[{index}]");
            let Value::Object(item) = unpacked(item, &name)? else {
                return Err(unreadable(format!("`{name}` has to be an object")));
            };
            let mut item = canonical(item)?;
            for (key, value) in &shared {
                match (key.as_str(), item.get(key)) {
                    ("file_path", None) => {}
                    // What was read before the first edit is not what the second one finds.
                    ("expected_hash", None) if index == 0 => {}
                    ("expected_hash", _) if index > 0 => continue,
                    ("file_path" | "expected_hash", Some(own)) if own == value => {}
                    ("file_path" | "expected_hash", _) => {
                        return Err(unreadable(format!("`{key}` and `{name}.{key}` differ; give one of them")));
                    }
                    _ => return Err(unreadable(format!("`{key}` belongs into each of the edits"))),
                }
                item.insert(key.clone(), value.clone());
            }
            typed(item).map_err(|error| unreadable(format!("`{name}`: {}", error.message)))
        })
        .collect();
    Ok(Edits { edits: edits?, is_list: true })
}

/// Reads arguments of one fixed shape.
///
/// # Errors
///
/// Says what cannot be read.
pub(crate) fn plain<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ErrorData> {
    typed(canonical(arguments)?)
}

/// Makes the error of arguments that cannot be read.
pub(crate) fn unreadable(message: impl Into<String>) -> ErrorData {
    ErrorData::invalid_params(message.into(), None)
}

fn typed<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ErrorData> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| unreadable(error.to_string()))
}

/// Gives every argument the name that is used here.
fn canonical(arguments: JsonObject) -> Result<JsonObject, ErrorData> {
    let mut named = JsonObject::new();
    for (key, value) in arguments {
        let name = ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key.as_str(), |(_, name)| name);
        if named.insert(name.to_owned(), value).is_some() {
            return Err(unreadable(format!("`{name}` is given twice, once as `{key}` or another of its names")));
        }
    }
    Ok(named)
}

/// Returns what a text of JSON holds, and anything else as it is.
fn unpacked(value: Value, name: &str) -> Result<Value, ErrorData> {
    let Value::String(text) = value else { return Ok(value) };
    serde_json::from_str(&text)
        .or_else(|error| serde_json::from_str(&escaped(&text)).map_err(|_| error))
        .map_err(|error| unreadable(format!("`{name}` is a text that is no JSON: {error}")))
}

/// Escapes the control characters that stand in the strings of `json`, where JSON allows none.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let (mut inside, mut after_backslash) = (false, false);
    for letter in json.chars() {
        if inside && letter < ' ' {
            if after_backslash {
                // A backslash at the end of a line stands for itself; it cannot escape a line break.
                text.push('\\');
            }
            let _ = write!(text, "\\u{:04x}", u32::from(letter));
            after_backslash = false;
            continue;
        }
        if letter == '"' && !after_backslash {
            inside = !inside;
        }
        after_backslash = inside && letter == '\\' && !after_backslash;
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use rmcp::model::JsonObject;
    use serde_json::{Value, json};

    use super::{Edits, OneEdit, edits};

    fn object(value: Value) -> JsonObject {
        let Value::Object(object) = value else { panic!("an object: {value}") };
        object
    }

    fn read(value: Value) -> Result<Edits, String> {
        edits(object(value)).map_err(|error| error.message.into_owned())
    }

    fn edit(old: &str, new: &str) -> OneEdit {
        OneEdit {
            file_path: "a.txt".to_owned(),
            old_string: old.to_owned(),
            new_string: new.to_owned(),
            replace_all: false,
            expected_hash: None,
        }
    }

    fn listed(value: Value) -> Vec<OneEdit> {
        let Edits { edits, is_list } = read(value).unwrap();
        assert!(is_list);
        edits
    }

    #[test]
    fn names_of_other_tools_mean_the_same() {
        let expected = Ok(Edits { edits: vec![OneEdit { replace_all: true, ..edit("a", "b") }], is_list: false });
        let own = json!({"file_path": "a.txt", "old_string": "a", "new_string": "b", "replace_all": true});
        let camel = json!({"filePath": "a.txt", "oldString": "a", "newString": "b", "replaceAll": true});
        let short = json!({"path": "a.txt", "old_str": "a", "new_str": "b", "replace_all": true});
        for arguments in [own, camel, short] {
            assert_eq!(read(arguments), expected);
        }
        let texts = json!({"path": "a.txt", "edits": [{"oldText": "a", "newText": "b"}]});
        assert_eq!(listed(texts), [edit("a", "b")]);
    }

    #[test]
    fn a_list_and_its_items_may_be_texts_of_json() {
        let items = json!([{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]);
        let expected = [edit("a", "b"), edit("c", "d")];
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": items})), expected);
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": items.to_string()})), expected);
        let texts: Vec<String> = items.as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": texts})), expected);
        let nested = Value::from(texts).to_string();
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": nested})), expected);
    }

    #[test]
    fn control_characters_in_such_a_text_mean_themselves() {
        let raw = "[\n\t{\"old_string\": \"one\n\ttwo\r\n\", \"new_string\": \"say \\\"x\\\"\n\u{1b}\\\n\"}\n]";
        let expected = [edit("one\n\ttwo\r\n", "say \"x\"\n\u{1b}\\\n")];
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": raw})), expected);
    }

    #[test]
    fn what_is_known_of_the_file_is_for_the_first_edit_of_it() {
        let items = json!([{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]);
        let with_hash = OneEdit { expected_hash: Some("00".to_owned()), ..edit("a", "b") };
        let arguments = json!({"file_path": "a.txt", "expected_hash": "00", "edits": items});
        assert_eq!(listed(arguments), [with_hash, edit("c", "d")]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let item = json!({"old_string": "a", "new_string": "b"});
        let cases = [
            (json!({}), "file_path"),
            (json!({"file_path": "a.txt", "old_string": "a"}), "new_string"),
            (json!({"file_path": 1, "old_string": "a", "new_string": "b"}), "invalid type"),
            (json!({"path": "a", "file_path": "a", "old_string": "a", "new_string": "b"}), "twice"),
            (json!({"path": "a", "old_string": "a", "new_string": "b", "dry_run": true}), "dry_run"),
            (json!({"path": "a", "edits": []}), "empty"),
            (json!({"path": "a", "edits": {}}), "array"),
            (json!({"path": "a", "edits": "[{"}), "no JSON"),
            (json!({"path": "a", "edits": [1]}), "edits[0]"),
            (json!({"edits": [item]}), "edits[0]"),
            (json!({"path": "a", "replace_all": true, "edits": [item]}), "belongs into each"),
            (json!({"path": "a", "edits": [{"path": "b", "old_string": "a", "new_string": "b"}]}), "differ"),
        ];
        for (arguments, part) in cases {
            let message = read(arguments.clone()).unwrap_err();
            assert!(message.contains(part), "{arguments}: {message}");
        }
    }
}
