//! Compares states: of two checkpoints, of a turn's start and end, between turns, before and after a restore.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use crate::answers::TurnChanges;
use fuzzy_checkpoint::{CaptureOptions, Detail, Diff, DiffOptions, Differing, Locked, Oid, RepoPath};
use fuzzy_checkpoint_store::{
    Changes, Checkpoint, CheckpointId, Kind, Message, MessageId, Restore, RestoreId, Session, SessionId, TurnId,
    TurnNote,
};

use crate::checkpointer::{Checkpointer, CreateOptions, lost};
use crate::timeline::{Share, Timeline};
use crate::{Error, Result};

/// One side of a comparison.
#[derive(Debug, Clone)]
pub enum Side {
    /// A captured state.
    Checkpoint(CheckpointId),
    /// The current state on disk.
    Worktree,
}

/// The tree objects of two compared states. A state on disk is not pinned for long, so git may soon delete its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trees {
    /// The earlier state.
    pub from: Oid,
    /// The later state, or the planned one.
    pub to: Oid,
}

/// A part of the changes that belong to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnPart {
    /// Changes from its start to its end, or until now while it runs.
    Turn,
    /// Changes made before it began, outside any turn.
    Outside,
}

/// The longest time that the end of a turn waits for a restore, and the pause between two attempts.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// Options for all files, with renames and line counts.
const COUNTED: DiffOptions = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };

/// Returns all old and new paths of files.
pub(crate) fn paths(files: &[Differing]) -> Vec<RepoPath> {
    files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten().cloned().collect()
}

/// Counts files that differ between two checkpoints.
fn changes(from: &Checkpoint, to: &Checkpoint, files: &[Differing]) -> Changes {
    Changes {
        from: from.id.clone(),
        to: to.id.clone(),
        files: files.len() as u64,
        insertions: files.iter().filter_map(|file| file.insertions).sum(),
        deletions: files.iter().filter_map(|file| file.deletions).sum(),
    }
}

impl Checkpointer {
    /// Compares two states of a session's worktree.
    ///
    /// # Errors
    ///
    /// Fails if a checkpoint belongs to another session or is gone, and if a path exists in neither state.
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

    /// Compares two states again with other options, without a new capture.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because a state is gone.
    pub fn diff_trees(&self, id: &SessionId, trees: &Trees, options: &DiffOptions) -> Result<Diff> {
        Ok(self.worktree(&self.session(id)?.worktree_id)?.diff(&trees.from, &trees.to, options)?)
    }

    /// Returns the differences between two checkpoints of one worktree.
    fn changed_files(&self, from: &Checkpoint, to: &Checkpoint) -> Result<Vec<Differing>> {
        if from.tree_oid == to.tree_oid {
            return Ok(Vec::new());
        }
        Ok(self.compare_sides(&to.worktree_id, from, Some(to), &COUNTED)?.0.files)
    }

    /// Returns the checkpoint with the state on disk after the last turn or restore of the session, or after another
    /// session's turn; `None` if the end of a turn was never recorded.
    pub(crate) fn known_state(&self, session: &SessionId) -> Result<Option<Checkpoint>> {
        let newest = self.store.newest(session)?;
        let last = self.store.last_done(session)?;
        // A restore hides the later checkpoints, so the newest visible one may be the restore's target.
        let is_newer = |row: &Restore| {
            newest.as_ref().is_none_or(|newest| newest.id == row.checkpoint_id || newest.place < row.place)
        };
        let last = last.filter(|row| row.options.files && row.options.paths.is_empty() && is_newer(row));
        match last {
            Some(row) => Ok(self.store.checkpoint(session, &row.checkpoint_id)?),
            None => Ok(newest.filter(|row| row.kind != Kind::Turn)),
        }
    }

    /// Counts the changes made before a turn, outside any turn. Failures are ignored: a turn does not fail because of a
    /// count.
    pub(crate) fn note_outside(
        &self,
        turn: &TurnId,
        known: Option<&Checkpoint>,
        begin: &Checkpoint,
    ) -> Option<Changes> {
        let known = known?;
        let outside = changes(known, begin, &self.changed_files(known, begin).ok()?);
        self.store.note(turn, TurnNote::Outside(&outside)).ok()?;
        Some(outside)
    }

    /// Captures the state at the end of a turn, after a restore that is under way.
    pub(crate) fn capture_end(&self, session: &Session) -> Result<Checkpoint> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let options = CreateOptions { kind: Kind::End, ends: session.turn.clone(), ..CreateOptions::default() };
            match self.create(&session.id, &options) {
                Err(Error::RestoreInProgress) if Instant::now() < deadline => thread::sleep(PAUSE),
                created => return Ok(created?.checkpoint),
            }
        }
    }

    /// Counts the changes of a turn up to the checkpoint of its end, which `end` takes. If that fails it notes the reason,
    /// and the turn ends anyway. Returns false if another process ended it meanwhile, and counted its changes.
    pub(crate) fn note_end(
        &self,
        session: &Session,
        turn: &TurnId,
        end: impl FnOnce(&Session) -> Result<Checkpoint>,
    ) -> bool {
        match self.count_turn(session, turn, end) {
            Err(Error::TurnOver { .. }) => return false,
            // If the store fails here, the turn's changes remain unknown; ending the turn will fail as well.
            Err(error) => drop(self.store.note(turn, TurnNote::Uncompared(&error.to_string()))),
            Ok(()) => {}
        }
        true
    }

    fn count_turn(
        &self,
        session: &Session,
        turn: &TurnId,
        end: impl FnOnce(&Session) -> Result<Checkpoint>,
    ) -> Result<()> {
        // The reason for a missing checkpoint was noted when the turn began.
        let Some(prompt) = self.store.message(&session.id, &MessageId(turn.0.clone()))? else { return Ok(()) };
        let Some(begin) = self.first_of(&prompt)? else { return Ok(()) };
        let end = end(session)?;
        // Without this record, what the turn left is not replaced.
        let _ = self.note_found(&prompt, &end);
        let mut files = self.changed_files(&begin, &end)?;
        if let Some(share) = self.share_beside_restores(&prompt, &begin, Some(&end))? {
            files.retain(|file| share.has(file));
            self.store.note(turn, TurnNote::WroteAfter(share.wrote_after.unwrap_or(0)))?;
        }
        self.store.note(turn, TurnNote::Changes(&changes(&begin, &end, &files)))?;
        Ok(self.store.note(turn, TurnNote::Files(&paths(&files)))?)
    }

    /// Returns the changes of a turn that are its own, if restores changed files while it ran.
    fn share_beside_restores(
        &self,
        prompt: &Message,
        begin: &Checkpoint,
        end: Option<&Checkpoint>,
    ) -> Result<Option<Share>> {
        let Some(number) = prompt.number else { return Ok(None) };
        let is_beside =
            |row: &Restore| row.options.files && row.place > begin.place && end.is_none_or(|end| row.place < end.place);
        if !self.restores_done(&begin.worktree_id)?.iter().any(is_beside) {
            return Ok(None);
        }
        let worktree = self.worktree(&begin.worktree_id)?;
        let locked = worktree.lock()?;
        let now = match end {
            Some(end) => self.load(&locked, end)?,
            None => locked.capture(&CaptureOptions::to_compare())?,
        };
        let spans = self.spans(&begin.worktree_id)?;
        Timeline::new(&locked, &spans, &now)?.share_at_end(number, &locked).map(Some)
    }

    /// Returns the checkpoint taken at the start of a prompt's turn.
    fn first_of(&self, prompt: &Message) -> Result<Option<Checkpoint>> {
        let rows = self.store.anchored(&prompt.session_id, prompt.seq)?;
        Ok(rows.into_iter().find(|row| row.kind == Kind::Turn))
    }

    /// Returns the changed files of a turn, and the files changed before it outside any turn.
    ///
    /// # Errors
    ///
    /// Fails if the session has no such turn, and if its checkpoints are gone.
    pub fn turn_changes(&self, id: &SessionId, turn: &TurnId) -> Result<TurnChanges> {
        Ok(self.turn_changes_between(id, turn)?.0)
    }

    /// Does the same as [`Checkpointer::turn_changes`] and also returns the turn's first and last state, if they are
    /// known.
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
            gone: Vec::new(),
            uncompared: prompt.uncompared.clone().or_else(|| prompt.uncheckpointed.clone()),
            outside_from: prompt.outside.as_ref().map(|outside| outside.from.clone()),
            outside: Vec::new(),
        };
        let mut trees = None;
        if let Some((from, to)) = self.sides(&session, &prompt, TurnPart::Turn)? {
            let (diff, compared, later) = self.compare_sides(&session.worktree_id, &from, to.as_ref(), &COUNTED)?;
            let gone = self.worktree(&session.worktree_id)?.reader().gone(&from.commit_oid, &later);
            answer.gone = gone.map_err(|error| lost(error, &from.id))?;
            (answer.files, trees) = (diff.files, Some(compared));
            if let Some(share) = self.share_beside_restores(&prompt, &from, to.as_ref())? {
                answer.files.retain(|file| share.has(file));
            }
            (answer.from, answer.to) = (Some(from.id), to.map(|row| row.id));
        } else if answer.uncompared.is_none() {
            answer.uncompared = Some("it was interrupted: its end was not captured".to_owned());
        }
        if let Some((from, to)) = self.sides(&session, &prompt, TurnPart::Outside)? {
            answer.outside = self.compare_sides(&session.worktree_id, &from, to.as_ref(), &COUNTED)?.0.files;
        }
        Ok((answer, trees))
    }

    /// Compares the two states of one part of a turn, as [`Checkpointer::diff`] does.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::turn_changes`]; also fails if the changes of that part are unknown.
    pub fn turn_diff(&self, id: &SessionId, turn: &TurnId, part: TurnPart, options: &DiffOptions) -> Result<Diff> {
        let (session, prompt) = (self.session(id)?, self.prompt(id, turn)?);
        let unknown = Error::Invalid("the changes of the turn are unknown");
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

    /// Returns the two checkpoints of one part of a turn; a running turn has no second one yet.
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

    /// Returns a checkpoint that was compared earlier, of any session of the worktree. Retention may have deleted it.
    fn kept(&self, session: &Session, id: &CheckpointId) -> Result<Checkpoint> {
        let own = self.store.checkpoint(&session.id, id)?;
        let found = match own {
            None => self.store.checkpoints_of(&session.worktree_id)?.into_iter().find(|row| row.id == *id),
            own => own,
        };
        found.ok_or_else(|| Error::Lost { checkpoint: id.clone() })
    }

    /// Compares two checkpoints, or a checkpoint with the current state on disk, and returns the commit of the later state,
    /// too. Two checkpoints are pinned, so their comparison does not wait for a capture or a restore.
    fn compare_sides(
        &self,
        worktree: &str,
        from: &Checkpoint,
        to: Option<&Checkpoint>,
        options: &DiffOptions,
    ) -> Result<(Diff, Trees, Oid)> {
        let worktree = self.worktree(worktree)?;
        let compared: Vec<&Checkpoint> = [Some(from), to].into_iter().flatten().collect();
        let (to, later) = if let Some(to) = to {
            (to.tree_oid.clone(), to.commit_oid.clone())
        } else {
            let now = worktree.lock()?.capture(&CaptureOptions::to_compare())?;
            (now.tree, now.commit)
        };
        let trees = Trees { from: from.tree_oid.clone(), to };
        let diff = worktree
            .check_paths(&[&trees.from, &trees.to], &options.paths)
            .and_then(|()| worktree.diff(&trees.from, &trees.to, options));
        match diff {
            Ok(diff) => Ok((diff, trees, later)),
            // Git's message does not name the checkpoint.
            Err(error @ (fuzzy_checkpoint::Error::Git { .. } | fuzzy_checkpoint::Error::Lost { .. })) => {
                let reader = worktree.reader();
                for row in compared {
                    reader.tree_of(&row.commit_oid).map_err(|error| lost(error, &row.id))?;
                }
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns at most `most` restores of a session, the newest first, that began before the restore `before`, or the
    /// newest ones.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn history(&self, id: &SessionId, before: Option<&RestoreId>, most: usize) -> Result<Vec<Restore>> {
        self.session(id)?;
        Ok(self.store.restores_before(id, before, i64::try_from(most).unwrap_or(i64::MAX))?)
    }

    /// Returns the changes that a restore made to the files: from the checkpoint taken just before it to its target. A
    /// patch covers all requested paths, including those that the restore left alone.
    ///
    /// # Errors
    ///
    /// Fails if there is no such restore, if it wrote no files, and if one of its checkpoints is gone.
    pub fn restore_diff(&self, id: &RestoreId, options: &DiffOptions) -> Result<Diff> {
        let row = self.journal(id)?;
        let Some(safety) = &row.safety_id else { return Err(Error::Invalid("the restore wrote no files")) };
        let session = self.session(&row.session_id)?;
        let (from, to) = (self.kept(&session, safety)?, self.kept(&session, &row.checkpoint_id)?);
        let kept: HashSet<&RepoPath> = row.result.kept.iter().collect();
        let touched = |path: &RepoPath| row.options.covers(path) && !kept.contains(path);
        let (mut diff, ..) = self.compare_sides(&row.worktree_id, &from, Some(&to), options)?;
        diff.files.retain(|file| touched(&file.path));
        for file in &mut diff.files {
            // A file that remains at its path is not the source of a rename.
            if file.renamed_from.as_ref().is_some_and(|path| !touched(path)) {
                (file.change, file.renamed_from) = (fuzzy_checkpoint::Change::Added, None);
            }
        }
        Ok(diff)
    }
}
