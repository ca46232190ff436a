//! A recorded edit, and the verdict on an answer to it.

use std::borrow::Cow;

use fuzzy_edit::{Failure, LineQuote};
use fuzzy_hosts::Outcome;
use fuzzy_pipeline::Edit;
use fuzzy_report::{Labelled, Verdict, named_edit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A recorded edit: a line of a log with texts, or of a file of cases.
#[derive(Default, Deserialize)]
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
    pub(super) replace_all: Option<bool>,
    pub(super) line: Option<usize>,
    /// The expected result.
    #[serde(default)]
    pub(super) expected: Label,
    /// The kind of label, as in [`Labelled`].
    pub(super) expected_kind: Option<String>,
    /// Other right results; `null` for a refusal.
    #[serde(default)]
    pub(super) accept: Vec<Option<String>>,
    /// The lines that contain every change, counted from 0, end excluded, if `expected_kind` is `span`.
    pub(super) target: Option<(usize, usize)>,
    /// Whether an unchanged text is as good as a refusal.
    pub(super) accept_noop: Option<bool>,
    /// How the old text differs from the file's.
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
    /// The result has the words of the expected text, and other whitespace.
    Whitespace,
    /// The result is another text.
    Wrong,
    /// The edit was refused, although a text was expected.
    Missed,
}

impl Worth {
    /// Returns the word for tables.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Whitespace => "whitespace",
            Self::Wrong => "WRONG",
            Self::Missed => "missed",
        }
    }
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
        let expected = match &self.expected {
            Label::Unknown if self.expected_kind.as_deref() != Some("span") => return None,
            Label::Text(expected) => Some(expected.as_str()),
            _ => None,
        };
        let labelled = Labelled {
            content: &self.content,
            is_same: self.old.as_ref() == Some(&self.new),
            expected,
            accept: &self.accept,
            kind: self.expected_kind.as_deref().unwrap_or_default(),
            accept_noop: self.accept_noop == Some(true),
            target: self.target,
        };
        labelled.verdict(output).map(Worth::from)
    }
}

impl From<Verdict> for Worth {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Right => Self::Right,
            Verdict::Tails | Verdict::Whitespace => Self::Whitespace,
            Verdict::Refused => Self::Missed,
            Verdict::Wrong => Self::Wrong,
        }
    }
}
