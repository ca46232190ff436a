//! Which checkpoints are given up.

use std::collections::{HashMap, HashSet};

use crate::{Checkpoint, CheckpointId, Kind, RestoreId};

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How long checkpoints are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// How many of a worktree's newest turns are kept.
    pub turns: usize,
    /// How long safety and retired checkpoints are kept, in milliseconds.
    pub safety_ms: i64,
    /// How long other checkpoints are kept, those of turns included, in milliseconds.
    pub other_ms: i64,
    /// How many bytes the checkpoints of a worktree may hold.
    pub max_bytes: u64,
}

impl Default for Retention {
    /// Keeps 200 turns of a worktree, a week of safety checkpoints, a month of others, and 2 GiB of a worktree.
    fn default() -> Self {
        Self { turns: 200, safety_ms: 7 * DAY_MS, other_ms: 30 * DAY_MS, max_bytes: 2 << 30 }
    }
}

impl Retention {
    /// Returns whether a checkpoint is given up at `now`; `is_new_turn` is for one that a turn began or ended with, and
    /// `hidden_at` says when restores were done.
    fn gives_up(&self, row: &Checkpoint, is_new_turn: bool, hidden_at: &HashMap<RestoreId, i64>, now: i64) -> bool {
        let age = now.saturating_sub(row.created_at);
        match row.kind {
            // As long as the restore can be undone.
            _ if let Some(restore) = &row.retired_by => {
                let hidden_at = hidden_at.get(restore).copied().unwrap_or(row.created_at);
                now.saturating_sub(hidden_at.max(row.created_at)) > self.safety_ms
            }
            Kind::Safety => age > self.safety_ms,
            Kind::Turn | Kind::End => !is_new_turn || age > self.other_ms,
            Kind::Manual => age > self.other_ms,
        }
    }
}

/// Returns the checkpoints that are given up of `all`, which holds every one of a database, oldest first. Those in
/// `needed` stay; `hidden_at` says when restores were done.
pub(crate) fn candidates(
    retention: &Retention,
    all: Vec<Checkpoint>,
    needed: &HashSet<CheckpointId>,
    hidden_at: &HashMap<RestoreId, i64>,
    now: i64,
) -> Vec<Checkpoint> {
    let mut turns: HashMap<(String, Kind), Vec<CheckpointId>> = HashMap::new();
    for row in all.iter().filter(|row| matches!(row.kind, Kind::Turn | Kind::End) && row.retired_by.is_none()) {
        turns.entry((row.worktree_id.clone(), row.kind)).or_default().push(row.id.clone());
    }
    let new: HashSet<CheckpointId> =
        turns.into_values().flat_map(|ids| ids.into_iter().rev().take(retention.turns)).collect();
    all.into_iter()
        .filter(|row| !needed.contains(&row.id) && retention.gives_up(row, new.contains(&row.id), hidden_at, now))
        .collect()
}
