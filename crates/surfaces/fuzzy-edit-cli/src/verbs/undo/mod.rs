//! `undo` and `redo`: undo the newest batch of edits, take-back or restore, or another one, or list them.

mod arguments;
mod batches;
#[cfg(feature = "checkpoint")]
mod project;

#[cfg(feature = "checkpoint")]
pub(crate) use project::Listed;

use std::process::ExitCode;

pub(crate) use arguments::Arguments;
#[cfg(not(feature = "checkpoint"))]
use batches::{describe, list_of, undo_batch, whole};
#[cfg(not(feature = "checkpoint"))]
use fuzzy_edit::{Failure, Workspace};

#[cfg(not(feature = "checkpoint"))]
use crate::output;

/// Undoes an operation and reports its files, or lists the operations.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    #[cfg(feature = "checkpoint")]
    return project::undo(arguments);
    #[cfg(not(feature = "checkpoint"))]
    arguments.batches_only().unwrap_or_else(|failure| output::failure(arguments.how.json, &failure))
}

/// The verb `redo`.
#[cfg(feature = "checkpoint")]
pub(crate) mod redo {
    pub(crate) use super::arguments::Redo as Arguments;
    pub(crate) use super::project::redo as run;
}

#[cfg(not(feature = "checkpoint"))]
impl Arguments {
    /// Undoes batches in a build without records.
    fn batches_only(&self) -> Result<ExitCode, Box<Failure>> {
        let (workspace, json) = (self.how.writing.beneath_root(Workspace::default())?, self.how.json);
        if self.list {
            let batches = workspace.batches();
            return Ok(output::answer(json, &batches, || list_of(&batches)));
        }
        let all = workspace.batches().batches.into_iter().map(|past| past.batch);
        let batch = self.id.as_ref().map(|id| whole(all, id)).transpose()?;
        let undone = undo_batch(&workspace, batch.as_deref(), self.how.dry_run)?;
        Ok(output::answer(json, &undone, || output::unless_quiet(|| describe(&undone))))
    }
}
