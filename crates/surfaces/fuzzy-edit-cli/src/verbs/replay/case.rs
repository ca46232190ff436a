//! A recorded edit, and the verdict on an answer to it.

use std::borrow::Cow;

use fuzzy_edit::{Failure, LineQuote};
use fuzzy_hosts::Outcome;
use fuzzy_pipeline::Edit;
use fuzzy_report::named_edit;
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
    /// The old text; none if `quote` says where.
    #[serde(borrow, default, alias = "old_string")]
    pub(super) old: Option<Cow<'l, str>>,
    #[serde(borrow, alias = "new_string")]
    pub(super) new: Cow<'l, str>,
    #[serde(default)]
    pub(super) replace_all: Option<bool>,
    #[serde(default)]
    pub(super) line: Option<usize>,
    /// The expected result.
    #[serde(default)]
    pub(super) expected: Label,
    /// How exact the expected text is; see [`Case::worth`].
    #[serde(default)]
    pub(super) expected_kind: Option<String>,
    /// Whether an unchanged text is as good as a refusal.
    #[serde(default)]
    pub(super) accept_noop: Option<bool>,
    /// How the old text differs from the file's.
    #[serde(default)]
    pub(super) drift: Option<String>,
    /// The quote that names the lines of the edit, instead of the old text.
    #[serde(flatten)]
    pub(super) quote: LineQuote,
    #[serde(flatten)]
    pub(super) hooked: Option<Hooked>,
}

/// The fields that a hook adds to a line.
#[derive(Deserialize)]
pub(super) struct Hooked {
    pub(super) host: String,
    pub(super) model: String,
    pub(super) outcome: Outcome,
}

/// A line that is JSON but has no texts.
#[derive(Deserialize)]
pub(super) struct Logged {
    pub(super) edit_hash: Option<String>,
    #[serde(flatten)]
    pub(super) hooked: Option<Hooked>,
}

/// The verdict on an answer to a labelled edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Worth {
    /// The result is the expected text, or the expected refusal.
    Right,
    /// The result is another text.
    Wrong,
    /// The edit was refused, although a text was expected.
    Missed,
}

/// The expected result of an edit.
#[derive(Default, Deserialize)]
#[serde(from = "Option<String>")]
pub(super) enum Label {
    /// The edit is not labelled.
    #[default]
    Unknown,
    /// A refusal; `null` in the input.
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
    /// Returns the edit.
    ///
    /// # Errors
    ///
    /// Returns the failure of an edit that does not say where in exactly one way.
    pub(super) fn edit(&self) -> Result<Edit<'_>, Box<Failure>> {
        let replace_all = self.replace_all == Some(true);
        let edit = match &self.old {
            Some(old) if self.quote.is_empty() => Edit::new(old, &self.new).with_replace_all(replace_all),
            old => {
                self.quote.check(old.is_some(), replace_all).map_err(|error| Box::new(error.into()))?;
                named_edit(&self.quote, ("", &self.content), &self.new, false)?
            }
        };
        Ok(edit.with_line(self.line))
    }

    /// Returns the verdict on an answer if the edit is labelled. `output` is the resulting text, or `None` for a
    /// refusal.
    pub(super) fn worth(&self, output: Option<&str>) -> Option<Worth> {
        let is_known = match self.expected_kind.as_deref() {
            None => true,
            // The other kinds describe the expected text only in part.
            Some(kind) => kind.starts_with("refuse") || kind == "full",
        };
        if !is_known {
            return None;
        }
        match (&self.expected, output) {
            (Label::Unknown, _) => None,
            // An edit that changes nothing cannot produce the expected text.
            (Label::Text(_), _) if self.old.as_ref() == Some(&self.new) => None,
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
