//! The checkpoints that retention deletes.

use std::collections::{HashMap, HashSet};

use crate::{Checkpoint, CheckpointId, Kind, RestoreId, SessionId};

/// One day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The time after which a turn without an end does not count as running, in milliseconds.
pub(crate) const LONGEST_TURN_MS: i64 = 30 * DAY_MS;

/// The rules for keeping checkpoints, and the texts of turns.
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
    /// Returns whether a checkpoint of the time `taken` is deleted at `now`. `is_new_turn` is set for the first or last
    /// checkpoint of a recent turn; `hidden_at` has the end times of restores.
    fn deletes(
        &self,
        row: &Checkpoint,
        taken: i64,
        is_new_turn: bool,
        hidden_at: &HashMap<RestoreId, i64>,
        now: i64,
    ) -> bool {
        let age = now.saturating_sub(taken);
        if let Some(restore) = &row.retired_by {
            // Hidden checkpoints are kept while the restore can be undone.
            let hidden_at = hidden_at.get(restore).copied().unwrap_or(taken);
            return now.saturating_sub(hidden_at.max(taken)) > self.safety_ms;
        }
        match row.kind {
            Kind::Safety | Kind::Plan => age > self.safety_ms,
            Kind::Turn | Kind::Step | Kind::End => !is_new_turn || age > self.other_ms,
            Kind::Manual => age > self.other_ms,
        }
    }
}

/// A turn whose texts retention may delete.
pub(crate) struct TurnAge {
    pub(crate) session: SessionId,
    /// The place of its prompt in the session.
    pub(crate) seq: i64,
    pub(crate) created_at: i64,
    /// Whether it is kept at any age.
    pub(crate) kept: bool,
    pub(crate) running: bool,
    pub(crate) trimmed: bool,
}

/// Returns the ranges of messages whose texts are deleted, each as its session, its first place and the place after it.
/// `turns` are those of a worktree by their numbers.
pub(crate) fn old_texts(retention: &Retention, turns: Vec<TurnAge>, now: i64) -> Vec<(SessionId, i64, i64)> {
    let mut rank = turns.iter().filter(|turn| !turn.trimmed).count();
    let (mut newest, mut open) = (i64::MIN, HashMap::<SessionId, (i64, i64)>::new());
    let mut ranges = Vec::new();
    for turn in turns {
        if turn.created_at <= now {
            newest = newest.max(turn.created_at);
        }
        let age = now.saturating_sub(newest.max(turn.created_at));
        let is_old = age > retention.other_ms || rank > retention.turns;
        rank -= usize::from(!turn.trimmed);
        let spared = turn.kept || turn.running && age <= LONGEST_TURN_MS;
        // Neighbouring turns of a session make one range.
        if is_old && !spared {
            open.entry(turn.session).or_insert((turn.seq, i64::MAX));
        } else if let Some((from, _)) = open.remove(&turn.session) {
            ranges.push((turn.session, from, turn.seq));
        }
    }
    ranges.extend(open.into_iter().map(|(session, (from, to))| (session, from, to)));
    ranges
}

/// Returns the times of checkpoints, of which each is at least as new as those before it: the clock may have been set
/// back. `all` has the checkpoints of each worktree in order. A time after `now` counts only for its own checkpoint.
#[must_use]
pub fn times_in_order(all: &[Checkpoint], now: i64) -> Vec<i64> {
    let mut newest: HashMap<&str, i64> = HashMap::new();
    let mut times = Vec::with_capacity(all.len());
    for Checkpoint { worktree_id, created_at, .. } in all {
        let newest = newest.entry(worktree_id).or_insert(i64::MIN);
        if *created_at <= now {
            *newest = (*newest).max(*created_at);
        }
        times.push((*newest).max(*created_at));
    }
    times
}

/// Returns those of `all`, which are all checkpoints of a database, those of each worktree in order, that are deleted.
/// Those in `needed` are kept.
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
    // Steps last as long as the first checkpoint of their turn.
    let turn_of = |row: &Checkpoint| (row.session_id.clone(), row.anchor_seq);
    let begins = all.iter().filter(|row| row.kind == Kind::Turn && new.contains(&row.id));
    let begins: HashSet<(SessionId, i64)> = begins.map(turn_of).collect();
    let times = times_in_order(&all, now);
    let deleted = all.into_iter().zip(times).filter(|(row, taken)| {
        !needed.contains(&row.id) && {
            let is_new = new.contains(&row.id) || row.kind == Kind::Step && begins.contains(&turn_of(row));
            retention.deletes(row, *taken, is_new, hidden_at, now)
        }
    });
    deleted.map(|(row, _)| row).collect()
}
