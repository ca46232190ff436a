//! A recorded edit, and what an answer to it is worth.

use std::borrow::Cow;

use fuzzy_hosts::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A recorded edit: a line of a log with texts, or of a file of cases.
#[derive(Deserialize)]
pub(super) struct Case<'l> {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(borrow)]
    pub(super) content: Cow<'l, str>,
    #[serde(borrow)]
    pub(super) old: Cow<'l, str>,
    #[serde(borrow)]
    pub(super) new: Cow<'l, str>,
    #[serde(default)]
    pub(super) replace_all: Option<bool>,
    #[serde(default)]
    pub(super) line: Option<usize>,
    /// What should come of it.
    #[serde(default)]
    pub(super) expected: Label,
    /// Says more about a text that is not expected.
    #[serde(default)]
    pub(super) expected_kind: Option<String>,
    /// Whether leaving the text as it is is as good as refusing.
    #[serde(default)]
    pub(super) accept_noop: Option<bool>,
    /// How the old text departs from the file's.
    #[serde(default)]
    pub(super) drift: Option<String>,
    #[serde(flatten)]
    pub(super) hooked: Option<Hooked>,
}

/// The part of a line that a hook adds.
#[derive(Deserialize)]
pub(super) struct Hooked {
    pub(super) host: String,
    pub(super) model: String,
    pub(super) outcome: Outcome,
}

/// What is left of a line that is JSON but no case.
#[derive(Deserialize)]
pub(super) struct Logged {
    pub(super) edit_hash: Option<String>,
    #[serde(flatten)]
    pub(super) hooked: Option<Hooked>,
}

/// What an answer to a labelled edit is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Worth {
    /// The expected text came of it, or the refusal that was expected.
    Right,
    /// Another text came of it.
    Wrong,
    /// It was refused, and should not have been.
    Missed,
}

/// What should come of an edit.
#[derive(Default, Deserialize)]
#[serde(from = "Option<String>")]
pub(super) enum Label {
    /// No one knows.
    #[default]
    Unknown,
    /// It should be refused: null.
    Refusal,
    /// This text.
    Text(String),
}

impl From<Option<String>> for Label {
    fn from(expected: Option<String>) -> Self {
        expected.map_or(Self::Refusal, Self::Text)
    }
}

impl Case<'_> {
    /// Says what an answer is worth, if the edit is labelled: the text that came of it, or nothing if it was refused.
    pub(super) fn worth(&self, output: Option<&str>) -> Option<Worth> {
        let is_known = match self.expected_kind.as_deref() {
            None => true,
            // Of the others only the lines are known, or nothing.
            Some(kind) => kind.starts_with("refuse") || kind == "full",
        };
        if !is_known {
            return None;
        }
        match (&self.expected, output) {
            (Label::Unknown, _) => None,
            // Nothing could come of it.
            (Label::Text(_), _) if self.old == self.new => None,
            (Label::Text(expected), Some(output)) if output == expected => Some(Worth::Right),
            (Label::Text(_), Some(output)) if output != self.content => Some(Worth::Wrong),
            (Label::Text(_), _) => Some(Worth::Missed),
            (Label::Refusal, Some(output)) if self.accept_noop != Some(true) || output != self.content => {
                Some(Worth::Wrong)
            }
            (Label::Refusal, _) => Some(Worth::Right),
        }
    }
}
