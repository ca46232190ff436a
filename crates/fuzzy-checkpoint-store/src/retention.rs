//! Which checkpoints are given up.

use std::collections::{HashMap, HashSet};

use crate::{Checkpoint, CheckpointId, Kind, SessionId};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Says how long checkpoints are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// How many of a session's newest turns are kept, besides the first.
    pub turns: usize,
    /// How long safety and retired checkpoints are kept, in milliseconds.
    pub safety_ms: i64,
    /// How long other checkpoints are kept, in milliseconds.
    pub other_ms: i64,
    /// How many bytes the checkpoints of a worktree may hold.
    pub max_bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { turns: 50, safety_ms: 7 * DAY, other_ms: 30 * DAY, max_bytes: 2 << 30 }
    }
}

/// Selects from `all`, which holds every checkpoint oldest first; `needed` are those that open restores need.
pub(crate) fn candidates(
    retention: &Retention,
    all: Vec<Checkpoint>,
    needed: &HashSet<CheckpointId>,
    now: i64,
) -> Vec<Checkpoint> {
    let mut turns: HashMap<SessionId, Vec<CheckpointId>> = HashMap::new();
    for row in all.iter().filter(|row| row.kind == Kind::Turn && row.retired_by.is_none()) {
        turns.entry(row.session_id.clone()).or_default().push(row.id.clone());
    }
    let kept: HashSet<CheckpointId> = turns
        .into_values()
        .flat_map(|ids| ids.iter().take(1).chain(ids.iter().rev().take(retention.turns)).cloned().collect::<Vec<_>>())
        .collect();
    let expired = |row: &Checkpoint| {
        let age = now.saturating_sub(row.created_at);
        match row.kind {
            _ if row.retired_by.is_some() => age > retention.safety_ms,
            Kind::Safety => age > retention.safety_ms,
            Kind::Turn => !kept.contains(&row.id),
            Kind::Manual => age > retention.other_ms,
        }
    };
    all.into_iter().filter(|row| !needed.contains(&row.id) && expired(row)).collect()
}
