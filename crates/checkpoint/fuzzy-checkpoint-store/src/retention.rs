//! The checkpoints that retention deletes.

use std::collections::{HashMap, HashSet};

use crate::{Checkpoint, CheckpointId, Kind, RestoreId};

/// One day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The rules for keeping checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// The number of a worktree's newest turns that are kept.
    pub turns: usize,
    /// The time for which safety checkpoints and hidden ones are kept, in milliseconds.
    pub safety_ms: i64,
    /// The time for which other checkpoints are kept, including those of turns, in milliseconds.
    pub other_ms: i64,
    /// The largest size of a worktree's checkpoints, in bytes.
    pub max_bytes: u64,
    /// Whether these rules also apply to repositories that no longer exist, whose checkpoints may be the only copies of
    /// their files.
    pub gone: bool,
}

impl Default for Retention {
    /// Keeps 200 turns of a worktree, a week of safety checkpoints, a month of others, and 2 GiB of a worktree.
    fn default() -> Self {
        Self { turns: 200, safety_ms: 7 * DAY_MS, other_ms: 30 * DAY_MS, max_bytes: 2 << 30, gone: false }
    }
}

impl Retention {
    /// Returns whether a checkpoint is deleted at `now`. `is_new_turn` is set for the first or last checkpoint of a
    /// recent turn; `hidden_at` has the end times of restores.
    fn deletes(&self, row: &Checkpoint, is_new_turn: bool, hidden_at: &HashMap<RestoreId, i64>, now: i64) -> bool {
        let age = now.saturating_sub(row.created_at);
        if let Some(restore) = &row.retired_by {
            // Hidden checkpoints are kept while the restore can be undone.
            let hidden_at = hidden_at.get(restore).copied().unwrap_or(row.created_at);
            return now.saturating_sub(hidden_at.max(row.created_at)) > self.safety_ms;
        }
        match row.kind {
            Kind::Safety => age > self.safety_ms,
            Kind::Turn | Kind::End => !is_new_turn || age > self.other_ms,
            Kind::Manual => age > self.other_ms,
        }
    }
}

/// Returns those of `all`, which are all checkpoints of a database, oldest first, that are deleted. Those in `needed`
/// are kept.
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
        .filter(|row| !needed.contains(&row.id) && retention.deletes(row, new.contains(&row.id), hidden_at, now))
        .collect()
}
