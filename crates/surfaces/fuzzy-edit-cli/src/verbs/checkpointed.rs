//! Reports edits together with the checkpoint taken before them.

use std::collections::HashMap;
use std::process::ExitCode;

use fuzzy_edit::{ListReport, Report};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{self, DiffForm};

/// The checkpoint before the first write. Edits are applied even if it failed, and the report has the reason.
#[derive(Default)]
pub(crate) struct Before {
    /// The checkpoint.
    pub(super) id: Option<String>,
    /// For each file that the checkpoint lacks, by its name in the report: the reason.
    pub(super) missing: HashMap<String, String>,
}

/// A report together with the checkpoint taken before.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checkpointed<T> {
    #[serde(flatten)]
    report: T,
    /// The checkpoint taken before the first write, if one was requested and succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
}

impl Before {
    /// Adds the reason to the note of each edit whose file is in no checkpoint.
    pub(super) fn note(&self, reports: &mut [Report]) {
        for report in reports {
            let Report::Success(success) = report else { continue };
            if let Some(reason) = self.missing.get(&success.file_path) {
                let note = format!("no checkpoint: {reason}");
                success.note = Some(success.note.take().map_or_else(|| note.clone(), |old| format!("{old}\n{note}")));
            }
        }
    }

    /// Prints the report of a list, and returns its exit code.
    pub(crate) fn report(&self, list: &ListReport, json: bool, diff: Option<DiffForm>) -> ExitCode {
        let is_printed = output::print(json, &self.with(list), || {
            output::unless_quiet(|| self.describe()) + &output::describe_all(list, diff)
        });
        match list {
            ListReport::Success { status, .. } => output::outcome(is_printed, *status),
            ListReport::Failure { failure, edits } => {
                output::complain_of(edits);
                ExitCode::from(failure.code.exit_code())
            }
        }
    }

    /// Returns a report together with the checkpoint.
    pub(crate) fn with<T>(&self, report: T) -> Checkpointed<T> {
        Checkpointed { report, checkpoint: self.id.clone() }
    }

    /// Returns a line with the checkpoint's id, or an empty text.
    pub(crate) fn describe(&self) -> String {
        self.id.as_ref().map_or_else(String::new, |id| format!("checkpoint {id}\n"))
    }
}
