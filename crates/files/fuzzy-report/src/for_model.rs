//! Reports as texts for a model: one line for an edit that landed, and what a refused edit needs to be sent again.

use std::fmt::Write as _;

use fuzzy_core::LineRange;

use crate::{ContestedLines, Failure, ListReport, Report, Status, Success, Undone, UndoneAction, printable};

/// The most lines of a proposal, or of lost lines, in a text; the data has all of them.
const MAX_LINES: usize = 40;

impl Report {
    /// Returns the text for a model.
    #[must_use]
    pub fn for_model(&self) -> String {
        match self {
            Self::Success(success) => success.for_model(),
            Self::Failure(failure) => failure.for_model(),
        }
    }
}

impl ListReport {
    /// Returns the text for a model: a line for each edit, or each failure, of several with the number
    /// of its edit.
    #[must_use]
    pub fn for_model(&self) -> String {
        let mut text = String::new();
        match self {
            Self::Failure { failure, edits } if edits.len() == 1 => failure.for_model(),
            Self::Success { edits, .. } => {
                let lines: Vec<_> = edits.iter().map(Report::for_model).collect();
                lines.join("\n")
            }
            Self::Failure { edits, .. } => {
                let mut count = 0;
                for (index, report) in edits.iter().enumerate() {
                    if let Report::Failure(report) = report {
                        count += 1;
                        // The text has to start with the code, so the number of the edit follows at the end.
                        let _ = writeln!(text, "{}\n(edits[{index}])", report.for_model());
                    }
                }
                let _ = write!(text, "{count} of {} edits failed, so nothing was written.", edits.len());
                text
            }
        }
    }
}

impl Success {
    /// Returns the text for a model: the action, the file, its lines, and how the file differs from the old text.
    #[must_use]
    pub fn for_model(&self) -> String {
        let done = match self.status {
            Status::DryRun => "would apply",
            _ if self.changed => "applied",
            _ => "nothing to change:",
        };
        let place = self.cell.as_ref().map_or_else(|| line_numbers(self.lines_before), ToString::to_string);
        let mut text = format!("{done} {} {place}{}", printable(&self.file_path), self.beside_place());
        add_note(&mut text, self.note.as_deref());
        text
    }
}

impl Failure {
    /// Returns the text for a model: the failure with its next step, and the lines that the next step needs.
    #[must_use]
    pub fn for_model(&self) -> String {
        let mut text = self.to_string();
        if let Some(nearest) = self.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
            let _ =
                write!(text, "\nyour old text (-) and {} (+):\n{}", nearest.lines, nearest.diff.trim_end_matches('\n'));
        }
        for (title, lines) in self.details.conflicts.iter().flat_map(ContestedLines::results) {
            let _ = write!(text, "\n{title}:\n{lines}");
        }
        if let Some(lost) = &self.details.lost {
            let first = lost.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n");
            let _ = write!(text, "\nthe lines that would be lost:\n{first}");
            let left = lost.lines().count().saturating_sub(MAX_LINES);
            if left > 0 {
                let _ = write!(text, "\n({left} more lines)");
            }
        }
        if let Some(proposal) = &self.details.proposal
            && proposal.old.lines().count() + proposal.new.lines().count() <= MAX_LINES
            && let (Ok(old), Ok(new)) = (serde_json::to_string(&proposal.old), serde_json::to_string(&proposal.new))
        {
            let _ = write!(text, "\nproposal: {{\"old_string\": {old}, \"new_string\": {new}}}");
        }
        if let Some(rule) = self.details.rule {
            let _ = write!(text, "\nrule: {rule}");
        }
        text
    }
}

impl Undone {
    /// Returns the text for a model: a line for each file.
    #[must_use]
    pub fn for_model(&self) -> String {
        let would = if self.status == "dry_run" { "would be " } else { "" };
        let lines = self.files.iter().map(|file| {
            let action = file.action.as_str();
            format!("{would}{action}: `{}`", printable(&file.file_path))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl UndoneAction {
    /// Returns the word of the JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Removed => "removed",
            Self::Recreated => "recreated",
        }
    }
}

/// Returns the numbers of lines without the word.
#[must_use]
pub fn line_numbers(LineRange { first, last }: LineRange) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Adds a note to a text for a model: in parentheses, and further lines below.
pub fn add_note(text: &mut String, note: Option<&str>) {
    if let Some(note) = note {
        let (first, rest) = note.split_once('\n').unwrap_or((note, ""));
        let _ = write!(text, " ({first})");
        if !rest.is_empty() {
            let _ = write!(text, "\n{rest}");
        }
    }
}
