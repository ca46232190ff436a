//! Lists the turns of a worktree, with the turns that restores took back.

use std::collections::BTreeMap;

use fuzzy_checkpoint::{Reason, RepoPath};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, LateFile, MessageStatus, Restore, RestoreId, Retention, Session, SessionId, TurnId,
    TurnRow, TurnStart, now_ms,
};
use serde::Serialize;

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::spans::{Span, Spans};
use crate::submodules::{MovedSubmodule, moved};

/// The state of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// The agent is working, as far as is known.
    Running,
    /// The agent answered.
    Done,
    /// The turn ended without an answer.
    Interrupted,
}

/// A turn of an agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the answer, and they combine freely")]
pub struct ListedTurn {
    /// The number of the turn in the worktree, from 1. It never changes.
    pub number: i64,
    /// The id of the turn in the store.
    pub id: TurnId,
    /// The session.
    pub session_id: SessionId,
    /// The name of the session: its host and its first prompt, or its title if another program created it.
    pub session: String,
    /// The name of the host, or the title of the session if another program created it.
    pub host: String,
    /// The prompt.
    pub prompt: String,
    /// The time of the prompt, in milliseconds since 1970.
    pub began_at: i64,
    /// Its state.
    pub state: TurnState,
    /// Whether its changes were taken back.
    pub taken_back: bool,
    /// Whether a part of its changes was taken back.
    pub partly_taken_back: bool,
    /// Whether its agent went on after its changes were taken back: those since then are not, if there are any.
    pub continued: bool,
    /// The files that changed after its last action, if another event than its own end ended it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<LateFile>,
    /// Whether it is excluded from pruning.
    pub kept: bool,
    /// The checkpoint from before the turn, if there is one.
    pub checkpoint: Option<CheckpointId>,
    /// The reason, if there is none.
    pub no_checkpoint: Option<String>,
    /// The time from the prompt to the end of the capture, in milliseconds. The agent waits for one second at most.
    pub captured_after_ms: Option<i64>,
    /// The files that changed after the prompt and before the checkpoint had them, so that it may have the agent's
    /// content; a directory, with `/` at the end, of which files may be missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suspect: Vec<RepoPath>,
    /// The number of files that changed, if it is known.
    pub files: Option<u64>,
    /// The number of added lines.
    pub insertions: Option<u64>,
    /// The number of deleted lines.
    pub deletions: Option<u64>,
    /// The reason, if these numbers are unknown although the turn has ended.
    pub uncompared: Option<String>,
    /// The submodules and nested repositories whose commit changed; their files are not counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub submodules: Vec<MovedSubmodule>,
}

/// The part of a turn that was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Whole,
    Partly,
    /// The turn changed files after it was taken back.
    Continued,
}

impl Checkpointer {
    /// Returns the turns of a worktree by their numbers, without those whose checkpoints were pruned, and without those
    /// whose prompts a restore trimmed.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn turns(&self, worktree: &str) -> Result<Vec<ListedTurn>> {
        // The part of a turn that a restore took back depends on no other turn, so the other rows are not needed.
        let rows = self.store.turns_kept(worktree, oldest_uncaptured())?;
        Ok(listed(&self.spans_of(worktree, rows)?))
    }
}

/// Returns the time after which a turn without a checkpoint is listed, in milliseconds since 1970.
fn oldest_uncaptured() -> i64 {
    now_ms().saturating_sub(Retention::default().other_ms)
}

pub(crate) fn listed(spans: &Spans) -> Vec<ListedTurn> {
    let taken = spans.taken();
    let oldest = oldest_uncaptured();
    let visible = spans.all.iter().filter(|span| span.row.prompt.trimmed_by.is_none());
    let turns = visible.map(|span| {
        let session = spans.sessions.get(&span.row.prompt.session_id);
        let taken = taken.get(&span.row.number).copied();
        let turn = entry(&span.row, span.begin.as_ref(), span.running, session, taken);
        ListedTurn { submodules: moved([span]), ..turn }
    });
    turns.filter(|turn| turn.checkpoint.is_some() || turn.no_checkpoint.is_some() && turn.began_at > oldest).collect()
}

/// Describes a turn, without its submodules; `begin` is the checkpoint of its start.
pub(crate) fn entry(
    row: &TurnRow,
    begin: Option<&Checkpoint>,
    running: bool,
    session: Option<&Session>,
    taken: Option<Taken>,
) -> ListedTurn {
    let prompt = &row.prompt;
    let state = match prompt.status {
        _ if running => TurnState::Running,
        MessageStatus::Failed => TurnState::Interrupted,
        _ => TurnState::Done,
    };
    let changes = prompt.changes.as_ref();
    ListedTurn {
        number: row.number,
        id: TurnId(prompt.id.0.clone()),
        session_id: prompt.session_id.clone(),
        session: session.map(|session| session.name.clone()).unwrap_or_default(),
        host: session.map(|session| session.host.clone().unwrap_or_else(|| session.title.clone())).unwrap_or_default(),
        prompt: prompt.body.as_str().to_owned(),
        began_at: prompt.created_at,
        state,
        taken_back: taken == Some(Taken::Whole),
        partly_taken_back: taken.is_some_and(|taken| taken != Taken::Whole),
        continued: taken == Some(Taken::Continued),
        late: row.late.clone(),
        kept: prompt.kept,
        checkpoint: begin.map(|row| row.id.clone()),
        no_checkpoint: prompt.uncheckpointed.clone(),
        captured_after_ms: begin.map(|row| row.created_at - prompt.created_at),
        suspect: begin.map(suspect).unwrap_or_default(),
        files: changes.map(|changes| changes.files),
        insertions: changes.map(|changes| changes.insertions),
        deletions: changes.map(|changes| changes.deletions),
        uncompared: prompt.uncompared.clone(),
        submodules: Vec::new(),
    }
}

/// Returns the paths that a checkpoint may not have as they were before its turn.
fn suspect(row: &Checkpoint) -> Vec<RepoPath> {
    let suspect = row.uncovered.iter().filter(|left| left.reason == Reason::Suspect);
    suspect.map(|left| left.path.clone()).collect()
}

/// The turns that are taken back at a moment, and the restores whose effect the files have.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The part of each turn, and the place of the restore that took it back.
    pub(crate) turns: BTreeMap<i64, (Taken, i64)>,
    /// The restores that are not undone, except those that undo others.
    pub(crate) live: Vec<RestoreId>,
}

/// Returns the turns that are taken back, each with the part.
pub(crate) type Parts = BTreeMap<i64, Taken>;

impl Spans {
    /// Returns the turns that are taken back now.
    pub(crate) fn taken(&self) -> Parts {
        let starts = self.starts();
        parts(&self.state(i64::MAX), &starts)
    }

    /// Returns what is taken back at a place.
    pub(crate) fn state(&self, place: i64) -> State {
        let until = self.restores.partition_point(|row| row.place <= place);
        taken_back(&self.restores[..until], &self.starts())
    }

    pub(crate) fn starts(&self) -> Vec<TurnStart> {
        let start = |span: &Span| TurnStart {
            number: span.row.number,
            from: span.from,
            wrote_after: if span.running { i64::MAX } else { span.row.wrote_after.unwrap_or(-1) },
        };
        self.all.iter().map(start).collect()
    }
}

/// Returns the part of each turn that is taken back. A turn that changed files after it was taken back is continued.
pub(crate) fn parts(state: &State, starts: &[TurnStart]) -> Parts {
    let part = |(number, (taken, place)): (&i64, &(Taken, i64))| match taken {
        Taken::Whole if went_on(starts, *number, *place) => (*number, Taken::Continued),
        taken => (*number, *taken),
    };
    state.turns.iter().map(part).collect()
}

/// Returns whether a turn changed files after a place, as far as is known.
pub(crate) fn went_on(starts: &[TurnStart], number: i64, place: i64) -> bool {
    let at = starts.binary_search_by_key(&number, |turn| turn.number);
    at.is_ok_and(|at| starts[at].wrote_after >= place)
}

/// Returns the turns whose changes were taken back by restores and not brought back.
///
/// A whole restore brings back the state of a moment: after it, the turns that were taken back at that moment are, and
/// also those that began since then. A revert or an undo of turns adds them. The undo of such a restore gives turns the
/// state that they had before it. `restores` are those that are done, in order; `starts` has every turn, by the numbers.
pub(crate) fn taken_back(restores: &[Restore], starts: &[TurnStart]) -> State {
    let mut states: Vec<(i64, State)> = vec![(i64::MIN, State::default())];
    for restore in restores.iter().filter(|row| row.options.files) {
        let ended = restore.place;
        let at = |place: i64| states.iter().rev().find(|(at, _)| *at <= place).map(|(_, state)| state.clone());
        let mut now = at(i64::MAX).unwrap_or_default();
        if let Some((undone, first)) = undone(restores, restore) {
            let began = undone.place;
            let then = at(began - 1).unwrap_or_default();
            let earlier = starts.iter().filter(|turn| turn.from < began).map(|turn| turn.number);
            let turns = if is_merged(first) { first.options.turns.clone() } else { earlier.collect() };
            for number in turns {
                match then.turns.get(&number) {
                    Some(taken) => drop(now.turns.insert(number, *taken)),
                    None => drop(now.turns.remove(&number)),
                }
            }
            let after = at(began).unwrap_or_default();
            let since = now.live.into_iter().filter(|id| !after.live.contains(id));
            now.live = then.live.iter().cloned().chain(since).collect();
        } else if is_merged(restore) {
            for number in &restore.options.turns {
                let is_whole =
                    |(taken, place): &(Taken, i64)| *taken == Taken::Whole && !went_on(starts, *number, *place);
                if !now.turns.get(number).is_some_and(is_whole) {
                    let taken = if restore.options.partly { Taken::Partly } else { Taken::Whole };
                    now.turns.insert(*number, (taken, ended));
                }
            }
            now.live.push(restore.id.clone());
        } else {
            if let Some(moment) = restore.moment.filter(|_| restore.options.paths.is_empty()) {
                now = at(moment).unwrap_or_default();
                let since = starts.iter().filter(|turn| turn.from >= moment && turn.from < ended);
                now.turns.extend(since.map(|turn| (turn.number, (Taken::Whole, ended))));
            }
            now.live.push(restore.id.clone());
        }
        states.push((ended, now));
    }
    states.pop().map(|(_, state)| state).unwrap_or_default()
}

/// Returns whether a restore of turns changes only their files, and other changes stay.
fn is_merged(restore: &Restore) -> bool {
    restore.options.verb.is_some() && !restore.options.paths.is_empty()
}

/// Returns the restore that this one undoes, and the first one of a chain of undos.
fn undone<'s>(restores: &'s [Restore], restore: &Restore) -> Option<(&'s Restore, &'s Restore)> {
    let find = |id: &RestoreId| restores.iter().find(|row| row.id == *id);
    let undone = find(restore.options.undo_of.as_ref()?)?;
    let mut first = undone;
    while let Some(id) = &first.options.undo_of {
        first = find(id)?;
    }
    Some((undone, first))
}
