//! `--checkpoint`: takes a checkpoint just before edits are written.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, ListReport, Operation, Report, Session};
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::Writing;
use crate::output;

/// Whether anything is written, and what is done before.
#[derive(Args)]
pub(crate) struct Carrying {
    /// Write nothing, only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Take a checkpoint of the git worktree of the files first; see `fuzzy-edit checkpoint`
    #[arg(long)]
    checkpoint: bool,
}

impl Carrying {
    /// Carries out operations, after a checkpoint if one was asked for and anything will be written.
    pub(crate) fn out(
        &self,
        editor: &Editor,
        writing: &Writing,
        session: &mut Session,
        operations: &[Operation],
    ) -> Result<(Before, Vec<Report>), Box<Failure>> {
        let before = if self.checkpoint { self.take(editor, writing, session, operations)? } else { Before::default() };
        let mut reports = if self.dry_run {
            editor.plan(session, operations).dry_run(session)
        } else {
            editor.apply(session, operations)
        };
        before.note(&mut reports);
        Ok((before, reports))
    }

    #[cfg(feature = "checkpoint")]
    #[expect(clippy::unnecessary_wraps, reason = "a build without checkpoints refuses")]
    fn take(
        &self,
        editor: &Editor,
        writing: &Writing,
        session: &Session,
        operations: &[Operation],
    ) -> Result<Before, Box<Failure>> {
        if self.dry_run {
            return Ok(Before::default());
        }
        Ok(super::checkpoint::take::before(&editor.plan(session, operations), writing.base()))
    }

    #[cfg(not(feature = "checkpoint"))]
    #[expect(clippy::unused_self, reason = "a build with checkpoints asks whether anything is written")]
    fn take(&self, _: &Editor, _: &Writing, _: &Session, _: &[Operation]) -> Result<Before, Box<Failure>> {
        Err(super::unlinked::failure("`--checkpoint`", "checkpoint").into())
    }
}

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
    fn note(&self, reports: &mut [Report]) {
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
        let text = || self.describe() + &output::describe_all(list, diff);
        let told = output::print(json, &self.with(list), text);
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
