//! Carries out operations: plans or writes them, after a checkpoint on request, and reports them.

use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, ListReport, Operation, Report, Session};

use super::checkpointed::Before;
use crate::options::{Logging, Search, Writing};
use crate::output;

/// Options for carrying out and reporting operations.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Args)]
pub(crate) struct Execution {
    /// Write nothing; report what would be done
    #[arg(short = 'n', long, visible_alias = "check")]
    dry_run: bool,
    /// First take a checkpoint of the git worktree that contains the files; see `fuzzy-edit checkpoint`
    #[arg(long)]
    checkpoint: bool,
    /// Print the changes, without the indentation that all their lines share
    #[arg(short, long)]
    diff: bool,
    /// Print one report as JSON, with the whole diff
    #[arg(short, long)]
    pub(crate) json: bool,
    #[command(flatten)]
    logging: Logging,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) search: Search,
}

impl Execution {
    /// Carries out operations, and reports them as a list or as the only one. With `--checkpoint`, first takes a
    /// checkpoint if any file will be written.
    pub(crate) fn run(
        &self,
        editor: &Editor,
        operations: &[Operation],
        is_list: bool,
    ) -> Result<ExitCode, Box<Failure>> {
        let mut session = self.logging.session()?;
        let before = if self.checkpoint { self.take(editor, &session, operations)? } else { Before::default() };
        let mut reports = if self.dry_run {
            editor.plan(&session, operations).dry_run(&mut session)
        } else {
            editor.apply(&mut session, operations)
        };
        before.note(&mut reports);
        for report in &mut reports {
            if let Report::Failure(failure) = report {
                output::name_flag(failure);
            }
        }
        self.logging.complain(&mut session);
        Ok(match reports.pop_if(|_| !is_list) {
            None => before.report(&ListReport::from(reports), self.json, self.diff),
            Some(Report::Failure(failure)) => output::failure(self.json, &failure),
            Some(Report::Success(success)) => {
                let is_printed = output::print(self.json, &before.with(&success), || {
                    before.describe() + &output::describe(&success, self.diff)
                });
                output::outcome(is_printed, success.status)
            }
        })
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
