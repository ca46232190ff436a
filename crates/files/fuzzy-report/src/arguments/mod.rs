//! Reads edits in the JSON that models and programs send.
//!
//! Models were trained on tools with other argument names, and some send an array as a string of JSON. Both forms are
//! read. An unknown property is an error, because an ignored `dry_run` would write a file; only an unknown string
//! beside an edit is ignored, as a remark.

mod lenient;

use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::FileEdit;
use lenient::Unknown;

/// A JSON object: names and values.
type Object = Map<String, Value>;

/// Other names of the arguments, each with the name used here.
const ALIASES: &[(&str, &str)] = &[
    ("filePath", "file_path"),
    ("path", "file_path"),
    ("oldString", "old_string"),
    ("old", "old_string"),
    ("old_str", "old_string"),
    ("oldText", "old_string"),
    ("newString", "new_string"),
    ("new", "new_string"),
    ("new_str", "new_string"),
    ("newText", "new_string"),
    ("replaceAll", "replace_all"),
    ("expectedHash", "expected_hash"),
    ("line_number", "line"),
    ("lineNumber", "line"),
    ("input", "patch"),
    ("insert_text", "new_string"),
    ("insertText", "new_string"),
    ("insertLine", "insert_line"),
    ("expectedLines", "expected_lines"),
    ("view_range", "lines"),
    ("viewRange", "lines"),
    ("startLine", START_LINE),
    ("endLine", END_LINE),
];

/// The names of the first and the last line in other tools, which are one property here.
const START_LINE: &str = "start_line";
const END_LINE: &str = "end_line";

/// The properties of a single edit.
const FIELDS: &[&str] = &[
    "old_string",
    "new_string",
    "replace_all",
    "count",
    "line",
    "first",
    "last",
    "expected_lines",
    "after",
    "before",
    "lines",
    "insert_line",
    "move_to",
    "copy_to",
];

/// The edits of a request. One edit and a list of one edit are reported differently.
#[derive(Debug, PartialEq, Eq)]
pub struct Edits {
    /// The edits, in order.
    pub edits: Vec<FileEdit>,
    /// Whether the request has a list.
    pub is_list: bool,
}

/// Reads one edit or several, in every shape that models send.
///
/// # Errors
///
/// Returns an error that names the unreadable argument.
pub fn read_edits(arguments: Object) -> Result<Edits, String> {
    let mut shared = canonical(arguments)?;
    let Some(list) = shared.remove("edits") else {
        return Ok(Edits { edits: vec![typed(shared, Unknown::Remark)?], is_list: false });
    };
    let items = match unpacked(list, "edits")? {
        Value::Array(items) => items,
        // Models send a single edit without the array.
        item @ Value::Object(_) => vec![item],
        _ => return Err("`edits` has to be an array of edits".to_owned()),
    };
    if items.is_empty() {
        return Err("`edits` is empty; give at least one edit".to_owned());
    }
    let edits: Result<Vec<FileEdit>, String> = items
        .into_iter()
        .enumerate()
        .map(|(index, item)| {
            let name = format!("edits[{index}]");
            let Value::Object(item) = unpacked(item, &name)? else {
                return Err(format!("`{name}` has to be an object"));
            };
            let mut item = canonical(item)?;
            for (key, value) in &shared {
                match (key.as_str(), item.get(key)) {
                    ("file_path", None) => {}
                    // The first edit changes the file, so the expected hash cannot hold for a later edit.
                    ("expected_hash", None) if index == 0 => {}
                    ("expected_hash", _) if index > 0 => continue,
                    ("file_path" | "expected_hash", Some(own)) if own == value => {}
                    ("file_path" | "expected_hash", _) => {
                        return Err(format!("`{key}` and `{name}.{key}` differ; give one of them"));
                    }
                    // A remark about all edits.
                    _ if value.is_string() && !FIELDS.contains(&key.as_str()) => continue,
                    _ => return Err(format!("`{key}` belongs in each edit")),
                }
                item.insert(key.clone(), value.clone());
            }
            typed(item, Unknown::Remark).map_err(|error| format!("`{name}`: {error}"))
        })
        .collect();
    Ok(Edits { edits: edits?, is_list: true })
}

/// Reads arguments of one fixed shape, under any of their names.
///
/// # Errors
///
/// Returns an error that names the unreadable argument.
pub fn read_arguments<T: DeserializeOwned>(arguments: Object) -> Result<T, String> {
    typed(canonical(arguments)?, Unknown::Refused)
}

fn typed<T: DeserializeOwned>(arguments: Object, unknown: Unknown) -> Result<T, String> {
    lenient::read(arguments, unknown).map_err(|error| error.to_string())
}

/// Replaces every alias by the name used here.
fn canonical(arguments: Object) -> Result<Object, String> {
    let mut named = Object::new();
    for (key, value) in arguments {
        let name = ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key.as_str(), |(_, name)| name);
        if named.insert(name.to_owned(), value).is_some() {
            return Err(format!("`{name}` is given twice, once as `{key}` or another of its names"));
        }
    }
    let numbers = [START_LINE, END_LINE].map(|name| named.remove(name).filter(|value| !value.is_null()));
    if let [Some(start), end] = numbers {
        let end = end.unwrap_or_else(|| start.clone());
        if named.insert("lines".to_owned(), Value::Array(vec![start, end])).is_some() {
            return Err("`lines` is given twice, once as `start_line`".to_owned());
        }
    }
    for name in ["lines", "move_to", "copy_to"] {
        if let Some(value) = named.remove(name) {
            named.insert(name.to_owned(), unpacked(value, name)?);
        }
    }
    Ok(named)
}

/// Returns the value that a string of JSON contains; returns any other value unchanged.
fn unpacked(value: Value, name: &str) -> Result<Value, String> {
    let Value::String(text) = value else { return Ok(value) };
    serde_json::from_str(&text)
        .or_else(|error| serde_json::from_str(&escaped(&text)).map_err(|_| error))
        .map_err(|error| format!("`{name}` is a string that is not JSON: {error}"))
}

/// Escapes the control characters inside the strings of `json`; JSON forbids them there.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let (mut inside, mut after_backslash) = (false, false);
    for letter in json.chars() {
        if inside && letter < ' ' {
            if after_backslash {
                // A backslash before a line break cannot be an escape, so it becomes a literal backslash.
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
    use serde_json::{Value, json};

    use super::{Edits, Object, read_edits};
    use crate::FileEdit;

    fn object(value: Value) -> Object {
        let Value::Object(object) = value else { panic!("an object: {value}") };
        object
    }

    fn read(value: Value) -> Result<Edits, String> {
        read_edits(object(value))
    }

    fn edit(old: &str, new: &str) -> FileEdit {
        FileEdit::new("a.txt".as_ref(), old, new)
    }

    fn listed(value: Value) -> Vec<FileEdit> {
        let Edits { edits, is_list } = read(value).unwrap();
        assert!(is_list);
        edits
    }

    #[test]
    fn names_of_other_tools_are_aliases() {
        let expected = Ok(Edits { edits: vec![FileEdit { replace_all: true, ..edit("a", "b") }], is_list: false });
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
    fn booleans_and_numbers_may_be_texts() {
        let expected = FileEdit { replace_all: true, ..edit("a", "b").near(5) };
        for (all, line) in [(json!("true"), json!("5")), (json!(" True"), json!(5)), (json!(true), json!(" 5 "))] {
            let texts =
                json!({"path": "a.txt", "old_string": "a", "new_string": "b", "replace_all": all, "line": line});
            assert_eq!(read(texts), Ok(Edits { edits: vec![expected.clone()], is_list: false }));
        }
        // A string remains a string, and `null` is a missing value.
        let texts =
            json!({"path": "a.txt", "old_string": "5", "new_string": "true", "replace_all": null, "line": null});
        assert_eq!(read(texts), Ok(Edits { edits: vec![edit("5", "true")], is_list: false }));
    }

    #[test]
    fn an_unknown_string_is_a_remark() {
        let remarked = json!({"path": "a.txt", "old_string": "a", "new_string": "b", "explanation": "Renames it."});
        assert_eq!(read(remarked.clone()), Ok(Edits { edits: vec![edit("a", "b")], is_list: false }));
        assert_eq!(listed(json!({"instructions": "All of them.", "edits": [remarked]})), [edit("a", "b")]);
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
    fn a_single_edit_needs_no_list() {
        let item = json!({"old_string": "a", "new_string": "b"});
        for edits in [item.clone(), Value::from(item.to_string()), json!([item.to_string()])] {
            assert_eq!(listed(json!({"file_path": "a.txt", "edits": edits})), [edit("a", "b")]);
        }
    }

    #[test]
    fn control_characters_in_a_string_of_json_are_literal() {
        let raw = "[\n\t{\"old_string\": \"one\n\ttwo\r\n\", \"new_string\": \"say \\\"x\\\"\n\u{1b}\\\n\"}\n]";
        let expected = [edit("one\n\ttwo\r\n", "say \"x\"\n\u{1b}\\\n")];
        assert_eq!(listed(json!({"file_path": "a.txt", "edits": raw})), expected);
    }

    #[test]
    fn the_hash_of_a_list_applies_to_its_first_edit() {
        let items = json!([{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]);
        let with_hash = FileEdit { expected_hash: Some("00".to_owned()), ..edit("a", "b") };
        let arguments = json!({"file_path": "a.txt", "expected_hash": "00", "edits": items});
        assert_eq!(listed(arguments), [with_hash, edit("c", "d")]);
    }

    #[test]
    fn an_error_names_the_unreadable_argument() {
        let item = json!({"old_string": "a", "new_string": "b"});
        let cases = [
            (json!({}), "file_path"),
            (json!({"file_path": "a.txt", "old_string": "a"}), "new_string"),
            (json!({"file_path": 1, "old_string": "a", "new_string": "b"}), "`file_path`: invalid type"),
            (json!({"path": "a", "old_string": "a", "new_string": "b", "line": "five"}), "`line`: invalid type"),
            (
                json!({"path": "a", "old_string": "a", "new_string": "b", "replace_all": "yes"}),
                "`replace_all`: invalid",
            ),
            (json!({"path": "a", "file_path": "a", "old_string": "a", "new_string": "b"}), "twice"),
            (json!({"path": "a", "old_string": "a", "new_string": "b", "dry_run": true}), "dry_run"),
            (json!({"path": "a", "edits": []}), "empty"),
            (json!({"path": "a", "edits": {}}), "edits[0]"),
            (json!({"path": "a", "edits": 1}), "array"),
            (json!({"path": "a", "edits": "[{"}), "not JSON"),
            (json!({"path": "a", "edits": [1]}), "edits[0]"),
            (json!({"edits": [item]}), "edits[0]"),
            (json!({"path": "a", "replace_all": true, "edits": [item]}), "belongs in each"),
            (json!({"path": "a", "edits": [{"path": "b", "old_string": "a", "new_string": "b"}]}), "differ"),
        ];
        for (arguments, part) in cases {
            let message = read(arguments.clone()).unwrap_err();
            assert!(message.contains(part), "{arguments}: {message}");
        }
    }
}
