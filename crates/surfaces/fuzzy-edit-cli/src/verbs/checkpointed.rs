//! What is reported of a checkpoint that was taken before edits were written.

use std::collections::HashMap;
use std::process::ExitCode;

use fuzzy_edit::{ListReport, Report};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output;

/// What was done before the first write. An edit goes on without a checkpoint, but never silently.
#[derive(Default)]
pub(crate) struct Before {
    /// The checkpoint that was taken.
    pub(super) id: Option<String>,
    /// Why a file, named as the report names it, cannot be brought back.
    pub(super) missing: HashMap<String, String>,
}

/// A report together with the checkpoint that was taken first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checkpointed<T> {
    #[serde(flatten)]
    report: T,
    /// The checkpoint taken before the first write, if one was asked for and could be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
}

impl Before {
    /// Adds to the note of each edit why its file is in no checkpoint, where it is not.
    pub(super) fn note(&self, reports: &mut [Report]) {
        for report in reports {
            let Report::Success(success) = report else { continue };
            if let Some(reason) = self.missing.get(&success.file_path) {
                let note = format!("no checkpoint: {reason}");
                success.note = Some(success.note.take().map_or_else(|| note.clone(), |old| format!("{old}\n{note}")));
            }
        }
    }

    /// Prints what became of a list, and says in the exit code whether it was carried out.
    pub(crate) fn report(&self, list: &ListReport, json: bool, diff: bool) -> ExitCode {
        let told = output::print(json, &self.with(list), || self.describe() + &output::describe_all(list, diff));
        match list {
            ListReport::Success { status, .. } => output::outcome(told, *status),
            ListReport::Failure { failure, edits } => {
                output::complain_of(edits);
                ExitCode::from(failure.code.exit_code())
            }
        }
    }

    /// Puts a report together with the checkpoint.
    pub(crate) fn with<T>(&self, report: T) -> Checkpointed<T> {
        Checkpointed { report, checkpoint: self.id.clone() }
    }

    /// Says in a line which checkpoint was taken.
    pub(crate) fn describe(&self) -> String {
        self.id.as_ref().map_or_else(String::new, |id| format!("checkpoint {id}\n"))
    }
}
