//! The report of a replay.

use std::collections::BTreeMap;

use fuzzy_edit::Code;
use fuzzy_hosts::Count;
use schemars::JsonSchema;
use serde::Serialize;

use super::case::Worth;
use super::tally::{List, OfLadder};

/// The answers of the ladders to the edits.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Replayed {
    pub(super) status: &'static str,
    /// The number of edits that were tried.
    pub(super) edits: u64,
    /// The number of labelled edits among them.
    pub(super) labelled: u64,
    /// The number of lines of logs that contain no texts, and so cannot be tried.
    pub(super) without_texts: u64,
    /// The edits in logs of hosts that cannot be repeated, by the reason.
    pub(super) left_out: BTreeMap<&'static str, u64>,
    /// The unreadable lines.
    pub(super) unreadable: List<Unreadable>,
    /// The numbers of edits of hooks that were exact, repaired and refused when they were logged, by host and model.
    pub(super) hosts: Vec<Count>,
    /// The ladders, in the order of the command line.
    pub(super) ladders: Vec<OfLadder>,
    /// Edits for which the ladders produce different texts.
    pub(super) disagreements: List<Disagreement>,
}

/// An unreadable line or input.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Unreadable {
    pub(super) source: String,
    /// The line, counted from 1; 0 for the whole input.
    pub(super) line: u64,
    pub(super) why: String,
}

/// An edit for which the ladders produce different texts.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Disagreement {
    /// The id of the input; null if it has none.
    pub(super) id: serde_json::Value,
    pub(super) source: String,
    pub(super) line: u64,
    /// Whether the texts differ in whitespace alone, and no ladder refuses the edit.
    pub(super) only_whitespace: bool,
    pub(super) answers: Vec<LadderAnswer>,
}

/// An edit that a ladder refused, or answered otherwise than expected.
#[derive(Debug, Serialize)]
pub(super) struct Failed<'f> {
    /// The id of the input; null if it has none.
    pub(super) id: &'f serde_json::Value,
    pub(super) source: &'f str,
    pub(super) line: u64,
    pub(super) drift: Option<&'f str>,
    pub(super) ladder: &'static str,
    /// The resulting text; none for a refusal.
    pub(super) output: Option<&'f str>,
    pub(super) code: Option<Code>,
    pub(super) rule: Option<&'static str>,
    pub(super) strategy: Option<&'static str>,
    pub(super) worth: Option<Worth>,
    pub(super) content: &'f str,
    pub(super) old: Option<&'f str>,
    pub(super) new: &'f str,
}

/// The answer of one ladder.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct LadderAnswer {
    pub(super) ladder: &'static str,
    /// The strategy that found the place, or the code of the failure.
    pub(super) answer: &'static str,
    pub(super) worth: Option<Worth>,
}
