//! The turns of a worktree with the captures at their starts and ends, in the order of the worktree.

use std::collections::HashMap;

use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, CheckpointState, Kind, Order, Phase, Restore, RestoreId, Session, SessionId, TurnRow,
};

use crate::Result;
use crate::checkpointer::Checkpointer;

/// A turn of a worktree.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) row: TurnRow,
    /// The checkpoint of its start, in any state.
    pub(crate) begin: Option<Checkpoint>,
    /// The checkpoint of its end, if it can be read.
    pub(crate) end: Option<Checkpoint>,
    /// The place of its start, and of its end: the largest number while it runs. If its end was not captured, it lasts
    /// until the next turn of its session, as far as is known.
    pub(crate) from: i64,
    pub(crate) until: i64,
    pub(crate) running: bool,
}

impl Span {
    /// Returns the checkpoint of its start, if it can be restored.
    pub(crate) fn before(&self) -> Option<&Checkpoint> {
        self.begin.as_ref().filter(|row| row.state == CheckpointState::Ready)
    }

    /// Returns whether both its ends are known.
    pub(crate) fn is_bounded(&self) -> bool {
        self.before().is_some() && (self.running || self.end.is_some())
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
    order: Order,
}

impl Spans {
    /// Returns the turn with a number.
    pub(crate) fn turn(&self, number: i64) -> Option<&Span> {
        self.all.iter().find(|span| span.row.number == number)
    }

    /// Returns the place of a checkpoint.
    pub(crate) fn place(&self, id: &CheckpointId) -> Option<i64> {
        self.order.checkpoints.get(id).copied()
    }

    /// Returns the place at which a restore was done.
    pub(crate) fn done(&self, id: &RestoreId) -> i64 {
        self.order.restores.get(id).copied().unwrap_or_default()
    }

    /// Returns a checkpoint that can be read.
    pub(crate) fn ready(&self, id: &CheckpointId) -> Option<&Checkpoint> {
        self.checkpoints.iter().find(|row| row.id == *id && row.state == CheckpointState::Ready)
    }
}

impl Checkpointer {
    /// Reads the turns of a worktree.
    pub(crate) fn spans(&self, worktree: &str) -> Result<Spans> {
        let (rows, order) = (self.store.turns_of(worktree)?, self.store.order(worktree)?);
        let checkpoints = self.store.checkpoints_of(worktree)?;
        let sessions = self.store.sessions(worktree)?.into_iter();
        let sessions: HashMap<SessionId, Session> = sessions.map(|session| (session.id.clone(), session)).collect();
        let mut restores = self.store.restores_of(worktree)?;
        restores.retain(|row| row.phase == Phase::Done);
        restores.sort_by_key(|row| order.restores.get(&row.id).copied().unwrap_or_default());
        let mut next: HashMap<&SessionId, (i64, i64)> = HashMap::new();
        let mut all: Vec<Span> = Vec::new();
        for row in rows.iter().rev() {
            let (session, seq) = (&row.prompt.session_id, row.prompt.seq);
            let (next_seq, next_place) = next.insert(session, (seq, row.place)).unwrap_or((i64::MAX, i64::MAX));
            let own = || checkpoints.iter().filter(|other| other.session_id == *session);
            let begin = own().find(|other| other.kind == Kind::Turn && other.anchor_seq == seq);
            let end = own().rfind(|other| {
                other.kind == Kind::End
                    && (seq..next_seq).contains(&other.anchor_seq)
                    && other.state == CheckpointState::Ready
            });
            let running = sessions
                .get(session)
                .and_then(|session| session.turn.as_ref())
                .is_some_and(|id| id.0 == row.prompt.id.0);
            let place = |row: &Checkpoint| order.checkpoints.get(&row.id).copied();
            let end = end.filter(|_| !running);
            let until = if running { i64::MAX } else { end.and_then(place).unwrap_or(next_place) };
            all.push(Span {
                row: row.clone(),
                begin: begin.cloned(),
                end: end.cloned(),
                from: begin.and_then(place).unwrap_or(row.place),
                until,
                running,
            });
        }
        all.reverse();
        Ok(Spans { all, checkpoints, restores, sessions, order })
    }
}
