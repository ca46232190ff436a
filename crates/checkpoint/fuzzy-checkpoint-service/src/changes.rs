//! Tells what changed: between two states, in a turn, outside any turn, by a restore.

use std::collections::HashSet;

use fuzzy_checkpoint::{CaptureOptions, Detail, Diff, DiffOptions, Locked, Oid, RepoPath};
use fuzzy_checkpoint_store::{
    Changes, Checkpoint, CheckpointId, CheckpointState, Kind, ListFilter, Message, MessageId, Restore, RestoreId,
    Session, SessionId, TurnId, TurnNote,
};
use fuzzy_report::checkpoint::TurnChanges;

use crate::checkpointer::{Checkpointer, CreateOptions};
use crate::{Error, Result};

/// One side of a comparison.
#[derive(Debug, Clone)]
pub enum Side {
    /// What was captured.
    Checkpoint(CheckpointId),
    /// What is on disk now.
    Worktree,
}

/// The two states that something compared, by what git holds of them. A state of a moment ago is pinned by nothing, and gone
/// before long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trees {
    /// What was there first.
    pub from: Oid,
    /// What came of it, or is to come.
    pub to: Oid,
}

/// Which changes of a turn are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnPart {
    /// Those from its begin to its end, or until now while it runs.
    Turn,
    /// Those that were there when it began, made outside any turn.
    Outside,
}

/// The whole of a difference, with its lines counted.
const COUNTED: DiffOptions = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };

impl Checkpointer {
    /// Compares two states of a session's worktree.
    ///
    /// # Errors
    ///
    /// Fails when a checkpoint is not the session's or is gone, and when a path names nothing in either.
    pub fn diff(&self, id: &SessionId, from: &Side, to: &Side, options: &DiffOptions) -> Result<Diff> {
        let session = self.session(id)?;
        let worktree = self.worktree(&session.worktree_id)?;
        let locked = worktree.lock()?;
        let (from, to) = (self.tree(&locked, &session, from)?, self.tree(&locked, &session, to)?);
        worktree.check_paths(&[&from, &to], &options.paths)?;
        Ok(worktree.diff(&from, &to, options)?)
    }

    fn tree(&self, locked: &Locked<'_>, session: &Session, side: &Side) -> Result<Oid> {
        match side {
            Side::Worktree => Ok(locked.capture(&CaptureOptions::to_compare())?.tree),
            Side::Checkpoint(id) => Ok(self.load(locked, &self.checkpoint(&session.id, id)?)?.tree),
        }
    }

    /// Compares two states that were compared before, in other detail: nothing is captured for it.
    ///
    /// # Errors
    ///
    /// Fails when git fails, which it does when a state is gone.
    pub fn diff_trees(&self, id: &SessionId, trees: &Trees, options: &DiffOptions) -> Result<Diff> {
        Ok(self.worktree(&self.session(id)?.worktree_id)?.diff(&trees.from, &trees.to, options)?)
    }

    /// Counts what differs between two checkpoints of one worktree.
    fn count_changes(&self, from: &Checkpoint, to: &Checkpoint) -> Result<Changes> {
        let files = if from.tree_oid == to.tree_oid {
            Vec::new()
        } else {
            self.compare_sides(&to.worktree_id, from, Some(to), &COUNTED)?.0.files
        };
        Ok(Changes {
            from: from.id.clone(),
            to: to.id.clone(),
            files: files.len() as u64,
            insertions: files.iter().filter_map(|file| file.insertions).sum(),
            deletions: files.iter().filter_map(|file| file.deletions).sum(),
        })
    }

    /// Returns the checkpoint with what was on disk when the last turn or restore of the session, or another session's
    /// turn, was over; none where a turn was never seen to end.
    pub(crate) fn known_state(&self, session: &SessionId) -> Result<Option<Checkpoint>> {
        let newest = self.store.newest(session)?;
        let last = self.store.last_done(session)?;
        // Going back to a checkpoint hides the later ones, so the newest may be the one that was gone back to.
        let last = last.filter(|row| row.options.files && row.options.paths.is_empty()).filter(|row| {
            let newest = newest.as_ref();
            newest.is_none_or(|newest| row.updated_at >= newest.created_at || newest.id == row.checkpoint_id)
        });
        match last {
            Some(row) => Ok(self.store.checkpoint(session, &row.checkpoint_id)?),
            None => Ok(newest.filter(|row| row.kind != Kind::Turn)),
        }
    }

    /// Counts what had changed when a turn began, outside any turn. What cannot be counted is left open: a turn does not
    /// fail for it.
    pub(crate) fn note_outside(
        &self,
        turn: &TurnId,
        known: Option<&Checkpoint>,
        begin: &Checkpoint,
    ) -> Option<Changes> {
        let outside = self.count_changes(known?, begin).ok()?;
        self.store.note(turn, TurnNote::Outside(&outside)).ok()?;
        Some(outside)
    }

    /// Captures what a turn leaves and counts what it changed, or notes why not: a turn ends all the same.
    pub(crate) fn note_end(&self, session: &Session, turn: &TurnId) {
        let noted = match self.changed_by(session, turn) {
            Ok(Some(changes)) => self.store.note(turn, TurnNote::Changes(&changes)),
            // Why there is no checkpoint to compare with was noted when the turn began.
            Ok(None) => Ok(()),
            Err(error) => self.store.note(turn, TurnNote::Uncompared(&error.to_string())),
        };
        // A store that fails now leaves a turn of which nothing is known; ending it will fail as well.
        drop(noted);
    }

    fn changed_by(&self, session: &Session, turn: &TurnId) -> Result<Option<Changes>> {
        let Some(prompt) = self.store.message(&session.id, &MessageId(turn.0.clone()))? else { return Ok(None) };
        let Some(begin) = self.first_of(&prompt)? else { return Ok(None) };
        let options = CreateOptions { kind: Kind::End, ..CreateOptions::default() };
        let end = self.create(&session.id, &options)?.checkpoint;
        if self.prompt(&session.id, turn)?.uncompared.is_some() {
            // It is noted that it cannot be told.
            return Ok(None);
        }
        self.count_changes(&begin, &end).map(Some)
    }

    /// Returns the checkpoint that the turn of a prompt began with.
    fn first_of(&self, prompt: &Message) -> Result<Option<Checkpoint>> {
        let rows = self.store.list(&prompt.session_id, ListFilter { retired: true })?;
        Ok(rows.into_iter().find(|row| row.kind == Kind::Turn && row.anchor_seq == prompt.seq))
    }

    /// Returns what a turn changed, file by file, and what had changed before it outside any turn.
    ///
    /// # Errors
    ///
    /// Fails when the session never had the turn, and when its checkpoints are gone.
    pub fn turn_changes(&self, id: &SessionId, turn: &TurnId) -> Result<TurnChanges> {
        Ok(self.turn_changes_between(id, turn)?.0)
    }

    /// As [`Checkpointer::turn_changes`], with the states that the turn lies between, where they are known.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::turn_changes`].
    pub fn turn_changes_between(&self, id: &SessionId, turn: &TurnId) -> Result<(TurnChanges, Option<Trees>)> {
        let (session, prompt) = (self.session(id)?, self.prompt(id, turn)?);
        let running = session.turn.as_ref() == Some(turn);
        let mut answer = TurnChanges {
            id: turn.clone(),
            running,
            from: None,
            to: None,
            files: Vec::new(),
            uncompared: prompt.uncompared.clone().or_else(|| prompt.uncheckpointed.clone()),
            outside_from: prompt.outside.as_ref().map(|outside| outside.from.clone()),
            outside: Vec::new(),
        };
        let mut trees = None;
        if let Some((from, to)) = self.sides(&session, &prompt, TurnPart::Turn)? {
            let (diff, compared) = self.compare_sides(&session.worktree_id, &from, to.as_ref(), &COUNTED)?;
            (answer.files, trees) = (diff.files, Some(compared));
            (answer.from, answer.to) = (Some(from.id), to.map(|row| row.id));
        } else if answer.uncompared.is_none() {
            answer.uncompared = Some("it was interrupted: nothing was captured when it ended".to_owned());
        }
        if let Some((from, to)) = self.sides(&session, &prompt, TurnPart::Outside)? {
            answer.outside = self.compare_sides(&session.worktree_id, &from, to.as_ref(), &COUNTED)?.0.files;
        }
        Ok((answer, trees))
    }

    /// Returns one part of what a turn changed as [`Checkpointer::diff`] does.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::turn_changes`], and where that part is not known.
    pub fn turn_diff(&self, id: &SessionId, turn: &TurnId, part: TurnPart, options: &DiffOptions) -> Result<Diff> {
        let (session, prompt) = (self.session(id)?, self.prompt(id, turn)?);
        let unknown = Error::Invalid("what the turn changed is not known");
        let (from, to) = self.sides(&session, &prompt, part)?.ok_or(unknown)?;
        Ok(self.compare_sides(&session.worktree_id, &from, to.as_ref(), options)?.0)
    }

    fn prompt(&self, id: &SessionId, turn: &TurnId) -> Result<Message> {
        let prompt = self.store.message(id, &MessageId(turn.0.clone()))?.filter(|message| message.role == "user");
        if let Some(prompt) = prompt {
            return Ok(prompt);
        }
        match self.store.trimmed_by(id, &MessageId(turn.0.clone()))? {
            Some(restore) => Err(Error::TakenBack { turn: turn.clone(), restore }),
            None => Err(Error::missing("turn", &turn.0)),
        }
    }

    /// Returns the two checkpoints that tell of a part of a turn; a turn that runs has no second one yet.
    fn sides(
        &self,
        session: &Session,
        prompt: &Message,
        part: TurnPart,
    ) -> Result<Option<(Checkpoint, Option<Checkpoint>)>> {
        let changes = match part {
            TurnPart::Turn => &prompt.changes,
            TurnPart::Outside => &prompt.outside,
        };
        if let Some(Changes { from, to, .. }) = changes {
            return Ok(Some((self.kept(session, from)?, Some(self.kept(session, to)?))));
        }
        let running = session.turn.as_ref().is_some_and(|turn| turn.as_str() == prompt.id.as_str());
        let begin = if running && part == TurnPart::Turn && prompt.uncompared.is_none() {
            self.first_of(prompt)?
        } else {
            None
        };
        Ok(begin.map(|begin| (begin, None)))
    }

    /// Returns a checkpoint that was compared before, of whatever session; retention may have given it up.
    fn kept(&self, session: &Session, id: &CheckpointId) -> Result<Checkpoint> {
        let own = self.store.checkpoint(&session.id, id)?;
        let found = match own {
            None => self.store.checkpoints_of(&session.worktree_id)?.into_iter().find(|row| row.id == *id),
            own => own,
        };
        found.ok_or_else(|| Error::Lost { checkpoint: id.clone() })
    }

    /// Compares two checkpoints without waiting for a capture or a restore, since both are pinned; or one with what is
    /// on disk now.
    fn compare_sides(
        &self,
        worktree: &str,
        from: &Checkpoint,
        to: Option<&Checkpoint>,
        options: &DiffOptions,
    ) -> Result<(Diff, Trees)> {
        if let Some(lost) = to.and_then(|to| [from, to].into_iter().find(|row| row.state == CheckpointState::Lost)) {
            return Err(Error::Lost { checkpoint: lost.id.clone() });
        }
        let worktree = self.worktree(worktree)?;
        let to = match to {
            Some(to) => to.tree_oid.clone(),
            None => worktree.lock()?.capture(&CaptureOptions::to_compare())?.tree,
        };
        let trees = Trees { from: from.tree_oid.clone(), to };
        worktree.check_paths(&[&trees.from, &trees.to], &options.paths)?;
        Ok((worktree.diff(&trees.from, &trees.to, options)?, trees))
    }

    /// Returns the restores of a session that began before `before`, or the newest, the newest first.
    ///
    /// # Errors
    ///
    /// Fails when there is no such session.
    pub fn history(&self, id: &SessionId, before: Option<&RestoreId>, most: usize) -> Result<Vec<Restore>> {
        self.session(id)?;
        Ok(self.store.restores_before(id, before, i64::try_from(most).unwrap_or(i64::MAX))?)
    }

    /// Returns what a restore did to the files: from the checkpoint taken just before it to its target. A patch is that
    /// of all paths asked for, whether or not the restore touched them.
    ///
    /// # Errors
    ///
    /// Fails when there is no such restore, when it wrote no files, and when a checkpoint of it is gone.
    pub fn restore_diff(&self, id: &RestoreId, options: &DiffOptions) -> Result<Diff> {
        let row = self.journal(id)?;
        let Some(safety) = &row.safety_id else { return Err(Error::Invalid("the restore wrote no files")) };
        let session = self.session(&row.session_id)?;
        let (from, to) = (self.kept(&session, safety)?, self.kept(&session, &row.checkpoint_id)?);
        let kept: HashSet<&RepoPath> = row.result.kept.iter().collect();
        let touched = |path: &RepoPath| row.options.covers(path) && !kept.contains(path);
        let (mut diff, _) = self.compare_sides(&row.worktree_id, &from, Some(&to), options)?;
        diff.files.retain(|file| touched(&file.path));
        for file in &mut diff.files {
            // What stayed where it was is the source of no rename.
            if file.renamed_from.as_ref().is_some_and(|path| !touched(path)) {
                (file.change, file.renamed_from) = (fuzzy_checkpoint::Kind::Added, None);
            }
        }
        Ok(diff)
    }
}
