//! What a tool answers: one short text for people and models, and the whole report as data.

use std::fmt::Write as _;

use fuzzy_edit::{Batches, Failure, ListReport, Located, Report, Success, Undone, UndoneAction, trim_diff};
use fuzzy_report::{ContestedLines, printable};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::bound;

/// Whether the text shows what would change: a preview is asked for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    Short,
    Diff,
}

/// Answers with a report and its text.
pub(crate) fn success(report: &impl Serialize, text: String) -> CallToolResult {
    result(report, text, false)
}

/// Answers with a failure of another kind; the text starts with its code.
pub(crate) fn refusal(report: &impl Serialize, text: String) -> CallToolResult {
    result(report, text, true)
}

/// Answers with a failure; the text starts with its code.
pub(crate) fn failure(failure: &Failure) -> CallToolResult {
    result(failure, failed(failure), true)
}

/// Answers with what was taken back.
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

/// Answers which batches can be taken back.
pub(crate) fn batches(report: &Batches) -> CallToolResult {
    let lines = report.batches.iter().map(|past| {
        let state = past.code.map_or_else(String::new, |code| format!(" ({code})"));
        let paths: Vec<_> = past.paths.iter().take(SHOWN).map(|path| format!("`{}`", printable(path))).collect();
        let more = past.paths.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{state}: {}{more}", past.batch, paths.join(", "))
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    success(report, if text.is_empty() { "there is no batch to take back".to_owned() } else { text })
}

/// Answers with the report of one edit.
pub(crate) fn edit(report: &Report, detail: Detail) -> CallToolResult {
    match report {
        Report::Success(report) => success(report, done(report, detail)),
        Report::Failure(report) => failure(report),
    }
}

/// Answers with the reports of several edits.
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
                    // The code comes first, so the number of the edit comes after it all.
                    let _ = writeln!(text, "{}\n(edits[{index}])", failed(report));
                }
            }
            let _ = write!(text, "{count} of {} edits failed, so nothing was written.", edits.len());
            result(&list, text, true)
        }
    }
}

/// Answers where a text occurs.
pub(crate) fn located(report: &Located) -> CallToolResult {
    let Located { status, file_path, occurrences, .. } = report;
    let mut text = format!("{}: `{file_path}`", status.replace('_', " "));
    let places: Vec<String> = report.places.iter().take(SHOWN).map(|place| place.lines.to_string()).collect();
    let _ = write!(text, " {}", places.join(", "));
    if *occurrences > places.len() {
        let _ = write!(text, " and {} more", occurrences - places.len());
    }
    how(&mut text, report.strategy, report.similarity, report.note.as_deref());
    success(report, text)
}

/// Adds a line to the text of an answer.
pub(crate) fn with_line(mut result: CallToolResult, line: &str) -> CallToolResult {
    if let Some(ContentBlock::Text(text)) = result.content.first_mut() {
        let _ = write!(text.text, "\n{line}");
    }
    result
}

/// How many places a text names.
const SHOWN: usize = 5;
/// How many lines of a proposal, or of what would be lost, a text shows; the whole of it is in the data.
const LINES: usize = 40;

fn result(report: &impl Serialize, text: String, is_error: bool) -> CallToolResult {
    // Reports are structures of texts and numbers: they always have a JSON.
    let (value, text) = bound::both(serde_json::to_value(report).unwrap_or(Value::Null), text);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result.is_error = Some(is_error);
    result
}

fn done(report: &Success, detail: Detail) -> String {
    let mut text = report.summary();
    how(&mut text, report.strategy, report.similarity, report.note.as_deref());
    if detail == Detail::Diff && !report.diff.is_empty() {
        let _ = write!(text, "\n{}", trim_diff(&report.diff).trim_end());
    }
    text
}

fn how(text: &mut String, strategy: Option<&str>, similarity: f64, note: Option<&str>) {
    if let Some(strategy) = strategy {
        let _ = write!(text, " ({strategy}, similarity {similarity:.3})");
    }
    if let Some(note) = note {
        let _ = write!(text, "\n{note}");
    }
}

/// Says what failed and what to do next, with what that needs: some hosts show the model nothing but this text.
fn failed(failure: &Failure) -> String {
    let mut text = failure.to_string();
    if let Some(nearest) = failure.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
        let _ = write!(text, "\nyour old_string (-) and {} (+):\n{}", nearest.lines, nearest.diff.trim_end());
    }
    for (title, lines) in failure.details.conflicts.iter().flat_map(ContestedLines::results) {
        let _ = write!(text, "\n{title}:\n{lines}");
    }
    if let Some(lost) = &failure.details.lost {
        let shown = lost.lines().take(LINES).collect::<Vec<_>>().join("\n");
        let _ = write!(text, "\nthe lines that would be lost:\n{shown}");
        let left = lost.lines().count().saturating_sub(LINES);
        if left > 0 {
            let _ = write!(text, "\n({left} more lines)");
        }
    }
    if let Some(proposal) = &failure.details.proposal
        && proposal.old_string.lines().count() + proposal.new_string.lines().count() <= LINES
        && let (Ok(old), Ok(new)) =
            (serde_json::to_string(&proposal.old_string), serde_json::to_string(&proposal.new_string))
    {
        let _ = write!(text, "\nproposal: {{\"old_string\": {old}, \"new_string\": {new}}}");
    }
    if let Some(rule) = failure.details.rule {
        let _ = write!(text, "\nrule: {rule}");
    }
    text
}
