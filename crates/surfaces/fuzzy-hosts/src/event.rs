//! One event of a host.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::host::Host;

/// One event of a host, as JSON.
#[derive(Debug)]
pub(crate) struct Event<'e> {
    pub(crate) host: &'static Host,
    pub(crate) json: &'e Value,
}

impl Event<'_> {
    /// Returns the directory that relative paths start from.
    pub(crate) fn directory(&self) -> PathBuf {
        let named = self.first(self.host.event.directory).map(PathBuf::from);
        named.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// Returns the name of the model; empty if the event does not have it.
    pub(crate) fn model(&self) -> &str {
        self.first(self.host.event.model).unwrap_or_default()
    }

    /// Returns the first text at one of these pointers that is not empty.
    pub(crate) fn first(&self, pointers: &[&str]) -> Option<&str> {
        let mut texts = pointers.iter().filter_map(|pointer| self.json.pointer(pointer)?.as_str());
        texts.find(|text| !text.is_empty())
    }
}

/// Sets the value at a JSON pointer. Creates missing objects, and lists with one item.
pub(crate) fn set(value: &mut Value, pointer: &str, new: Value) {
    let mut place = value;
    for name in pointer.split('/').skip(1) {
        if name == "0" {
            *place = json!([null]);
            place = &mut place[0];
        } else {
            place = &mut place[name];
        }
    }
    *place = new;
}
