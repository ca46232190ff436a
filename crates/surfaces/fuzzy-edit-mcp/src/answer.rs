//! Answers of the tools: a short text for people and models, and the whole report as data.

use std::fmt::Write as _;

use fuzzy_edit::{Batches, Failure, ListReport, Located, Place, Report, Success, Undone, trim_diff};
use fuzzy_report::{add_note, line_numbers, printable};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::bound;

/// The detail of the text. With `Diff` it contains the changes, for previews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    Short,
    Diff,
}

/// Returns the answer with a report and its text.
pub(crate) fn success(report: &impl Serialize, text: String) -> CallToolResult {
    result(report, text, false)
}

/// Returns the answer with a failure of another kind; the text starts with its code.
pub(crate) fn refusal(report: &impl Serialize, text: String) -> CallToolResult {
    result(report, text, true)
}

/// Returns the answer with a failure; the text starts with its code.
pub(crate) fn failure(failure: &Failure) -> CallToolResult {
    result(failure, failure.for_model(), true)
}

/// Returns the answer to an undo.
pub(crate) fn undone(report: &Undone) -> CallToolResult {
    success(report, report.for_model())
}

/// Returns the answer with the batches that can be undone.
pub(crate) fn batches(report: &Batches) -> CallToolResult {
    let lines = report.batches.iter().map(|past| {
        let state = match (&past.waits_for, past.code) {
            (Some(newer), _) => format!(" (after {newer})"),
            (None, Some(code)) => format!(" ({code})"),
            (None, None) => String::new(),
        };
        let paths: Vec<_> = past.paths.iter().take(MAX_PLACES).map(|path| format!("`{}`", printable(path))).collect();
        let more = past.paths.len().saturating_sub(MAX_PLACES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{state}: {}{more}", past.batch, paths.join(", "))
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    success(report, if text.is_empty() { "there is no batch to undo".to_owned() } else { text })
}

/// Returns the answer with the report of one edit.
pub(crate) fn edit(report: &Report, detail: Detail) -> CallToolResult {
    match report {
        Report::Success(report) if detail == Detail::Diff => success(report, with_diff(report)),
        Report::Success(report) => success(report, report.for_model()),
        Report::Failure(report) => failure(report),
    }
}

/// Returns the answer with the reports of several edits.
pub(crate) fn edits(reports: Vec<Report>, detail: Detail) -> CallToolResult {
    let list = ListReport::from(reports);
    match &list {
        ListReport::Success { edits, .. } if detail == Detail::Diff => {
            let texts = edits.iter().filter_map(|report| match report {
                Report::Success(report) => Some(with_diff(report)),
                Report::Failure(_) => None,
            });
            success(&list, texts.collect::<Vec<_>>().join("\n"))
        }
        ListReport::Success { .. } => success(&list, list.for_model()),
        ListReport::Failure { .. } => result(&list, list.for_model(), true),
    }
}

/// Returns the text of an edit with its changes.
fn with_diff(report: &Success) -> String {
    let diff = trim_diff(&report.diff);
    [report.for_model().as_str(), diff.trim_end()].join("\n").trim_end().to_owned()
}

/// Returns the numbers of a place, with its cell in a notebook.
fn numbered(place: &Place) -> String {
    place.cell.as_ref().map_or_else(|| line_numbers(place.lines), ToString::to_string)
}

/// Returns the answer with the place of a text.
pub(crate) fn located(report: &Located) -> CallToolResult {
    let Located { status, file_path, occurrences, confidence, .. } = report;
    let mut text = format!("{}: {}", status.replace('_', " "), printable(file_path));
    let places: Vec<String> = report.places.iter().take(MAX_PLACES).map(numbered).collect();
    let _ = write!(text, " {}", places.join(", "));
    if *occurrences > places.len() {
        let _ = write!(text, " and {} more", occurrences - places.len());
    }
    if report.strategy.is_some() {
        let _ = write!(text, ", confidence {confidence:.3}");
    }
    add_note(&mut text, report.note.as_deref());
    if let Some(range) = &report.text {
        let first = range.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n");
        let _ = write!(text, "\n{first}");
        let left = range.lines().count().saturating_sub(MAX_LINES);
        if left > 0 {
            let _ = write!(text, "\n({left} more lines)");
        }
    }
    success(report, text)
}

/// Adds a line to the text of an answer.
pub(crate) fn with_line(mut result: CallToolResult, line: &str) -> CallToolResult {
    if let Some(ContentBlock::Text(text)) = result.content.first_mut() {
        let _ = write!(text.text, "\n{line}");
    }
    result
}

/// The most places or paths in a text.
const MAX_PLACES: usize = 5;

/// The most lines of a range in a text; the data has all of them.
const MAX_LINES: usize = 40;

fn result(report: &impl Serialize, text: String, is_error: bool) -> CallToolResult {
    // Reports contain only texts and numbers, so their conversion to JSON cannot fail.
    let (value, text) = bound::both(serde_json::to_value(report).unwrap_or(Value::Null), text);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result.is_error = Some(is_error);
    result
}
