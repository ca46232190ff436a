//! Turns are taken back: alone, with everything since, or by the state before one.

mod beside;
mod conflicts;
mod origins;
mod random;
mod touching;
mod verbs;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint_service::{Checkpointer, ListedTurn, NoBackend, Result, TakeBackOptions, TurnPlan};
use fuzzy_checkpoint_store::{MessageStatus, RestoreOutcome, Retention, SessionId, TakeBack, TurnId};

use crate::support::{Place, turn};

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    /// Turns alone.
    Revert,
    /// A turn and all later ones.
    Since,
    /// The state before a turn.
    Restore,
    /// The newest of these.
    Undo,
}

impl Verb {
    fn of(self, turns: Vec<i64>) -> TakeBackOptions {
        match self {
            Self::Revert => TakeBackOptions::new(TakeBack::Revert, turns),
            Self::Since => TakeBackOptions { later: true, ..TakeBackOptions::new(TakeBack::Revert, turns) },
            Self::Restore => TakeBackOptions::new(TakeBack::Restore, turns),
            Self::Undo => TakeBackOptions::undo(None),
        }
    }
}

/// A repository with sessions of agents.
struct Scene {
    _dir: tempfile::TempDir,
    place: Place,
    service: Checkpointer,
    sessions: Vec<SessionId>,
}

impl Scene {
    /// Makes one with two sessions.
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let place = Place::new(dir.path());
        Self::of(dir, place)
    }

    fn of(dir: tempfile::TempDir, place: Place) -> Self {
        let service = place.service_of(Arc::new(NoBackend));
        let sessions = ["one", "two"].map(|title| service.create_session(&place.root(), title).expect("created"));
        Self { _dir: dir, place, service, sessions: sessions.into() }
    }

    fn worktree(&self) -> String {
        self.service.session(&self.sessions[0]).expect("read").worktree_id
    }

    /// Plays a turn of the first session.
    fn turn(&self, change: impl FnOnce(&Place)) {
        turn(&self.service, &self.sessions[0], "prompt", || change(&self.place));
    }

    fn begin(&self, session: usize) -> TurnId {
        self.service.begin_turn(&self.sessions[session], "prompt").expect("begun").id
    }

    fn end(&self, session: usize, turn: &TurnId) {
        self.service.end_turn(&self.sessions[session], turn, MessageStatus::Complete).expect("ended");
    }

    fn plan(&self, options: &TakeBackOptions) -> TurnPlan {
        self.service.plan_turns(&self.worktree(), options).expect("planned")
    }

    fn try_to(&self, options: &TakeBackOptions) -> Result<(TurnPlan, Option<RestoreOutcome>)> {
        self.service.take_back(&self.worktree(), options, None)
    }

    fn take_back(&self, verb: Verb, turns: &[i64]) -> TurnPlan {
        self.try_to(&verb.of(turns.to_vec())).expect("taken back").0
    }

    /// Takes turns back beside running ones.
    fn force(&self, verb: Verb, turns: &[i64]) -> TurnPlan {
        let options = TakeBackOptions { force: true, ..verb.of(turns.to_vec()) };
        self.try_to(&options).expect("taken back").0
    }

    /// Prunes the states around restores, and returns their number.
    fn prune_restores(&self) -> usize {
        thread::sleep(Duration::from_millis(2));
        let retention = Retention { safety_ms: 0, ..Retention::default() };
        self.service.prune(&retention, Some(&self.worktree())).expect("pruned").pruned.len()
    }

    fn turns(&self) -> Vec<ListedTurn> {
        self.service.turns(&self.worktree()).expect("listed")
    }

    /// Returns the numbers of the turns that are taken back.
    fn taken(&self) -> Vec<i64> {
        self.turns().into_iter().filter(|turn| turn.taken_back).map(|turn| turn.number).collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read(self.place.root().join(path)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Returns numbered lines.
fn lines(count: usize) -> String {
    (1..=count).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat()
}

/// Replaces a text of a file.
fn edit(place: &Place, path: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(place.root().join(path)).expect("read");
    assert!(text.contains(old), "{old} in {text}");
    place.write(path, &text.replacen(old, new, 1));
}
