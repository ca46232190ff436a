//! The checkpoints that retention deletes, and when.

use super::fixtures::{TREE, bodies, checkpoint, history, request, session, walk, whole};
use crate::{Changes, CheckpointStore, Error, Kind, ListFilter, RestoreOptions, Retention, TurnId, TurnNote};

pub(super) fn retention_keeps_what_it_must(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    store.insert_checkpoint(&checkpoint(&id, "S1", 9, 0, Kind::Safety)).expect("inserted");
    store.insert_checkpoint(&checkpoint(&id, "M1", 9, 0, Kind::Manual)).expect("inserted");
    for number in 0..6 {
        let turn = checkpoint(&id, &format!("T{number}"), number, 60 + number, Kind::Turn);
        store.insert_checkpoint(&turn).expect("inserted");
    }
    store.insert_checkpoint(&checkpoint(&id, "S2", 9, 95, Kind::Safety)).expect("inserted");
    store.insert_checkpoint(&checkpoint(&id, "M2", 9, 60, Kind::Manual)).expect("inserted");
    let retention = Retention { turns: 2, safety_ms: 10, other_ms: 50, max_bytes: 0, gone: false };
    assert_eq!(deleted(store, &retention), ["M1", "S1", "T0", "T1", "T2", "T3"]);
    let new = request(&id, "T2", "k", RestoreOptions::default());
    store.begin_restore(&new).expect("begun");
    walk(store, &new.id, "S1");
    assert_eq!(deleted(store, &retention), ["M1", "T0", "T1", "T3"], "an open restore needs its target and its safety");
}

pub(super) fn an_old_turn_is_deleted_unless_it_is_kept(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let prompt = store.begin_turn(&id, "do it", 1).expect("begun");
    let turn = TurnId(prompt.id.0);
    let changes = Changes { from: "T".into(), to: "E".into(), files: 1, insertions: 1, deletions: 0 };
    store.note(&turn, TurnNote::Changes(&changes)).expect("noted");
    for (name, kind) in [("T", Kind::Turn), ("E", Kind::End)] {
        store.insert_checkpoint(&checkpoint(&id, name, prompt.seq, 10, kind)).expect("inserted");
    }
    let retention = |other_ms| Retention { turns: 9, safety_ms: 10, other_ms, max_bytes: 0, gone: false };
    assert_eq!(deleted(store, &retention(90)), [""; 0]);
    assert_eq!(deleted(store, &retention(89)), ["E", "T"]);
    for kept in [true, false] {
        store.note(&turn, TurnNote::Kept(kept)).expect("noted");
        assert_eq!(store.messages(&id).expect("read")[0].kept, kept);
        assert_eq!(deleted(store, &retention(89)).is_empty(), kept);
        assert_eq!(store.kept_checkpoints().expect("read").len(), if kept { 2 } else { 0 });
    }
    assert!(matches!(store.note(&"none".into(), TurnNote::Kept(true)), Err(Error::Missing { .. })));
}

pub(super) fn a_clock_that_was_set_back_makes_no_checkpoint_older(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    // The second and third were taken after the clock was set back, the last one before it was set forward.
    for (name, time) in [("T1", 60), ("T2", 5), ("T3", 6), ("T4", 900)] {
        store.insert_checkpoint(&checkpoint(&id, name, 1, time, Kind::Turn)).expect("inserted");
    }
    let names = |rows: Vec<crate::Checkpoint>| rows.into_iter().map(|row| row.id.0).collect::<Vec<_>>();
    assert_eq!(names(store.checkpoints_of(TREE).expect("listed")), ["T1", "T2", "T3", "T4"]);
    assert_eq!(names(store.list(&id, ListFilter::default()).expect("listed")), ["T1", "T2", "T3", "T4"]);
    assert_eq!(store.newest(&id).expect("read").map(|row| row.id.0).as_deref(), Some("T4"));
    let retention = |turns, other_ms| Retention { turns, safety_ms: 10, other_ms, max_bytes: 0, gone: false };
    assert_eq!(deleted(store, &retention(9, 50)), [""; 0]);
    assert_eq!(deleted(store, &retention(9, 39)), ["T1", "T2", "T3"]);
    assert_eq!(deleted(store, &retention(2, 50)), ["T1", "T2"]);
}

pub(super) fn hidden_checkpoints_are_kept_from_the_restore_on(store: &dyn CheckpointStore) {
    let id = history(store);
    whole(store, &request(&id, "A", "k", RestoreOptions::default()), "S");
    let retention = |safety_ms| Retention { turns: 9, safety_ms, other_ms: 500, max_bytes: 0, gone: false };
    // At time 200, B, C and D are 190 old and have been hidden for 90.
    let deleted = |safety_ms| store.prune_candidates(&retention(safety_ms), 200).expect("listed").len();
    assert_eq!((deleted(90), deleted(89)), (0, 3));
}

/// Returns the ids of the checkpoints that are deleted at time 100, sorted.
fn deleted(store: &dyn CheckpointStore, retention: &Retention) -> Vec<String> {
    let deleted = store.prune_candidates(retention, 100).expect("listed");
    let mut ids: Vec<String> = deleted.into_iter().map(|row| row.id.0).collect();
    ids.sort();
    ids
}

pub(super) fn trimmed_messages_are_deleted_late(store: &dyn CheckpointStore) {
    let id = history(store);
    let new = request(&id, "A", "k", RestoreOptions::default());
    whole(store, &new, "S");
    assert_eq!(store.delete_trimmed(110, None).expect("answered"), 0);
    assert_eq!(store.delete_trimmed(111, Some("elsewhere")).expect("answered"), 0);
    assert_eq!(store.delete_trimmed(111, Some(TREE)).expect("answered"), 3);
    assert_eq!(bodies(store, &id), ["one"]);
}
