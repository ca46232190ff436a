//! The operations that wrote files of a project, in one order: batches of edits, restores, and their undos.
//!
//! Batches are in the writer's journal and restores in the store, and no sequence orders both. So every row of the store
//! notes the newest batch in the journal when it is written, and a batch lies before the first row that notes it or a later
//! one. The names of batches are in the order of their creation; times decide nothing.

use std::collections::HashSet;

use fuzzy_checkpoint_store::{Restore, SessionId};

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::local::MANUAL;
use crate::turn_list::{ListedTurn, listed};

/// A batch in the writer's journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub name: String,
    /// The batch that it undoes.
    pub undoes: Option<String>,
    /// Its time, in milliseconds since 1970, if it is known.
    pub at: Option<i64>,
    /// Whether a server for agents made it, not a command.
    pub is_of_server: bool,
}

/// The origin of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A batch of edits.
    Batch,
    /// A restore.
    Restore(Box<Restore>),
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its id: the name of a batch, or the id of a restore.
    pub id: String,
    /// The origin.
    pub source: Source,
    /// Its time, in milliseconds since 1970, if it is known.
    pub at: Option<i64>,
    /// The operation that it undoes.
    pub undoes: Option<String>,
    /// The undo that undoes it and is not undone.
    pub undone_by: Option<String>,
    /// The newest turn that began after it.
    pub later_turn: Option<i64>,
    /// Whether a session made it, or may have, of which no running turn has it.
    pub is_others: bool,
}

impl Operation {
    /// Makes the operation of a batch beside which no turn is known.
    fn of_batch(batch: &Batch) -> Self {
        Self {
            id: batch.name.clone(),
            source: Source::Batch,
            at: batch.at,
            undoes: batch.undoes.clone(),
            undone_by: None,
            later_turn: None,
            is_others: batch.is_of_server,
        }
    }

    /// Returns whether it is no undo and is not undone.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.undoes.is_none() && self.undone_by.is_none()
    }
}

/// The operations of a project, the oldest first.
#[derive(Debug, Clone, Default)]
pub struct Operations {
    /// The operations.
    pub all: Vec<Operation>,
    /// The turns of the project.
    pub turns: Vec<ListedTurn>,
}

/// A place among rows and batches: that of the row, or of the row before which the batch lies.
type Key<'k> = (i64, bool, &'k str);

/// A turn with its extent: it began at one place and ended at another, the largest number while it runs.
struct Extent {
    number: i64,
    session: SessionId,
    from: i64,
    until: i64,
}

impl Checkpointer {
    /// Returns the operations of a worktree and the given batches.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn operations(&self, worktree: &str, batches: &[Batch]) -> Result<Operations> {
        let spans = self.spans(worktree)?;
        let checkpoints = spans.checkpoints.iter().map(|row| (row.place, &row.batch));
        let restores = spans.restores.iter().map(|row| (row.place, &row.batch));
        let turns = spans.all.iter().map(|span| (span.row.place, &span.row.batch));
        let noted = checkpoints.chain(restores).chain(turns);
        let mut noted: Vec<(i64, &str)> = noted.filter_map(|(place, batch)| Some((place, batch.as_deref()?))).collect();
        noted.sort_unstable();
        let extents: Vec<Extent> = spans
            .all
            .iter()
            .map(|span| Extent {
                number: span.row.number,
                session: span.row.prompt.session_id.clone(),
                from: span.row.place,
                until: span.until,
            })
            .collect();
        let mut all: Vec<(Key<'_>, Operation)> = Vec::new();
        for batch in batches {
            let row = noted.iter().find(|(_, noted)| *noted >= batch.name.as_str());
            let key = (row.map_or(i64::MAX, |(place, _)| *place), false, batch.name.as_str());
            let of = Operation::of_batch(batch);
            let is_others = of.is_others || is_others(&extents, key);
            all.push((key, Operation { later_turn: later(&extents, key), is_others, ..of }));
        }
        for row in &spans.restores {
            // One of a deleted session cannot be undone.
            let Some(session) = spans.sessions.get(&row.session_id) else { continue };
            let key = (row.place, true, "");
            let trims = !row.options.spares_transcript() && session.title != MANUAL;
            let operation = Operation {
                id: row.id.0.clone(),
                source: Source::Restore(Box::new(row.clone())),
                at: Some(row.updated_at),
                undoes: row.options.undo_of.as_ref().map(|id| id.0.clone()),
                undone_by: None,
                later_turn: later(&extents, key),
                is_others: trims || is_others(&extents, key),
            };
            all.push((key, operation));
        }
        all.sort_by_key(|(key, _)| *key);
        let mut operations = Operations { all: all.into_iter().map(|(_, it)| it).collect(), turns: listed(&spans) };
        operations.settle();
        Ok(operations)
    }
}

impl Operations {
    /// Returns the operations of a project without a store.
    #[must_use]
    pub fn of_batches(batches: &[Batch]) -> Self {
        let mut operations = Self { all: batches.iter().map(Operation::of_batch).collect(), turns: Vec::new() };
        operations.all.sort_by(|one, other| one.id.cmp(&other.id));
        operations.settle();
        operations
    }

    /// Finds the undo of each operation. One that is undone itself undoes nothing.
    fn settle(&mut self) {
        for at in (0..self.all.len()).rev() {
            let Operation { id, undoes: Some(undoes), undone_by: None, .. } = &self.all[at] else { continue };
            let (by, undone) = (id.clone(), undoes.clone());
            if let Some(undone) = self.all.iter_mut().find(|operation| operation.id == undone) {
                undone.undone_by = Some(by);
            }
        }
    }

    /// Returns the operation that the next undo takes back: the newest one that is no undo and is not undone.
    #[must_use]
    pub fn to_undo(&self) -> Option<&Operation> {
        self.all.iter().rev().find(|operation| operation.is_live())
    }

    /// Returns the undo that the next redo takes back: the newest one that is not undone, and the operation that was made
    /// since, if there is one.
    #[must_use]
    pub fn to_redo(&self) -> Option<(&Operation, Option<&Operation>)> {
        let ids: HashSet<&str> =
            self.all.iter().filter(|operation| operation.undoes.is_some()).map(|undo| undo.id.as_str()).collect();
        let is_undo = |operation: &Operation| {
            let undone = operation.undoes.as_deref();
            operation.undone_by.is_none() && undone.is_some_and(|id| !ids.contains(id))
        };
        let at = self.all.iter().rposition(is_undo)?;
        let since = self.all[at + 1..].iter().rev().find(|operation| operation.is_live());
        Some((&self.all[at], since))
    }
}

/// Returns the newest turn that began after a place.
fn later(turns: &[Extent], (place, ..): Key<'_>) -> Option<i64> {
    turns
        .iter()
        .filter(|turn| turn.from > place || place != i64::MAX && turn.from == place)
        .map(|turn| turn.number)
        .max()
}

/// Returns whether an operation at a place may be the work of a session that no running turn has any more: turns ran then,
/// and not only one that still runs.
fn is_others(turns: &[Extent], (place, ..): Key<'_>) -> bool {
    let ran: Vec<&Extent> = turns.iter().filter(|turn| turn.from < place && turn.until >= place).collect();
    let sessions: HashSet<&SessionId> = ran.iter().map(|turn| &turn.session).collect();
    match &ran[..] {
        [] => false,
        _ => sessions.len() > 1 || !ran.iter().any(|turn| turn.until == i64::MAX),
    }
}
