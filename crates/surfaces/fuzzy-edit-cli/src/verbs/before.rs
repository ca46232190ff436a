//! Carries out operations: plans or writes them, after a checkpoint on request, and reports them.

use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, ListReport, Operation, Report, Session, Status};

use super::checkpointed::Before;
use crate::options::{Logging, Search, Writing};
use crate::output::{self, DiffForm};

/// Options for carrying out and reporting operations.
#[derive(Args)]
pub(crate) struct Execution {
    /// Write nothing; report what would be done
    #[arg(short = 'n', long, visible_alias = "check")]
    dry_run: bool,
    /// First take a checkpoint of the git worktree that contains the files; see `fuzzy-edit checkpoint`
    #[arg(long)]
    checkpoint: bool,
    /// Print the changes as a diff that `git apply` and `patch -p1` accept; trimmed removes the indentation that all its
    /// lines share
    #[arg(short, long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "whole")]
    diff: Option<DiffForm>,
    /// Print one report as JSON, with the whole diff
    #[arg(short, long)]
    pub(crate) json: bool,
    #[command(flatten)]
    logging: Logging,
    #[command(flatten, next_help_heading = "Writing files")]
    pub(crate) writing: Writing,
    #[command(flatten, next_help_heading = "Search")]
    pub(crate) search: Search,
}

impl Execution {
    /// Carries out operations, and reports them as a list or as the only one. With `--checkpoint`, first takes a
    /// checkpoint if any file will be written. `advise` fits the next step of the only failure to a person.
    pub(crate) fn run(
        &self,
        editor: &Editor,
        operations: &[Operation],
        is_list: bool,
        advise: impl Fn(&mut Failure),
    ) -> Result<ExitCode, Box<Failure>> {
        let mut session = self.logging.session()?;
        let before = if self.checkpoint { self.take(editor, &session, operations)? } else { Before::default() };
        let mut reports = editor.carry_out(&mut session, operations, self.dry_run);
        before.note(&mut reports);
        for report in &mut reports {
            if let Report::Failure(failure) = report {
                output::name_flag(failure);
            }
        }
        self.logging.complain(&mut session);
        Ok(match reports.pop_if(|_| !is_list) {
            None => {
                let list = ListReport::from(reports);
                let code = before.report(&list, self.json, self.diff);
                self.name_undo(matches!(list, ListReport::Success { status: Status::Applied, .. }));
                code
            }
            Some(Report::Failure(mut failure)) => {
                if !self.json && output::is_read_by_a_person() {
                    advise(&mut failure);
                }
                output::failure(self.json, &failure)
            }
            Some(Report::Success(success)) => {
                let is_printed = output::print(self.json, &before.with(&success), || {
                    output::unless_quiet(|| before.describe()) + &output::describe(&success, self.diff)
                });
                self.name_undo(success.status == Status::Applied);
                output::outcome(is_printed, success.status)
            }
        })
    }

    /// Names the command that takes written edits back, to a person.
    fn name_undo(&self, is_written: bool) {
        if is_written && !self.json && !output::is_quiet() && output::is_read_by_a_person() {
            output::complain("to undo this: fuzzy-edit undo");
        }
    }

    #[cfg(feature = "checkpoint")]
    #[expect(clippy::unnecessary_wraps, reason = "a build without checkpoints refuses")]
    fn take(&self, editor: &Editor, session: &Session, operations: &[Operation]) -> Result<Before, Box<Failure>> {
        if self.dry_run {
            return Ok(Before::default());
        }
        Ok(super::checkpoint::take::before(&editor.plan(session, operations), self.writing.base()))
    }

    #[cfg(not(feature = "checkpoint"))]
    #[expect(clippy::unused_self, reason = "a build with checkpoints asks whether anything is written")]
    fn take(&self, _: &Editor, _: &Session, _: &[Operation]) -> Result<Before, Box<Failure>> {
        Err(super::unlinked::failure("`--checkpoint`", "checkpoint").into())
    }
}
