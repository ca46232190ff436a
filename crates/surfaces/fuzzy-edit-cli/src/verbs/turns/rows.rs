//! The turns of a worktree, numbered from 1.

use std::collections::{BTreeSet, HashMap};

use fuzzy_checkpoint::{Reason, RepoPath};
use fuzzy_checkpoint_store::{
    Checkpoint, CheckpointId, CheckpointState, Kind, Message, MessageStatus, Phase, Restore, Retention, Session,
    SessionId, TurnId, now_ms, ulid_ms,
};
use fuzzy_hosts::Host;
use schemars::JsonSchema;
use serde::Serialize;

use crate::verbs::checkpoint::place::Place;
use crate::verbs::checkpoint::refused::Refused;

/// The state of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// The agent is working, as far as is known.
    Running,
    /// The agent answered.
    Done,
    /// The turn ended without an answer.
    Interrupted,
}

/// A turn of an agent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Turn {
    /// The number of the turn in the worktree, from 1. It never changes.
    pub(super) number: usize,
    /// The id of the turn in the store.
    pub(super) id: TurnId,
    pub(super) session_id: SessionId,
    /// The name of the host, or the title of the session if another program created it.
    pub(super) host: String,
    /// The prompt.
    pub(super) prompt: String,
    /// The time of the prompt, in milliseconds since 1970.
    pub(super) began_at: i64,
    pub(super) state: State,
    /// Whether the files were restored to the state before it.
    pub(super) taken_back: bool,
    /// Whether it is excluded from pruning.
    pub(super) kept: bool,
    /// The checkpoint from before the turn, if there is one.
    pub(super) checkpoint: Option<CheckpointId>,
    /// The reason, if there is none.
    pub(super) no_checkpoint: Option<String>,
    /// The time from the prompt to the end of the capture, in milliseconds. The agent waits for one second at most.
    pub(super) captured_after_ms: Option<i64>,
    /// The files that changed after the prompt and before the checkpoint had them, so that it may have the agent's
    /// content; a directory, with `/` at the end, of which files may be missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suspect: Vec<RepoPath>,
    /// The number of files that changed, if it is known.
    pub(super) files: Option<u64>,
    /// The number of added lines.
    pub(super) insertions: Option<u64>,
    /// The number of deleted lines.
    pub(super) deletions: Option<u64>,
    /// The reason, if these numbers are unknown although the turn has ended.
    pub(super) uncompared: Option<String>,
}

impl Turn {
    /// Returns an id that begins with the time of the turn.
    fn began(&self) -> &str {
        self.checkpoint.as_ref().map_or(self.id.as_str(), CheckpointId::as_str)
    }
}

/// Returns the turns of the worktree, the oldest first, without those whose checkpoints were pruned.
pub(super) fn turns(place: &Place) -> Result<Vec<Turn>, Refused> {
    let store = place.service.store();
    let id = place.worktree.id();
    let mut begins: HashMap<(SessionId, i64), Checkpoint> = HashMap::new();
    for row in store.checkpoints_of(id)?.into_iter().filter(|row| row.kind == Kind::Turn) {
        begins.entry((row.session_id.clone(), row.anchor_seq)).or_insert(row);
    }
    let mut turns = Vec::new();
    for session in store.sessions(id)? {
        for place in store.outline(&session.id, 0, i64::MAX)?.into_iter().filter(|place| place.is_prompt) {
            for prompt in store.messages_between(&session.id, place.seq - 1, place.seq)? {
                let begin = begins.get(&(session.id.clone(), prompt.seq));
                turns.push(turn(&session, prompt, begin));
            }
        }
    }
    turns.sort_by(|a, b| a.id.0.cmp(&b.id.0));
    for (index, turn) in turns.iter_mut().enumerate() {
        turn.number = index + 1;
    }
    for index in taken_back(&turns, &store.restores_of(id)?) {
        turns[index].taken_back = true;
    }
    let oldest = now_ms().saturating_sub(Retention::default().other_ms);
    turns.retain(|turn| turn.checkpoint.is_some() || turn.no_checkpoint.is_some() && turn.began_at > oldest);
    Ok(turns)
}

fn turn(session: &Session, prompt: Message, begin: Option<&Checkpoint>) -> Turn {
    let host = session.title.split(' ').next().and_then(Host::named).map(|host| host.name.to_owned());
    let running = session.turn.as_ref().is_some_and(|turn| turn.0 == prompt.id.0);
    let state = match prompt.status {
        _ if running => State::Running,
        MessageStatus::Failed => State::Interrupted,
        _ => State::Done,
    };
    let ready = begin.filter(|row| row.state == CheckpointState::Ready);
    let lost = || begin.filter(|_| ready.is_none()).map(|_| "it is lost".to_owned());
    let no_checkpoint = prompt.uncheckpointed.or_else(lost);
    let changes = prompt.changes.as_ref();
    Turn {
        number: 0,
        id: TurnId(prompt.id.0),
        session_id: session.id.clone(),
        host: host.unwrap_or_else(|| session.title.clone()),
        prompt: prompt.body.as_str().to_owned(),
        began_at: prompt.created_at,
        state,
        taken_back: false,
        kept: prompt.kept,
        checkpoint: ready.map(|row| row.id.clone()),
        no_checkpoint,
        captured_after_ms: ready.map(|row| row.created_at - prompt.created_at),
        suspect: ready.map(suspect).unwrap_or_default(),
        files: changes.map(|changes| changes.files),
        insertions: changes.map(|changes| changes.insertions),
        deletions: changes.map(|changes| changes.deletions),
        uncompared: prompt.uncompared,
    }
}

/// Returns the paths that a checkpoint may not have as they were before its turn.
fn suspect(row: &Checkpoint) -> Vec<RepoPath> {
    let suspect = row.uncovered.iter().filter(|left| left.reason == Reason::Suspect);
    suspect.map(|left| left.path.clone()).collect()
}

/// Returns the indexes of the turns whose changes were undone by restores and not redone.
///
/// A restore brings back the state of a moment. After it, the turns that were undone at that moment are undone, and
/// also those that began since then. An undo is a restore to the moment before another one.
fn taken_back(turns: &[Turn], restores: &[Restore]) -> BTreeSet<usize> {
    let whole =
        restores.iter().filter(|row| row.phase == Phase::Done && row.options.files && row.options.paths.is_empty());
    let mut states: Vec<(i64, BTreeSet<usize>)> = vec![(i64::MIN, BTreeSet::new())];
    for restore in whole {
        let target = restore.checkpoint_id.as_str();
        let moment = ulid_ms(target).unwrap_or(restore.updated_at);
        let before = states.iter().rev().find(|(done, _)| *done <= moment);
        let mut state = before.map(|(_, state)| state.clone()).unwrap_or_default();
        let since = turns.iter().enumerate().filter(|(_, turn)| {
            turn.began() == target
                || turn.began() > target && ulid_ms(turn.began()).is_some_and(|at| at < restore.updated_at)
        });
        state.extend(since.map(|(index, _)| index));
        states.push((restore.updated_at, state));
    }
    states.pop().map(|(_, state)| state).unwrap_or_default()
}
