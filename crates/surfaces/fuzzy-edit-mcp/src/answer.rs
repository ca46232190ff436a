//! Answers of the tools: a short text for people and models, and the whole report as data.

use std::fmt::Write as _;

use fuzzy_edit::{Batches, Failure, ListReport, Located, Place, Report, Success, Undone, UndoneAction, trim_diff};
use fuzzy_pipeline::LineRange;
use fuzzy_report::{ContestedLines, Status, printable};
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
    result(failure, failed(failure), true)
}

/// Returns the answer to an undo.
pub(crate) fn undone(report: &Undone) -> CallToolResult {
    let would = if report.status == "dry_run" { "would be " } else { "" };
    let lines = report.files.iter().map(|file| {
        let action = match file.action {
            UndoneAction::Restored => "restored",
            UndoneAction::Removed => "removed",
            UndoneAction::Recreated => "recreated",
        };
        format!("{would}{action}: `{}`", printable(&file.file_path))
    });
    success(report, lines.collect::<Vec<_>>().join("\n"))
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
        Report::Success(report) => success(report, done(report, detail)),
        Report::Failure(report) => failure(report),
    }
}

/// Returns the answer with the reports of several edits.
pub(crate) fn edits(reports: Vec<Report>, detail: Detail) -> CallToolResult {
    let list = ListReport::from(reports);
    let mut text = String::new();
    match &list {
        ListReport::Success { edits, .. } => {
            for report in edits {
                if let Report::Success(report) = report {
                    text += &done(report, detail);
                    text.push('\n');
                }
            }
            success(&list, text.trim_end().to_owned())
        }
        ListReport::Failure { edits, .. } => {
            let mut count = 0;
            for (index, report) in edits.iter().enumerate() {
                if let Report::Failure(report) = report {
                    count += 1;
                    // The text has to start with the code, so the number of the edit follows at the end.
                    let _ = writeln!(text, "{}\n(edits[{index}])", failed(report));
                }
            }
            let _ = write!(text, "{count} of {} edits failed, so nothing was written.", edits.len());
            result(&list, text, true)
        }
    }
}

/// Returns the numbers of a place, with its cell in a notebook.
fn numbered(place: &Place) -> String {
    place.cell.as_ref().map_or_else(|| numbers(place.lines), ToString::to_string)
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
    noted(&mut text, report.note.as_deref());
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

/// The most lines of a proposal, or of lost lines, in a text; the data has all of them.
const MAX_LINES: usize = 40;

fn result(report: &impl Serialize, text: String, is_error: bool) -> CallToolResult {
    // Reports contain only texts and numbers, so their conversion to JSON cannot fail.
    let (value, text) = bound::both(serde_json::to_value(report).unwrap_or(Value::Null), text);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result.is_error = Some(is_error);
    result
}

fn done(report: &Success, detail: Detail) -> String {
    let done = match report.status {
        Status::DryRun => "would apply",
        _ if report.changed => "applied",
        _ => "nothing to change:",
    };
    let mut text = format!("{done} {} {}", printable(&report.file_path), numbers(report.lines_before));
    if report.occurrences > 1 {
        let _ = write!(text, ", {} places", report.occurrences);
    }
    if let Some(replaced) = &report.replaced {
        let _ = write!(text, ": {}", printable(&replaced.summary()));
    }
    if let Some(lines) = &report.new_lines {
        let _ = write!(text, ", {}", printable(&lines.summary()));
    }
    noted(&mut text, report.note.as_deref());
    if detail == Detail::Diff && !report.diff.is_empty() {
        let _ = write!(text, "\n{}", trim_diff(&report.diff).trim_end());
    }
    text
}

/// Returns the numbers of lines without the word.
fn numbers(LineRange { first, last }: LineRange) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Adds a note: in parentheses, and further lines below.
fn noted(text: &mut String, note: Option<&str>) {
    if let Some(note) = note {
        let (first, rest) = note.split_once('\n').unwrap_or((note, ""));
        let first = first.strip_prefix('(').and_then(|first| first.strip_suffix(')')).unwrap_or(first);
        let _ = write!(text, " ({first})");
        if !rest.is_empty() {
            let _ = write!(text, "\n{rest}");
        }
    }
}

/// Returns the text of a failure with its next step, and the lines that the next step needs: some hosts pass only the
/// text to the model.
fn failed(failure: &Failure) -> String {
    let mut text = failure.to_string();
    if let Some(nearest) = failure.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
        let _ = write!(text, "\nyour old_string (-) and {} (+):\n{}", nearest.lines, nearest.diff.trim_end());
    }
    for (title, lines) in failure.details.conflicts.iter().flat_map(ContestedLines::results) {
        let _ = write!(text, "\n{title}:\n{lines}");
    }
    if let Some(lost) = &failure.details.lost {
        let first = lost.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n");
        let _ = write!(text, "\nthe lines that would be lost:\n{first}");
        let left = lost.lines().count().saturating_sub(MAX_LINES);
        if left > 0 {
            let _ = write!(text, "\n({left} more lines)");
        }
    }
    if let Some(proposal) = &failure.details.proposal
        && proposal.old.lines().count() + proposal.new.lines().count() <= MAX_LINES
        && let (Ok(old), Ok(new)) = (serde_json::to_string(&proposal.old), serde_json::to_string(&proposal.new))
    {
        let _ = write!(text, "\nproposal: {{\"old_string\": {old}, \"new_string\": {new}}}");
    }
    if let Some(rule) = failure.details.rule {
        let _ = write!(text, "\nrule: {rule}");
    }
    text
}
