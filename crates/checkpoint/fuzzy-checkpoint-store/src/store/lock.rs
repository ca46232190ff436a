//! What a transaction that writes locks first.

use crate::db::{Connection, values};
use crate::{CheckpointId, RestoreId, Result, SessionId, TurnId};

/// The worktree that a transaction is about, named directly or by something that belongs to it. All that such a transaction
/// reads and writes belongs to that worktree too, so two of them at once are as good as one after the other.
#[derive(Clone, Copy)]
pub(super) enum About<'a> {
    Worktree(&'a str),
    Session(&'a SessionId),
    Turn(&'a TurnId),
    Checkpoint(&'a CheckpointId),
    Restore(&'a RestoreId),
    /// All of them, always in the same order.
    Everything,
}

impl About<'_> {
    /// Locks the worktree until the transaction ends.
    pub(super) fn lock(self, c: &mut dyn Connection) -> Result<()> {
        let (table, id) = match self {
            Self::Worktree(id) => return c.lock("SELECT id FROM worktrees WHERE id = ?1", values![id]),
            Self::Everything => return c.lock("SELECT id FROM worktrees ORDER BY id", &[]),
            Self::Session(id) => ("sessions", id.as_str()),
            Self::Turn(id) => ("messages m JOIN sessions s ON s.id = m.session_id", id.as_str()),
            Self::Checkpoint(id) => ("checkpoints", id.as_str()),
            Self::Restore(id) => ("restores", id.as_str()),
        };
        let (worktree, name) = if let Self::Turn(_) = self { ("s.worktree_id", "m.id") } else { ("worktree_id", "id") };
        // To whom something belongs never changes.
        let sql = format!("SELECT id FROM worktrees WHERE id = (SELECT {worktree} FROM {table} WHERE {name} = ?1)");
        c.lock(&sql, values![id])
    }
}
