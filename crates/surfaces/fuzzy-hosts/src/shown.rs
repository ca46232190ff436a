//! The lines of files that the tools of a host show.

use serde_json::Value;

use crate::repair::Input;

/// Lines of a file that a tool showed.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The number of the first line, from 0.
    pub(crate) first: usize,
    pub(crate) text: String,
}

impl Shown {
    /// Reads a text and the number of its first line, from 1.
    pub(crate) fn of(text: Option<&Value>, first: Option<&Value>) -> Option<Self> {
        let first = first.map_or(Some(1), Value::as_u64)?.checked_sub(1)?;
        Some(Self { first: usize::try_from(first).ok()?, text: text?.as_str()?.to_owned() })
    }
}

/// The lines that the tools of a host show.
#[derive(Debug)]
pub(crate) struct Reads {
    /// The tool that reads a file, and the lines that its response has.
    pub(crate) tool: &'static str,
    pub(crate) shown: fn(input: &Input, response: &Value) -> Option<Shown>,
    /// The output of a shell command in its response, as a JSON pointer; none if the host cuts or marks it.
    pub(crate) output: Option<&'static str>,
}
