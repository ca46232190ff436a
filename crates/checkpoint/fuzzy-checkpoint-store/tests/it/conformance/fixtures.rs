//! Rows for the tests of the suite, and short queries of a store.

use fuzzy_checkpoint::{IndexLeft, Oid, Reason, RepoPath, Uncovered};

use fuzzy_checkpoint_store::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointStore, Error, Kind, ListFilter, Message, MessageStatus,
    NewRestore, Patch, Phase, RestoreId, RestoreOptions, RestoreOutcome, SessionId, SessionState, TurnId, WorktreeRow,
    ulid,
};

/// The id of the worktree that every case uses.
pub(crate) const TREE: &str = "wt0";

/// Stores that worktree.
pub(crate) fn one_worktree(store: &dyn CheckpointStore) {
    store.put_worktree(&worktree(TREE), 1).expect("put");
}

pub(super) fn oid(digit: char) -> Oid {
    Oid::new(digit.to_string().repeat(40)).expect("an object name")
}

pub(super) fn worktree(id: &str) -> WorktreeRow {
    WorktreeRow {
        id: id.into(),
        git_dir: format!("/repo/{id}/.git"),
        root: format!("/repo/{id}"),
        object_format: "sha1".into(),
        store: format!("id /state/{id}"),
    }
}

pub(super) fn session(store: &dyn CheckpointStore, name: &str) -> SessionId {
    one_worktree(store);
    let id = SessionId::from(name);
    store.create_session(&id, TREE, "a title", 2).expect("created");
    id
}

pub(super) fn checkpoint(session: &SessionId, id: &str, anchor: i64, at: i64, kind: Kind) -> Checkpoint {
    Checkpoint {
        id: id.into(),
        session_id: session.clone(),
        worktree_id: TREE.into(),
        kind,
        anchor_seq: anchor,
        commit_oid: oid('c'),
        tree_oid: oid('d'),
        index_tree_oid: Some(oid('e')),
        index_left: Some(IndexLeft::Unmerged),
        head_oid: None,
        head_ref: Some("refs/heads/main".into()),
        label: "l'abel".into(),
        uncovered: vec![Uncovered::new(RepoPath::new(&b"caf\xe9"[..]), Reason::TooLarge)],
        retired_by: None,
        batch: None,
        step: None,
        place: 0,
        created_at: at,
    }
}

pub(super) fn request(session: &SessionId, target: &str, key: &str, options: RestoreOptions) -> NewRestore {
    NewRestore {
        id: RestoreId(ulid()),
        session_id: session.clone(),
        checkpoint_id: target.into(),
        request_key: key.into(),
        options,
        batch: None,
        owner: "me".into(),
        now: 100,
        lease_until: 200,
    }
}

/// Moves a restore from `begun` to the phase before its commit.
pub(super) fn walk(store: &dyn CheckpointStore, id: &RestoreId, safety: &str) {
    for (from, to) in [(Phase::Begun, Phase::Safe), (Phase::Safe, Phase::Files), (Phase::Files, Phase::Index)] {
        let patch = Patch { safety_id: Some(CheckpointId::from(safety)), now: 101, ..Patch::default() };
        store.advance(id, from, to, &patch).expect("advanced");
    }
}

/// Runs a whole restore.
pub(super) fn whole(store: &dyn CheckpointStore, request: &NewRestore, safety: &str) -> RestoreOutcome {
    assert!(matches!(store.begin_restore(request).expect("answered"), BeginOutcome::Started));
    walk(store, &request.id, safety);
    store.commit_restore(&request.id, 110).expect("committed")
}

/// Creates a session of two turns: messages 1 and 2, 3 and 4, with checkpoint A at 1, B at 3, and two more at 3.
pub(super) fn history(store: &dyn CheckpointStore) -> SessionId {
    let id = session(store, "s");
    for (prompt, name) in [("one", "A"), ("two", "B")] {
        let message = store.begin_turn(&id, prompt, 10).expect("begun");
        store.insert_checkpoint(&checkpoint(&id, name, message.seq, 10, Kind::Turn)).expect("inserted");
        let turn = turn_of(&message);
        store.append_message(&id, &turn, "assistant", "reply", 11).expect("stored");
        store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    }
    store.insert_checkpoint(&checkpoint(&id, "C", 3, 10, Kind::End)).expect("inserted");
    store.insert_checkpoint(&checkpoint(&id, "D", 4, 12, Kind::End)).expect("inserted");
    id
}

#[cfg(feature = "postgres")]
/// Stores a word everywhere where a session may have a text.
pub(crate) fn told(store: &dyn CheckpointStore, id: &SessionId, word: &str) {
    let extra = format!("{{\"more\":\"{word}\"}}");
    for number in 1..=2 {
        let content = fuzzy_checkpoint_store::Content { extra: Some(&extra), ..word.into() };
        let prompt = store.begin_turn_with(id, content, 10).expect("begun");
        let row =
            Checkpoint { label: word.into(), ..checkpoint(id, &format!("T{number}"), prompt.seq, 10, Kind::Turn) };
        store.insert_checkpoint(&row).expect("inserted");
        store.append_message(id, &turn_of(&prompt), "assistant", word, 11).expect("stored");
        store.end_turn(id, &turn_of(&prompt), MessageStatus::Complete).expect("ended");
    }
    whole(
        store,
        &request(
            id,
            "T2",
            "k",
            RestoreOptions { trim: fuzzy_checkpoint_store::Trim::From, ..RestoreOptions::default() },
        ),
        "S",
    );
}

pub(super) fn turn_of(prompt: &Message) -> TurnId {
    prompt.id.as_str().into()
}

/// Returns whether output of a turn is refused because the turn is over.
pub(super) fn is_over(store: &dyn CheckpointStore, id: &SessionId, turn: &TurnId) -> bool {
    matches!(store.append_message(id, turn, "assistant", "late", 9), Err(Error::TurnOver(over)) if over == *turn)
}

pub(super) fn state(store: &dyn CheckpointStore, id: &SessionId) -> SessionState {
    store.session(id).expect("read").expect("there").state
}

pub(super) fn bodies(store: &dyn CheckpointStore, id: &SessionId) -> Vec<String> {
    store.messages(id).expect("listed").into_iter().map(|message| message.body.to_string()).collect()
}

pub(super) fn names(store: &dyn CheckpointStore, id: &SessionId, retired: bool) -> Vec<String> {
    store.list(id, ListFilter { retired }).expect("listed").into_iter().map(|row| row.id.0).collect()
}

/// Returns the id of the newest checkpoint.
pub(super) fn newest(store: &dyn CheckpointStore, id: &SessionId) -> Option<String> {
    store.newest(id).expect("read").map(|row| row.id.0)
}
