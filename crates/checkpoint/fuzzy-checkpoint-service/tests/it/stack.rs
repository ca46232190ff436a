//! Restores are a stack: undoing them in reverse order reverts everything, and then they can be repeated.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, Operations, Turn};
use fuzzy_checkpoint_store::{
    CheckpointId, ListFilter, RestoreId, RestoreOptions, RestoreOutcome, SessionId, TranscriptKept, Trim,
};

use super::new_place;
use crate::support::{Place, bodies, turn};

/// Returns the state that a user sees: files, transcript, and checkpoints except for those of restores.
fn seen(
    place: &Place,
    service: &Checkpointer,
    session: &SessionId,
) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<String>, Vec<CheckpointId>) {
    let visible = service.list(session, ListFilter::default()).expect("listed");
    let visible = visible.into_iter().filter(|row| !row.kind.is_of_restore()).map(|row| row.id).collect();
    (place.files(), bodies(service, session), visible)
}

fn began(turn: &Turn) -> CheckpointId {
    turn.checkpoint.as_ref().expect("taken").checkpoint.id.clone()
}

fn restore(service: &Checkpointer, session: &SessionId, id: &CheckpointId) -> RestoreOutcome {
    service.restore(session, id, RestoreOptions::default(), None).expect("restored")
}

fn undo(service: &Checkpointer, done: &RestoreOutcome) -> RestoreOutcome {
    service.undo(&RestoreId(done.restore_id.clone()), None).expect("undone")
}

/// Returns the restore that the next undo takes back.
fn to_undo(service: &Checkpointer, session: &SessionId) -> Option<String> {
    operations(service, session).to_undo().map(|operation| operation.id.clone())
}

/// Returns the undo that the next redo takes back.
fn to_redo(service: &Checkpointer, session: &SessionId) -> Option<String> {
    let operations = operations(service, session);
    operations.to_redo().filter(|(_, since)| since.is_none()).map(|(undo, _)| undo.id.clone())
}

fn operations(service: &Checkpointer, session: &SessionId) -> Operations {
    let worktree = service.session(session).expect("read").worktree_id;
    service.operations(&worktree, &[]).expect("listed")
}

#[test]
fn undos_in_reverse_order_revert_everything_and_redos_repeat_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let turns: Vec<Turn> = ["one", "two", "three"]
        .iter()
        .map(|prompt| turn(&service, &session, prompt, || place.write("a.txt", &format!("{prompt}\n"))))
        .collect();
    let mut states = vec![seen(&place, &service, &session)];
    let mut done = Vec::new();
    for target in turns.iter().rev() {
        done.push(restore(&service, &session, &began(target)));
        states.push(seen(&place, &service, &session));
    }
    assert_eq!(states[3].1, ["one"]);
    let mut undone = Vec::new();
    for (at, restored) in done.iter().enumerate().rev() {
        assert_eq!(to_undo(&service, &session).as_deref(), Some(restored.restore_id.as_str()));
        let outcome = undo(&service, restored);
        assert_eq!(outcome.transcript_kept, None);
        assert_eq!(seen(&place, &service, &session), states[at], "restore {at} undone");
        undone.push(outcome);
    }
    assert_eq!(to_undo(&service, &session), None);
    for (at, outcome) in undone.iter().rev().enumerate() {
        assert_eq!(to_redo(&service, &session).as_deref(), Some(outcome.restore_id.as_str()));
        undo(&service, outcome);
        assert_eq!(seen(&place, &service, &session), states[at + 1], "restore {at} done again");
    }
    assert_eq!(to_redo(&service, &session), None);
    // A redone restore is undone like any other.
    for at in (0..3).rev() {
        let newest = to_undo(&service, &session).expect("one");
        service.undo(&RestoreId(newest), None).expect("undone");
        assert_eq!(seen(&place, &service, &session), states[at], "restore {at} undone once more");
    }
}

#[test]
fn an_undo_gives_the_reason_for_an_unchanged_transcript() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let [first, second] =
        ["one", "two"].map(|prompt| turn(&service, &session, prompt, || place.write(&format!("{prompt}.txt"), prompt)));
    let [back, further] = [&second, &first].map(|target| restore(&service, &session, &began(target)));
    let kept = undo(&service, &back);
    assert_eq!((kept.transcript_kept, kept.messages_deleted), (Some(TranscriptKept::LaterRestore), 0));
    assert_eq!(undo(&service, &further).messages_deleted, 2, "the newest restore is undone in full");
    let twice = service.undo(&RestoreId(further.restore_id.clone()), None).expect_err("it is undone");
    assert!(matches!(twice, fuzzy_checkpoint_service::Error::Undone { .. }), "{twice}");
    let redone = undo(&service, &kept);
    assert_eq!(undo(&service, &back).messages_deleted, 1, "and then the one before: {}", redone.restore_id);
    let again = restore(&service, &session, &began(&first));
    turn(&service, &session, "instead", || ());
    let undone = undo(&service, &again);
    assert_eq!(undone.transcript_kept, Some(TranscriptKept::SaidSince));
    let files = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let files = service.restore(&session, &began(&first), files, None).expect("restored");
    assert_eq!(undo(&service, &files).transcript_kept, None, "it was not requested");
}

#[test]
fn manual_checkpoints_remain_and_hidden_ones_can_be_restored_without_the_transcript() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "1\n"));
    let second = turn(&service, &session, "two", || place.write("a.txt", "2\n"));
    let mark = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let whole = RestoreOptions::default();
    let hides = service.preview(&session, &began(&first), &whole).expect("planned").checkpoints_to_hide;
    assert!(hides.contains(&began(&second)) && !hides.contains(&mark), "{hides:?}");
    let done = restore(&service, &session, &began(&first));
    let visible = service.list(&session, ListFilter::default()).expect("listed");
    assert!(visible.iter().any(|row| row.id == mark), "made by hand");
    let refused = service.restore(&session, &began(&second), whole, None).expect_err("hidden");
    let refused = refused.failure(fuzzy_report::Surface::Command);
    assert!(refused.message.contains(&done.restore_id), "{}", refused.message);
    assert!(refused.next_step.contains("--files-only"), "{}", refused.next_step);
    let files = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    service.restore(&session, &began(&second), files, None).expect("its files alone");
    restore(&service, &session, &mark);
    assert_eq!(std::fs::read(place.root().join("a.txt")).expect("there"), b"2\n");
}
