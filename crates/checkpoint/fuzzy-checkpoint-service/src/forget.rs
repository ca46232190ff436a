//! Forgets turns: deletes their texts and the contents of their checkpoints at once.

use std::collections::BTreeSet;
use std::ops::Range;

use fuzzy_checkpoint::{Oid, RepoPath, Worktree};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, ulid};
use serde::Serialize;

use crate::checkpointer::Checkpointer;
use crate::restore::Lease;
use crate::spans::{Span, Spans};
use crate::{Error, Result};

/// The result of forgetting turns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Forgotten {
    /// The numbers of the turns.
    pub turns: Vec<i64>,
    /// The deleted checkpoints.
    pub pruned: Vec<CheckpointId>,
    /// The number of freed bytes.
    pub freed_bytes: u64,
    /// Files that the turns changed and of which other checkpoints still have a content.
    pub still_held: Vec<RepoPath>,
    /// The times of the turns, each from its prompt to its end, in milliseconds since 1970.
    #[serde(skip)]
    pub times: Vec<(i64, i64)>,
}

/// A turn, and the next one of its session.
struct Wanted<'s>(&'s Span, Option<&'s Span>);

impl Wanted<'_> {
    /// Returns the places of its messages in its session.
    fn places(&self) -> Range<i64> {
        self.0.row.prompt.seq..self.1.map_or(i64::MAX, |next| next.row.prompt.seq)
    }

    /// Returns the time of its prompt, and of its end or of the next prompt.
    fn times(&self) -> (i64, i64) {
        let until = self.0.end.as_ref().map(|end| end.created_at).or(self.1.map(|next| next.row.prompt.created_at));
        (self.0.row.prompt.created_at, until.unwrap_or(i64::MAX))
    }

    /// Returns whether a checkpoint belongs to it.
    fn has(&self, row: &Checkpoint) -> bool {
        row.session_id == self.0.row.prompt.session_id && self.places().contains(&row.anchor_seq)
    }
}

impl Checkpointer {
    /// Deletes the texts of turns, their checkpoints, and the objects that no other checkpoint holds; without numbers,
    /// those of all turns of a worktree, the texts of all its sessions, and all its checkpoints. Numbers, times and names
    /// of files remain. The next capture reads every file. Can be repeated if it fails.
    ///
    /// # Errors
    ///
    /// Refuses a running turn, and any turn while a restore of the worktree is unfinished; nothing is deleted then. Fails
    /// if there is no such turn, and if git or the store does: with `busy` if another program reads the database, so that
    /// its file still has the texts.
    pub fn forget(&self, worktree: &str, turns: Option<&BTreeSet<i64>>) -> Result<Forgotten> {
        let owner = ulid();
        let take = |lease: Lease| Ok(self.store.take_lease(worktree, &owner, lease.now, lease.until)?);
        if !self.after_pruning(worktree, take)? {
            return Err(Error::RestoreInProgress);
        }
        let done = self.forget_leased(worktree, turns);
        self.store.release_lease(worktree, &owner)?;
        done
    }

    fn forget_leased(&self, id: &str, turns: Option<&BTreeSet<i64>>) -> Result<Forgotten> {
        if self.store.open_restores()?.iter().any(|row| row.worktree_id == id) {
            return Err(Error::RestoreInProgress);
        }
        let worktree = self.worktree(id)?;
        let locked = worktree.lock()?;
        let spans = self.spans(id)?;
        let wanted = wanted(&spans, turns)?;
        let changed = if turns.is_some() { changes(&worktree, &wanted) } else { Vec::new() };
        match turns {
            Some(_) => wanted.iter().try_for_each(|turn| {
                let places = turn.places();
                self.store.clear_texts(&turn.0.row.prompt.session_id, places.start, places.end).map(drop)
            })?,
            None => spans.sessions.keys().try_for_each(|id| self.store.clear_texts(id, 0, i64::MAX).map(drop))?,
        }
        let is_given_up = |row: &&Checkpoint| turns.is_none() || wanted.iter().any(|turn| turn.has(row));
        let pruned: Vec<CheckpointId> =
            spans.checkpoints.iter().filter(is_given_up).map(|row| row.id.clone()).collect();
        let names: Vec<String> = match turns {
            Some(_) => pruned.iter().map(|id| id.0.clone()).collect(),
            // Refs without records have contents, too.
            None => worktree.pins()?.into_iter().map(|(name, _)| name).collect(),
        };
        worktree.unpin(&names)?;
        self.store.delete_checkpoints(id, &pruned)?;
        self.drop_copies(id, true)?;
        locked.drop_capture()?;
        drop(locked);
        let freed_bytes = worktree.collect_all()?;
        let stored = worktree.stored(&changed.iter().map(|(_, oid)| oid.clone()).collect::<Vec<_>>())?;
        let held = changed.into_iter().filter(|(_, oid)| stored.contains(oid)).map(|(path, _)| path);
        let still_held = held.collect::<BTreeSet<_>>().into_iter().collect();
        self.store.purge()?;
        let turns = wanted.iter().map(|turn| turn.0.row.number).collect();
        Ok(Forgotten { turns, pruned, freed_bytes, still_held, times: wanted.iter().map(Wanted::times).collect() })
    }
}

/// Returns the turns with these numbers, or all turns.
fn wanted<'s>(spans: &'s Spans, turns: Option<&BTreeSet<i64>>) -> Result<Vec<Wanted<'s>>> {
    if let Some(number) = turns.into_iter().flatten().find(|number| spans.turn(**number).is_none()) {
        return Err(Error::NoTurn { number: *number });
    }
    let is_wanted = |span: &&Span| turns.is_none_or(|turns| turns.contains(&span.row.number));
    if let Some(running) = spans.all.iter().filter(is_wanted).find(|span| span.running) {
        return Err(Error::TurnRunning { number: running.row.number });
    }
    let after = |span: &Span| {
        let is_later = |other: &&Span| other.row.number > span.row.number;
        let is_own = |other: &&Span| other.row.prompt.session_id == span.row.prompt.session_id;
        spans.all.iter().filter(is_own).find(is_later)
    };
    Ok(spans.all.iter().filter(is_wanted).map(|span| Wanted(span, after(span))).collect())
}

/// Returns the files that turns changed, with their old and new contents, as far as these can be read.
fn changes(worktree: &Worktree, turns: &[Wanted<'_>]) -> Vec<(RepoPath, Oid)> {
    let reader = worktree.reader();
    let mut found = Vec::new();
    for (begin, end) in turns.iter().filter_map(|turn| turn.0.begin.as_ref().zip(turn.0.end.as_ref())) {
        for change in reader.differences(&begin.tree_oid, &end.tree_oid).unwrap_or_default() {
            found.extend([change.old, change.new].into_iter().flatten().map(|(_, oid)| (change.path.clone(), oid)));
        }
    }
    found
}
