//! Canned events of hosts, about a small file.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_hosts::Host;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A file that is indented with tabs.
pub(crate) const CART: &str = "\
class Cart:
\tdef __init__(self):
\t\tself.items = []

\tdef add(self, price):
\t\tself.items.append(price)

\tdef total(self):
\t\treturn sum(self.items)

\tdef count(self):
\t\treturn len(self.items)
";

/// A directory with the file `cart.py`.
pub(crate) struct Project(TempDir);

impl Project {
    pub(crate) fn new() -> Self {
        Self::with(CART.as_bytes())
    }

    pub(crate) fn with(cart: &[u8]) -> Self {
        let project = Self(tempfile::tempdir().expect("a directory"));
        fs::write(project.cart(), cart).expect("written");
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn cart(&self) -> PathBuf {
        self.0.path().join("cart.py")
    }

    /// Returns the canned event `name` of a host, if there is one, with both texts of its edit.
    pub(crate) fn event(&self, host: &Host, name: &str, old: &str, new: &str) -> Option<Value> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/payloads").join(format!("{}.json", host.name));
        let events: Value = serde_json::from_str(&fs::read_to_string(path).expect("events")).expect("JSON");
        let mut event = events.get(name)?.clone();
        fill(
            &mut event,
            &[
                ("$DIRECTORY", self.path().to_str().expect("UTF-8")),
                ("$OLD", old),
                ("$NEW", new),
                ("$PATCH", &patch(old, new)),
            ],
        );
        Some(event)
    }

    /// Returns an answer with the name of the directory replaced by `$DIRECTORY`.
    pub(crate) fn named(&self, answer: &str) -> String {
        answer.replace(self.path().to_str().expect("UTF-8"), "$DIRECTORY")
    }
}

/// Fills the placeholders of all texts in an event.
fn fill(value: &mut Value, texts: &[(&str, &str)]) {
    match value {
        Value::String(text) => {
            for (name, filling) in texts {
                *text = text.replace(name, filling);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, texts)),
        Value::Object(items) => items.values_mut().for_each(|item| fill(item, texts)),
        _ => {}
    }
}

/// Returns an edit of whole lines as a patch.
fn patch(old: &str, new: &str) -> String {
    let lines = |mark: &str, text: &str| text.lines().flat_map(|line| [mark, line, "\n"]).collect::<String>();
    format!("*** Begin Patch\n*** Update File: cart.py\n@@\n{}{}*** End Patch", lines("-", old), lines("+", new))
}

/// Returns the first value below `value` that has one of the names.
pub(crate) fn find<'v>(value: &'v Value, names: &[&str]) -> Option<&'v str> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| find(item, names)),
        Value::Object(items) => {
            let own = items.iter().find_map(|(name, value)| value.as_str().filter(|_| names.contains(&name.as_str())));
            own.or_else(|| items.values().find_map(|item| find(item, names)))
        }
        _ => None,
    }
}

/// Returns old and new text of the edit in an answer.
pub(crate) fn edit_in(answer: &str) -> Option<(String, String)> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let text = |names: &[&str]| find(&answer, names).map(str::to_owned);
    let old = text(&["old_string", "oldString", "old_str", "old_text"])?;
    Some((old, text(&["new_string", "newString", "new_str", "new_text"])?))
}

/// Returns an event for the tool of Gemini CLI, with further properties.
pub(crate) fn gemini(project: &Project, old: &str, new: &str, more: &Value) -> String {
    let mut input = json!({ "file_path": "cart.py", "old_string": old, "new_string": new });
    input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    json!({ "cwd": project.path(), "tool_name": "replace", "tool_input": input }).to_string()
}
