//! Steps of turns: captures before the commands of their shells.

use std::path::PathBuf;

use fuzzy_checkpoint::{CaptureOptions, RepoPath, Worktree};
use fuzzy_checkpoint_store::{
    Checkpoint, KeptFile, Kind, Message, MessageId, NotKept, SessionId, StepNote, TurnId, now_ms,
};
use serde::Serialize;

use crate::checkpointer::Checkpointer;
use crate::spans::Span;
use crate::{Error, Result};

/// The longest command in a record, in bytes.
const MAX_COMMAND: usize = 1000;

/// A command that is about to run.
#[derive(Debug, Clone)]
pub struct NewStep<'n> {
    /// Its text.
    pub command: &'n str,
    /// The absolute paths that its words name.
    pub paths: &'n [PathBuf],
    /// Whether it may concern every file.
    pub all: bool,
    /// The files and directories without checkpoints of which every step keeps copies.
    pub keep: &'n [String],
    /// The worktree, if it is open already: opening it runs git.
    pub worktree: Option<&'n Worktree>,
    /// The time at which the command runs in any case, in milliseconds since 1970.
    pub until: i64,
}

/// A step of a turn.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TurnStep {
    /// Its number in the turn, from 1.
    pub step: usize,
    /// The command, or its beginning; empty if the text was deleted.
    pub command: String,
    /// The time of the capture, in milliseconds since 1970.
    pub at: i64,
    /// Whether the command ran before the capture was complete, so that it may have changes of the command.
    pub late: bool,
    /// The ignored and large files of which copies were kept.
    pub kept: Vec<RepoPath>,
    /// The paths that the command named and that have no copy.
    pub not_kept: Vec<NotKept>,
}

impl TurnStep {
    /// Returns the paths that its command named and that no checkpoint has.
    pub fn named(&self) -> impl Iterator<Item = &RepoPath> {
        self.kept.iter().chain(self.not_kept.iter().map(|left| &left.path))
    }
}

impl Checkpointer {
    /// Captures the files before a command of a running turn, and keeps copies of the ignored and large files that it
    /// names. Returns `None` if nothing differs from the step before, or from the begin of the turn, and if the turn does not
    /// run any more.
    ///
    /// # Errors
    ///
    /// Fails as [`Checkpointer::create`].
    pub fn take_step(&self, id: &SessionId, turn: &TurnId, new: &NewStep<'_>) -> Result<Option<Checkpoint>> {
        let session = self.touch(id)?;
        let opened = match new.worktree.filter(|open| open.id() == session.worktree_id) {
            Some(_) => None,
            None => Some(self.worktree(&session.worktree_id)?),
        };
        let worktree = opened.as_ref().or(new.worktree).ok_or(Error::NoRecords)?;
        let locked = worktree.lock()?;
        let prompt = self.store.message(id, &MessageId(turn.0.clone()))?;
        let runs = self.session(id)?.turn.as_ref() == Some(turn);
        let Some(prompt) = prompt.filter(|_| runs) else { return Ok(None) };
        if self.store.open_restores()?.iter().any(|row| row.worktree_id == session.worktree_id) {
            return Err(Error::RestoreInProgress);
        }
        let before = self.states_of(&prompt)?;
        let snapshot = locked.capture(&CaptureOptions::default())?;
        let mut note = self.keep_copies(worktree, &snapshot, new);
        note.found = Self::look_at_kept(worktree, &before);
        let known = before.iter().flat_map(|row| &row.step).flat_map(|note| note.found.iter().chain(&note.kept));
        let known: Vec<&KeptFile> = known.collect();
        let is_new = |file: &KeptFile| known.iter().rev().find(|known| known.path == file.path) != Some(&file);
        let is_equal = before.last().is_some_and(|last| last.tree_oid == snapshot.tree);
        if is_equal && !note.kept.iter().any(is_new) && note.not_kept.is_empty() {
            return Ok(None);
        }
        let command = &new.command[..new.command.floor_char_boundary(MAX_COMMAND)];
        let row = self.keep(&locked, &session, &snapshot, Kind::Step, command, prompt.seq)?;
        note.late = now_ms() > new.until;
        self.store.note_step(&row.id, &note)?;
        Ok(Some(Checkpoint { step: Some(note), ..row }))
    }

    /// Returns the checkpoints of a turn's begin and of its steps, in order.
    fn states_of(&self, prompt: &Message) -> Result<Vec<Checkpoint>> {
        let mut rows = self.store.anchored(&prompt.session_id, prompt.seq)?;
        rows.retain(|row| matches!(row.kind, Kind::Turn | Kind::Step));
        Ok(rows)
    }

    /// Records what the end of a turn found where its steps kept copies.
    pub(crate) fn note_found(&self, prompt: &Message, end: &Checkpoint) -> Result<()> {
        let steps = self.states_of(prompt)?;
        if steps.iter().flat_map(|row| &row.step).all(|note| note.kept.is_empty()) {
            return Ok(());
        }
        let found = Self::look_at_kept(&self.worktree(&end.worktree_id)?, &steps);
        Ok(self.store.note_step(&end.id, &StepNote { found, ..StepNote::default() })?)
    }
}

/// Describes the steps of a turn.
pub(crate) fn steps_of(span: &Span) -> Vec<TurnStep> {
    let step = |(at, row): (usize, &Checkpoint)| {
        let StepNote { late, kept, not_kept, .. } = row.step.clone().unwrap_or_default();
        let kept = kept.into_iter().map(|file| file.path).collect();
        TurnStep { step: at + 1, command: row.label.clone(), at: row.created_at, late, kept, not_kept }
    };
    span.steps.iter().enumerate().map(step).collect()
}
