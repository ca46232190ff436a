//! The labelled cases.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::jsonl;
use crate::jsonl::sha256;

/// An edit of a text and its expected result.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// The path of the file in its repository; empty if unknown.
    pub(crate) path: String,
    pub(crate) content: String,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) replace_all: bool,
    /// The line hint of the edit, counted from 1.
    pub(crate) line: Option<usize>,
    /// The whole text after the edit; `None` if the edit must be rejected.
    pub(crate) expected: Option<String>,
    /// Other acceptable texts after the edit; `None` for a rejection.
    pub(crate) accept: Vec<Option<String>>,
    /// The kind of expected result, for edits that were not made for this purpose.
    pub(crate) expected_kind: Option<String>,
    /// Whether leaving the text unchanged is as good as rejecting.
    pub(crate) accept_noop: bool,
    /// The lines that must include every change, counted from 0, end excluded.
    pub(crate) target: Option<(usize, usize)>,
    /// The kind of difference between the old text and the file's.
    pub(crate) drift: String,
}

impl Case {
    /// Returns the kind of expected result; empty if there is none.
    pub(crate) fn known(&self) -> &str {
        self.expected_kind.as_deref().unwrap_or_default()
    }

    /// Returns whether the edit should be applied.
    pub(crate) fn is_positive(&self) -> bool {
        self.expected.is_some() || self.known() == "span"
    }

    /// Returns the kind for counting.
    pub(crate) fn kind(&self) -> &str {
        match self.known() {
            _ if self.drift.starts_with("combo:") => "combo",
            "" => &self.drift,
            known => known,
        }
    }

    /// Returns the part of the drifted cases for counting, if the kind has one.
    pub(crate) fn part(&self) -> Option<String> {
        self.drift.split_once(':').filter(|(part, _)| *part != "combo").map(|(part, _)| format!("~{part}"))
    }

    /// Returns the group for counting; no kind begins with a tilde.
    pub(crate) fn group(&self) -> String {
        let occurrences = if self.known() == "full" { self.content.matches(&self.old).take(2).count() } else { 0 };
        if self.drift == "underindented_exact" || occurrences == 1 {
            "~policy".to_owned()
        } else if self.drift.starts_with("control") {
            format!("~{}", self.drift)
        } else if self.is_positive() {
            "~drifted".to_owned()
        } else {
            "~negatives".to_owned()
        }
    }
}

/// A file of cases. Only its name and its hash are ever written.
pub(crate) struct CaseFile {
    pub(crate) name: String,
    /// Hash of the file itself, compressed or not.
    pub(crate) sha256: String,
    pub(crate) cases: Vec<Case>,
}

impl CaseFile {
    /// Makes cases of the lines of a `.jsonl` or `.jsonl.gz` file.
    pub(crate) fn new(path: &Path, values: Vec<Value>) -> Result<Self> {
        let cases = values
            .into_iter()
            .map(|value| {
                for key in ["id", "content", "old", "new", "drift"] {
                    jsonl::text(&value, key)?;
                }
                let id = value["id"].clone();
                serde_json::from_value(value).with_context(|| format!("{id} in {} is no case", path.display()))
            })
            .collect::<Result<Vec<Case>>>()?;
        ensure!(!cases.is_empty(), "no case in {}", path.display());
        let (name, sha256) = identity(path)?;
        Ok(Self { name, sha256, cases })
    }
}

/// Returns a file's name and the hash of its bytes.
pub(crate) fn identity(path: &Path) -> Result<(String, String)> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(), sha256(&bytes)))
}
