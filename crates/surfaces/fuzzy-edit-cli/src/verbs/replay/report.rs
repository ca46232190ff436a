//! The report of a replay.

use fuzzy_hosts::Count;
use schemars::JsonSchema;
use serde::Serialize;

use super::case::Worth;
use super::tally::{List, OfLadder};

/// What the ladders made of the edits.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Replayed {
    pub(super) status: &'static str,
    /// How many edits were tried.
    pub(super) edits: u64,
    /// How many of them are labelled.
    pub(super) labelled: u64,
    /// Lines of logs that hold no texts, and so cannot be tried.
    pub(super) without_texts: u64,
    /// What cannot be read.
    pub(super) unreadable: List<Unreadable>,
    /// How many edits of hooks were exact, repaired and refused when they were logged, by host and model.
    pub(super) hosts: Vec<Count>,
    /// Each ladder, in the order in which they were named.
    pub(super) ladders: Vec<OfLadder>,
    /// Edits of which the ladders make different texts.
    pub(super) disagreements: List<Disagreement>,
}

/// Something that cannot be read.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Unreadable {
    pub(super) source: String,
    /// The line, counted from 1; 0 if it is the whole input.
    pub(super) line: u64,
    pub(super) why: String,
}

/// An edit of which the ladders make different texts.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Disagreement {
    /// As in the input; null if it has none.
    pub(super) id: serde_json::Value,
    pub(super) source: String,
    pub(super) line: u64,
    pub(super) answers: Vec<Said>,
}

/// What one ladder said.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Said {
    pub(super) ladder: &'static str,
    /// The strategy that found the place, or the code of the failure.
    pub(super) answer: &'static str,
    pub(super) worth: Option<Worth>,
}
