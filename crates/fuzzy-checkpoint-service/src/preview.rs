//! What a restore would do, before it does anything.

use fuzzy_checkpoint::Plan;
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, ListFilter, RestoreOptions, SessionId, Trim};
use fuzzy_report::checkpoint::Preview;

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::restore::sensible;

impl Checkpointer {
    /// Returns what a restore would do.
    ///
    /// # Errors
    ///
    /// Fails where the restore would, obstructions apart: they are listed.
    pub fn preview(&self, session: &SessionId, id: &CheckpointId, options: &RestoreOptions) -> Result<Preview> {
        sensible(options)?;
        let target = self.restorable(session, id, options)?;
        let Checkpoint { anchor_seq, created_at, uncovered, head_oid, worktree_id, .. } = target;
        let files = if options.files { self.plan(session, id, options)? } else { Plan::default() };
        let spared = options.spares_transcript();
        let first = if options.trim == Trim::From { anchor_seq } else { anchor_seq.saturating_add(1) };
        let after = first.saturating_sub(1);
        let trimmed = if spared { Vec::new() } else { self.store.outline(session, after, i64::MAX)? };
        let later = |row: &Checkpoint| (row.anchor_seq, row.created_at, &row.id) > (anchor_seq, created_at, id);
        let mut hidden = self.list(session, ListFilter::default())?;
        hidden.retain(|row| !spared && later(row));
        Ok(Preview {
            dry_run: true,
            checkpoint_id: id.clone(),
            files_to_write: files.writes,
            files_to_delete: files.deletes,
            kept: files.kept,
            obstructed: files.obstructed,
            messages_to_trim: trimmed.len() as u64,
            trim_from: trimmed.first().map(|message| message.seq),
            checkpoints_to_hide: hidden.into_iter().map(|row| row.id).collect(),
            uncovered,
            head: options.head,
            commits_since: self.worktree(&worktree_id)?.commits_since(head_oid.as_ref())?,
        })
    }
}
