//! `--checkpoint`: takes a checkpoint just before edits are written.

use clap::Args;
use fuzzy_edit::{Editor, Failure, Operation, Report, Session};

use super::checkpointed::Before;
use crate::options::Writing;
use crate::output;

/// Whether anything is written, and what is done before.
#[derive(Args)]
pub(crate) struct Carrying {
    /// Write nothing, only say what would be done
    #[arg(short = 'n', long, visible_alias = "check")]
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
        for report in &mut reports {
            if let Report::Failure(failure) = report {
                output::name_flag(failure);
            }
        }
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
