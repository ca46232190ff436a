//! Returns a long list of turns in parts, without reading all of it.

use std::collections::HashMap;

use fuzzy_checkpoint::{Detail, Diff, Oid, RepoPath};
use fuzzy_checkpoint_store::{Changes, Checkpoint, Restore, Session, SessionId, TurnFilter, TurnRow};

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::spans::newest;
use crate::submodules::moved_between;
use crate::turn_list::{ListedTurn, Parts, entry, parts, taken_back};

/// The most changed lines of a turn whose diff belongs to the list.
pub const SMALL_DIFF: u64 = 40;
/// The most files of such a turn.
const SMALL_FILES: u64 = 20;

/// A turn of a part of the list.
#[derive(Debug, Clone)]
pub struct PagedTurn {
    /// The turn.
    pub turn: ListedTurn,
    /// The files that it changed, with both paths of a renamed one; none if they are not known.
    pub paths: Option<Vec<RepoPath>>,
    /// The size of the changes before it, outside any turn.
    pub outside: Option<Changes>,
    /// Its changes, if it has at most [`SMALL_DIFF`] changed lines.
    pub diff: Option<Diff>,
}

/// A part of the list.
#[derive(Debug, Clone)]
pub struct TurnsPage {
    /// The turns, the newest first.
    pub turns: Vec<PagedTurn>,
    /// Whether older ones fit the filter, too.
    pub more: bool,
    /// The newest restore that took turns back and is not undone.
    pub last: Option<Restore>,
}

impl Checkpointer {
    /// Returns the newest turns of a worktree that fit a filter, also those whose checkpoints were pruned. Costs two git
    /// calls for all small diffs together.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn turns_page(&self, worktree: &str, filter: &TurnFilter<'_>) -> Result<TurnsPage> {
        let wanted = TurnFilter { most: filter.most.saturating_add(1), ..*filter };
        let mut page = self.store.turns_where(worktree, &wanted)?;
        let most = usize::try_from(filter.most).unwrap_or(0);
        let more = page.turns.len() > most;
        page.turns.truncate(most);
        let mut sessions: HashMap<&SessionId, Option<Session>> = HashMap::new();
        for row in &page.turns {
            let id = &row.prompt.session_id;
            if !sessions.contains_key(id) {
                sessions.insert(id, self.store.session(id)?);
            }
        }
        let (taken, last) = self.taken(worktree)?;
        let mut begins: HashMap<(&SessionId, i64), &Checkpoint> = HashMap::new();
        for row in &page.begins {
            begins.entry((&row.session_id, row.anchor_seq)).or_insert(row);
        }
        let begin = |row: &TurnRow| begins.get(&(&row.prompt.session_id, row.prompt.seq)).copied();
        let ends = self.ends(&page.turns)?;
        let end = |row: &TurnRow| ends.get(&row.number);
        let mut diffs = self.small_diffs(worktree, &page.turns, begin, end);
        let turns = page.turns.iter().map(|row| {
            let session = sessions.get(&row.prompt.session_id).and_then(Option::as_ref);
            let running = session.and_then(|session| session.turn.as_ref()).is_some_and(|id| id.0 == row.prompt.id.0);
            let turn = entry(row, begin(row), running, session, taken.get(&row.number).copied());
            let submodules = begin(row).zip(end(row)).map(|(begin, end)| moved_between(begin, end));
            PagedTurn {
                turn: ListedTurn { submodules: submodules.unwrap_or_default(), ..turn },
                paths: row.files.clone(),
                outside: row.prompt.outside.clone(),
                diff: diffs.remove(&row.number),
            }
        });
        let turns = turns.collect();
        Ok(TurnsPage { turns, more, last })
    }

    /// Returns the turns that are taken back, and the newest restore that took turns back.
    fn taken(&self, worktree: &str) -> Result<(Parts, Option<Restore>)> {
        let restores = self.restores_done(worktree)?;
        if restores.is_empty() {
            return Ok((Parts::new(), None));
        }
        let starts = self.store.turn_starts(worktree)?;
        let taken = parts(&taken_back(&restores, &starts), &starts);
        let sessions = self.store.sessions(worktree)?;
        let is_there = |row: &Restore| sessions.iter().any(|session| session.id == row.session_id);
        let last = newest(&restores, |row| row.options.verb.is_some() && is_there(row)).cloned();
        Ok((taken, last))
    }

    /// Returns the checkpoints at the ends of turns, by their numbers.
    fn ends(&self, turns: &[TurnRow]) -> Result<HashMap<i64, Checkpoint>> {
        let mut ends = HashMap::new();
        for row in turns {
            let Some(changes) = &row.prompt.changes else { continue };
            if let Some(end) = self.store.checkpoint(&row.prompt.session_id, &changes.to)? {
                ends.insert(row.number, end);
            }
        }
        Ok(ends)
    }

    /// Compares the turns with few changes, by their numbers. Leaves out turns that cannot be compared.
    fn small_diffs<'c>(
        &self,
        worktree: &str,
        turns: &[TurnRow],
        begin: impl Fn(&TurnRow) -> Option<&'c Checkpoint>,
        end: impl Fn(&TurnRow) -> Option<&'c Checkpoint>,
    ) -> HashMap<i64, Diff> {
        let mut small: Vec<(i64, Oid, Oid)> = Vec::new();
        for row in turns {
            let Some(changes) = &row.prompt.changes else { continue };
            let lines = changes.insertions + changes.deletions;
            let Some(from) = begin(row).filter(|begin| begin.id == changes.from) else { continue };
            if lines > SMALL_DIFF || changes.files == 0 || changes.files > SMALL_FILES {
                continue;
            }
            if let Some(to) = end(row) {
                small.push((row.number, from.tree_oid.clone(), to.tree_oid.clone()));
            }
        }
        let pairs: Vec<(&Oid, &Oid)> = small.iter().map(|(_, from, to)| (from, to)).collect();
        let compared = self.worktree(worktree).and_then(|opened| Ok(opened.diffs(&pairs, Detail::Patch)?));
        let numbers = small.iter().map(|(number, ..)| *number);
        numbers.zip(compared.unwrap_or_default()).filter_map(|(number, diff)| Some((number, diff?))).collect()
    }
}
