//! The turns of a worktree with the captures at their starts and ends, in the order of the worktree.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, Kind, Phase, Restore, RestoreId, Session, SessionId, TurnRow};

use crate::Result;
use crate::checkpointer::Checkpointer;

/// A turn of a worktree.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) row: TurnRow,
    /// The checkpoint of its start.
    pub(crate) begin: Option<Checkpoint>,
    /// The checkpoint of its end.
    pub(crate) end: Option<Checkpoint>,
    /// The checkpoints before its commands.
    pub(crate) steps: Vec<Checkpoint>,
    /// The place of its start, and of its end: the largest number while it runs. Without the checkpoint of its
    /// end it lasts until it was recorded as ended, or until the next turn of its session.
    pub(crate) from: i64,
    pub(crate) until: i64,
    pub(crate) running: bool,
}

impl Span {
    /// Returns whether its checkpoints were deleted.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.begin.is_none() && self.end.is_none() && !self.running && self.row.prompt.uncheckpointed.is_none()
    }

    /// Returns whether both its ends are known.
    pub(crate) fn is_bounded(&self) -> bool {
        self.begin.is_some() && (self.running || self.end.is_some())
    }
}

/// The records of a worktree's turns.
pub(crate) struct Spans {
    /// All turns by their numbers, including trimmed ones.
    pub(crate) all: Vec<Span>,
    /// All checkpoints.
    pub(crate) checkpoints: Vec<Checkpoint>,
    /// The restores that are done, in order.
    pub(crate) restores: Vec<Restore>,
    pub(crate) sessions: HashMap<SessionId, Session>,
    /// The places in the list of the checkpoints.
    by_id: HashMap<CheckpointId, usize>,
}

impl Spans {
    /// Returns the turn with a number.
    pub(crate) fn turn(&self, number: i64) -> Option<&Span> {
        let place = self.all.binary_search_by_key(&number, |span| span.row.number).ok()?;
        self.all.get(place)
    }

    /// Returns the states before and after a restore, unless one was deleted.
    pub(crate) fn sides(&self, restore: &Restore) -> Option<(&Checkpoint, &Checkpoint)> {
        Some((self.checkpoint(restore.safety_id.as_ref()?)?, self.checkpoint(&restore.checkpoint_id)?))
    }

    /// Returns a checkpoint that was not deleted.
    pub(crate) fn checkpoint(&self, id: &CheckpointId) -> Option<&Checkpoint> {
        self.by_id.get(id).and_then(|place| self.checkpoints.get(*place))
    }
}

impl Checkpointer {
    /// Reads the turns of a worktree.
    pub(crate) fn spans(&self, worktree: &str) -> Result<Spans> {
        self.spans_of(worktree, self.store.turns_of(worktree)?)
    }

    /// Reads the records of turns of a worktree. The end of one is known only beside the next one of its session.
    pub(crate) fn spans_of(&self, worktree: &str, rows: Vec<TurnRow>) -> Result<Spans> {
        let checkpoints = self.store.checkpoints_of(worktree)?;
        let sessions = self.store.sessions(worktree)?.into_iter();
        let sessions: HashMap<SessionId, Session> = sessions.map(|session| (session.id.clone(), session)).collect();
        let restores = self.restores_done(worktree)?;
        let mut anchored: HashMap<(&SessionId, Kind), BTreeMap<i64, Vec<usize>>> = HashMap::new();
        for (at, row) in checkpoints.iter().enumerate() {
            anchored.entry((&row.session_id, row.kind)).or_default().entry(row.anchor_seq).or_default().push(at);
        }
        let mut next: HashMap<SessionId, (i64, i64)> = HashMap::new();
        let mut all: Vec<Span> = Vec::new();
        for row in rows.into_iter().rev() {
            let (session, seq) = (&row.prompt.session_id, row.prompt.seq);
            let later = if row.is_deleted() { None } else { next.insert(session.clone(), (seq, row.place)) };
            let (next_seq, next_place) = later.unwrap_or((i64::MAX, i64::MAX));
            let own = |kind, range: Range<i64>| {
                anchored
                    .get(&(session, kind))
                    .into_iter()
                    .flat_map(move |rows| rows.range(range.clone()).flat_map(|(_, at)| at))
            };
            let begin = own(Kind::Turn, seq..seq + 1).min().map(|at| &checkpoints[*at]);
            let end = own(Kind::End, seq..next_seq.max(seq)).max().map(|at| &checkpoints[*at]);
            let running = sessions
                .get(session)
                .and_then(|session| session.turn.as_ref())
                .is_some_and(|id| id.0 == row.prompt.id.0);
            let end = end.filter(|_| !running);
            let ended = || row.ended.unwrap_or(next_place).min(next_place);
            let until = if running { i64::MAX } else { end.map_or_else(ended, |end| end.place) };
            let steps = own(Kind::Step, seq..seq + 1).map(|at| checkpoints[*at].clone()).collect();
            let from = begin.map_or(row.place, |begin| begin.place);
            all.push(Span { begin: begin.cloned(), end: end.cloned(), steps, from, until, running, row });
        }
        all.reverse();
        let by_id = checkpoints.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        Ok(Spans { all, checkpoints, restores, sessions, by_id })
    }

    /// Returns the restores of a worktree that are done, in order.
    pub(crate) fn restores_done(&self, worktree: &str) -> Result<Vec<Restore>> {
        let mut restores = self.store.restores_of(worktree)?;
        restores.retain(|row| row.phase == Phase::Done);
        Ok(restores)
    }
}

/// Returns the restores that are undone, each with the one that did it; `restores` are those that are done, in order. An
/// undo that is undone itself undoes nothing.
pub(crate) fn undone(restores: &[Restore]) -> HashMap<&RestoreId, &RestoreId> {
    let mut undone = HashMap::new();
    for row in restores.iter().rev() {
        if let Some(id) = row.options.undo_of.as_ref().filter(|_| !undone.contains_key(&row.id)) {
            undone.insert(id, &row.id);
        }
    }
    undone
}

/// Returns the newest wanted restore that is no undo and is not undone.
pub(crate) fn newest(restores: &[Restore], is_wanted: impl Fn(&Restore) -> bool) -> Option<&Restore> {
    let undone = undone(restores);
    let is_live = |row: &&Restore| row.options.undo_of.is_none() && !undone.contains_key(&row.id);
    restores.iter().rev().filter(is_live).find(|row| is_wanted(row))
}
