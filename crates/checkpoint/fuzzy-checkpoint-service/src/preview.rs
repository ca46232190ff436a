//! Previews of restores.

use std::collections::HashSet;

use crate::answers::Preview;
use fuzzy_checkpoint::{
    Change, Detail, DiffOptions, Differing, IndexKept, IndexLeft, Locked, Plan, RepoPath, Snapshot,
};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, Kind, ListFilter, RestoreOptions, Session, SessionId, SessionState, Trim,
};

use crate::Result;
use crate::changes::Trees;
use crate::checkpointer::Checkpointer;
use crate::losses::others;
use crate::restore::check_options;

impl Checkpointer {
    /// Returns the changes that a restore would make.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as the restore, except for obstructions: the preview lists them.
    pub fn preview(&self, session: &SessionId, id: &CheckpointId, options: &RestoreOptions) -> Result<Preview> {
        Ok(self.preview_between(session, id, options)?.0)
    }

    /// Does the same as [`Checkpointer::preview`] and also returns the current and the planned tree; `None` if no files
    /// are requested.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::preview`].
    pub fn preview_between(
        &self,
        session: &SessionId,
        id: &CheckpointId,
        options: &RestoreOptions,
    ) -> Result<(Preview, Option<Trees>)> {
        check_options(options)?;
        let target = self.restorable(session, id, options)?;
        let Checkpoint { anchor_seq, uncovered, head_oid, head_ref, worktree_id, .. } = target;
        let kept = Some(IndexKept::NotRequested);
        let nothing = Planned { plan: Plan::default(), files: Vec::new(), kept, left: None, trees: None };
        let Planned { plan, files, kept, left, trees } =
            if options.files { self.planned(session, id, options, with_lines)? } else { nothing };
        let index_kept = if options.paths.is_empty() { kept } else { Some(IndexKept::NotRequested) };
        let spared = options.spares_transcript();
        let first = if options.trim == Trim::From { anchor_seq } else { anchor_seq.saturating_add(1) };
        let after = first.saturating_sub(1);
        let trimmed = if spared { Vec::new() } else { self.store.outline(session, after, i64::MAX)? };
        // They are listed in order.
        let all = self.list(session, ListFilter { retired: true })?.into_iter();
        let mut hidden: Vec<Checkpoint> = all.skip_while(|row| row.id != *id).skip(1).collect();
        hidden.retain(|row| !spared && row.kind != Kind::Manual && row.retired_by.is_none());
        let running = |session: &Session| session.state == SessionState::Running;
        let agents_running = self.store.sessions(&worktree_id)?.into_iter().filter(running).map(|session| session.id);
        let preview = Preview {
            dry_run: true,
            tree: trees.as_ref().map(|trees| trees.from.clone()),
            agents_running: agents_running.collect(),
            checkpoint_id: id.clone(),
            files_to_write: plan.writes,
            files_to_delete: plan.deletes,
            files,
            kept: plan.kept,
            obstructed: plan.obstructed,
            bits_dropped: plan.bits_dropped,
            messages_to_trim: trimmed.len() as u64,
            trim_from: trimmed.first().map(|message| message.seq),
            checkpoints_to_hide: hidden.into_iter().map(|row| row.id).collect(),
            uncovered: others(&uncovered, &plan.gone),
            gone: plan.gone,
            index_kept,
            index_left: left.filter(|_| index_kept != Some(IndexKept::NotRequested)),
            head: options.head,
            commits_since: self.worktree(&worktree_id)?.commits_since(head_oid.as_ref())?,
            of_branch: self.worktree(&worktree_id)?.unless_on(head_ref.as_deref())?.filter(|_| options.files),
        };
        Ok((preview, trees))
    }
}

/// The planned changes of files and index.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) files: Vec<Differing>,
    kept: Option<IndexKept>,
    left: Option<IndexLeft>,
    trees: Option<Trees>,
}

/// Finds renames among the planned files, and counts lines.
pub(crate) fn with_lines(locked: &Locked<'_>, from: &Snapshot, to: &Snapshot, plan: Plan) -> Result<Planned> {
    let kept = locked.index_kept(from, to)?;
    let left = match kept {
        Some(IndexKept::NotCaptured) => to.index_left,
        Some(IndexKept::NotSaved) => from.index_left,
        _ => None,
    };
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };
    let mut files = locked.worktree().diff(&from.tree, &to.tree, &options)?.files;
    let planned: HashSet<&RepoPath> = plan.writes.iter().chain(&plan.deletes).collect();
    files.retain(|file| planned.contains(&file.path));
    for file in &mut files {
        // A file that remains at its path is not the source of a rename.
        if file.renamed_from.as_ref().is_some_and(|path| !planned.contains(path)) {
            (file.change, file.renamed_from) = (Change::Added, None);
        }
    }
    // If a rename's new path is not planned, its source is simply deleted.
    let named: HashSet<RepoPath> =
        files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten().cloned().collect();
    let deleted = plan.deletes.iter().filter(|path| !named.contains(path));
    files.extend(deleted.map(|path| Differing {
        path: path.clone(),
        change: Change::Deleted,
        renamed_from: None,
        insertions: None,
        deletions: None,
    }));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let trees = Some(Trees { from: from.tree.clone(), to: to.tree.clone() });
    Ok(Planned { plan, files, kept, left, trees })
}
