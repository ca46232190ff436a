//! The checkpoints that retention deletes, and when.

use super::fixtures::{TREE, bodies, checkpoint, history, request, session, turn_of, walk, whole};
use fuzzy_checkpoint_store::{
    Changes, CheckpointStore, Error, Kind, ListFilter, MessageStatus, RestoreOptions, Retention, Trim, TurnId, TurnNote,
};

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
    for (name, kind) in [("T", Kind::Turn), ("E", Kind::End)] {
        store.insert_checkpoint(&checkpoint(&id, name, prompt.seq, 10, kind)).expect("inserted");
    }
    let retention = |other_ms| Retention { turns: 9, safety_ms: 10, other_ms, max_bytes: 0, gone: false };
    assert_eq!(deleted(store, &retention(90)), [""; 0]);
    assert_eq!(deleted(store, &retention(89)), ["E"], "a running turn needs its start");
    store.note(&turn, TurnNote::Changes(&changes)).expect("noted");
    store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    assert_eq!(deleted(store, &retention(89)), ["E", "T"]);
    for kept in [true, false] {
        store.note(&turn, TurnNote::Kept(kept)).expect("noted");
        assert_eq!(store.messages(&id).expect("read")[0].kept, kept);
        assert_eq!(deleted(store, &retention(89)).is_empty(), kept);
        assert_eq!(store.needed_checkpoints(100).expect("read").len(), if kept { 2 } else { 0 });
    }
    assert!(matches!(store.note(&"none".into(), TurnNote::Kept(true)), Err(Error::Missing { .. })));
}

pub(super) fn a_clock_that_was_set_back_makes_no_checkpoint_older(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    // The second and third were taken after the clock was set back, the last one before it was set forward.
    for (name, time) in [("T1", 60), ("T2", 5), ("T3", 6), ("T4", 900)] {
        store.insert_checkpoint(&checkpoint(&id, name, 1, time, Kind::Turn)).expect("inserted");
    }
    let names =
        |rows: Vec<fuzzy_checkpoint_store::Checkpoint>| rows.into_iter().map(|row| row.id.0).collect::<Vec<_>>();
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
    assert_eq!(store.delete_trimmed(110, TREE).expect("answered"), 0);
    assert_eq!(store.delete_trimmed(111, "elsewhere").expect("answered"), 0);
    assert_eq!(store.delete_trimmed(111, TREE).expect("answered"), 3);
    assert_eq!(bodies(store, &id), ["one"]);
}

pub(super) fn texts_are_deleted_with_their_turns(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let mut turns = Vec::new();
    for (number, time) in [(1, 10), (2, 20), (3, 5), (4, 60), (5, 70)] {
        let prompt = store.begin_turn(&id, &format!("prompt {number}"), time).expect("begun");
        let turn = turn_of(&prompt);
        store.append_message(&id, &turn, "assistant", "reply", time).expect("stored");
        turns.push((prompt, turn.clone()));
        if number < 5 {
            store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
        }
    }
    let retention = |turns, other_ms| Retention { turns, safety_ms: 10, other_ms, max_bytes: 0, gone: false };
    let clear = |turns, other_ms| store.clear_old_texts(TREE, &retention(turns, other_ms), 100).expect("cleared");
    store.note(&turns[1].1, TurnNote::Kept(true)).expect("noted");
    assert_eq!(clear(9, 90), 0);
    // The third one began after the clock was set back, so it is as old as the second one.
    assert_eq!((clear(9, 80), clear(9, 80)), (2, 0));
    assert_eq!(bodies(store, &id)[..3], ["", "", "prompt 2"]);
    assert_eq!(clear(9, 79), 2);
    assert_eq!(store.clear_old_texts("elsewhere", &retention(0, 0), 100).expect("answered"), 0);
    assert_eq!(clear(2, 79), 0, "the newest two turns");
    assert_eq!(clear(1, 79), 2);
    // The last one still runs.
    assert_eq!(clear(0, 0), 0);
    assert_eq!(bodies(store, &id), ["", "", "prompt 2", "reply", "", "", "", "", "prompt 5", "reply"]);
    let much_later = 100 + 30 * 24 * 60 * 60 * 1000;
    assert_eq!(store.clear_old_texts(TREE, &retention(9, 0), much_later).expect("cleared"), 2, "its end was lost");
    let rows = store.turns_of(TREE).expect("listed");
    assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5], "numbers and times stay");
    assert_eq!(rows[2].prompt.created_at, 5);
    store.purge().expect("purged");
    assert_eq!(bodies(store, &id)[2], "prompt 2");
}

pub(super) fn prompts_in_the_results_of_restores_are_deleted(store: &dyn CheckpointStore) {
    let id = history(store);
    let new = request(&id, "B", "k", RestoreOptions { trim: Trim::From, ..RestoreOptions::default() });
    assert_eq!(whole(store, &new, "S").prompt.as_deref(), Some("two"));
    let prompt = || store.restore(&new.id).expect("read").expect("there").result.prompt;
    store.delete_trimmed(110, TREE).expect("answered");
    assert_eq!(prompt().as_deref(), Some("two"));
    assert_eq!(store.delete_trimmed(111, TREE).expect("answered"), 2);
    assert_eq!(prompt(), None);
}

pub(super) fn turns_of_deleted_sessions_keep_their_places(store: &dyn CheckpointStore) {
    let (id, other) = (session(store, "s"), session(store, "other"));
    let mut places = Vec::new();
    for (session, name) in [(&id, "A"), (&other, "B"), (&id, "C")] {
        let prompt = store.begin_turn(session, "secret", 10).expect("begun");
        store.note(&turn_of(&prompt), TurnNote::Edited(&["a.txt".into()])).expect("noted");
        // The first turn's end is not captured.
        let end = checkpoint(session, name, prompt.seq, 10, Kind::End);
        places.push((name != "A").then(|| store.insert_checkpoint(&end).expect("inserted")));
        store.end_turn(session, &turn_of(&prompt), MessageStatus::Complete).expect("ended");
    }
    let known = |store: &dyn CheckpointStore| -> Vec<_> {
        store.turns_of(TREE).expect("listed").into_iter().map(|row| (row.number, row.place, row.ended)).collect()
    };
    let before = known(store);
    assert_eq!((before[1].2, before[2].2), (places[1], places[2]));
    store.delete_checkpoints(TREE, &["B".into()]).expect("deleted");
    assert_eq!(known(store), before, "a turn keeps the place of its end");
    let options = RestoreOptions { trim: Trim::From, ..RestoreOptions::default() };
    let restore = request(&id, "C", "k", options);
    assert_eq!(whole(store, &restore, "S").prompt.as_deref(), Some("secret"));
    store.delete_session(&id).expect("deleted");
    assert_eq!(known(store), before, "so do the turns of a deleted session");
    let left = store.restores_of(TREE).expect("listed");
    assert_eq!((left.len(), &left[0].id, left[0].result.prompt.as_deref()), (1, &restore.id, None));
    let rows = store.turns_of(TREE).expect("listed");
    assert_eq!((rows[0].prompt.body.as_str(), rows[0].edited.as_slice()), ("", &["a.txt".into()][..]));
}
