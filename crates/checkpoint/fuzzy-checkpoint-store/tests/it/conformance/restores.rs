//! The effects of a restore on the rows, from its start to its undo.

use super::fixtures::{TREE, bodies, checkpoint, history, names, request, turn_of, walk, whole};
use fuzzy_checkpoint_store::{
    BeginOutcome, CheckpointStore, Error, Kind, MessageStatus, NewRestore, Patch, Phase, RestoreId, RestoreOptions,
    SessionId, Trim,
};

pub(super) fn one_open_restore(store: &dyn CheckpointStore) {
    let id = history(store);
    let other = SessionId::from("other");
    store.create_session(&other, TREE, "shares the worktree", 3).expect("created");
    store.insert_checkpoint(&checkpoint(&other, "O", 0, 5, Kind::Manual)).expect("inserted");
    let first = request(&id, "A", "k", RestoreOptions::default());
    assert_eq!(store.begin_restore(&first).expect("answered"), BeginOutcome::Started);
    let again = store.begin_restore(&request(&id, "A", "k", RestoreOptions::default())).expect("answered");
    assert!(matches!(again, BeginOutcome::Existing(row) if row.id == first.id && row.phase == Phase::Begun));
    assert_eq!(store.restore_by_key(&id, "k").expect("read").expect("there").id, first.id);
    assert_eq!(store.restore_by_key(&other, "k").expect("read"), None);
    assert_eq!(
        store.begin_restore(&request(&id, "B", "k2", RestoreOptions::default())).expect("answered"),
        BeginOutcome::Busy
    );
    assert_eq!(
        store.begin_restore(&request(&other, "O", "k", RestoreOptions::default())).expect("answered"),
        BeginOutcome::Busy
    );
    assert!(matches!(store.begin_turn(&id, "no", 9), Err(Error::Restoring)));
    assert!(matches!(store.begin_turn(&other, "no", 9), Err(Error::Restoring)));
    assert_eq!(store.open_restores().expect("listed").len(), 1);
    store
        .advance(
            &first.id,
            Phase::Begun,
            Phase::Refused,
            &Patch { error: Some("why".into()), now: 101, ..Patch::default() },
        )
        .expect("refused");
    assert!(store.open_restores().expect("listed").is_empty());
    assert_eq!(store.restore(&first.id).expect("read").expect("there").error.as_deref(), Some("why"));
    let all = store.restores_of(TREE).expect("listed");
    assert_eq!(all.iter().map(|row| (&row.id, row.phase)).collect::<Vec<_>>(), [(&first.id, Phase::Refused)]);
    assert!(store.restores_of("elsewhere").expect("listed").is_empty());
    store.begin_turn(&id, "yes", 9).expect("begun");
    assert_eq!(
        store.begin_restore(&request(&id, "A", "k3", RestoreOptions::default())).expect("answered"),
        BeginOutcome::Running(id.clone())
    );
    store.insert_checkpoint(&checkpoint(&other, "P", 0, 5, Kind::Manual)).expect("inserted");
    assert_eq!(
        store.begin_restore(&request(&other, "P", "k5", RestoreOptions::default())).expect("answered"),
        BeginOutcome::Running(id.clone()),
        "in the same worktree"
    );
    let forced = RestoreOptions { force: true, ..RestoreOptions::default() };
    assert_eq!(store.begin_restore(&request(&id, "A", "k4", forced)).expect("answered"), BeginOutcome::Started);
}

pub(super) fn phases_compare_and_swap(store: &dyn CheckpointStore) {
    let id = history(store);
    let new = request(&id, "A", "k", RestoreOptions::default());
    store.begin_restore(&new).expect("begun");
    assert!(matches!(store.commit_restore(&new.id, 1), Err(Error::Conflict { .. })), "not before its phase");
    assert!(matches!(
        store.advance(&new.id, Phase::Safe, Phase::Files, &Patch::default()),
        Err(Error::Conflict { .. })
    ));
    assert!(matches!(
        store.advance(&new.id, Phase::Begun, Phase::Done, &Patch::default()),
        Err(Error::Conflict { .. })
    ));
    walk(store, &new.id, "S1");
    let patch = Patch { safety_id: Some("S2".into()), ..Patch::default() };
    store.advance(&new.id, Phase::Index, Phase::Index, &patch).expect("the same phase again");
    assert_eq!(
        store.restore(&new.id).expect("read").expect("there").safety_id,
        Some("S1".into()),
        "the first safety checkpoint is kept"
    );
    store.commit_restore(&new.id, 1).expect("committed");
    assert!(matches!(store.commit_restore(&new.id, 1), Err(Error::Conflict { .. })), "only once");
    assert!(matches!(store.commit_restore(&"none".into(), 1), Err(Error::Missing { .. })));
}

pub(super) fn commit_trims_and_retires(store: &dyn CheckpointStore) {
    let id = history(store);
    store.insert_checkpoint(&checkpoint(&id, "S", 4, 99, Kind::Safety)).expect("inserted");
    store.insert_checkpoint(&checkpoint(&id, "M", 4, 13, Kind::Manual)).expect("inserted");
    let outcome = whole(store, &request(&id, "A", "k", RestoreOptions::default()), "S");
    assert_eq!((outcome.messages_deleted, outcome.backend_reset, outcome.generation), (3, true, 1));
    assert_eq!(outcome.safety_checkpoint_id.as_deref(), Some("S"));
    assert_eq!(store.last_done(&id).expect("read").expect("there").result, outcome);
    assert_eq!(bodies(store, &id), ["one"]);
    assert_eq!(names(store, &id, false), ["A", "S", "M"], "target, bookmark and own safety stay");
    assert_eq!(names(store, &id, true), ["A", "B", "C", "D", "S", "M"]);
    assert_eq!(store.undelivered_resets().expect("listed"), [(id.clone(), 1)]);
    store.reset_delivered(&id, 1, 5).expect("delivered");
    assert!(store.undelivered_resets().expect("listed").is_empty());
    let next = store.begin_turn(&id, "new", 12).expect("begun");
    assert_eq!(next.seq, 5, "a trimmed message keeps its place");
}

pub(super) fn trim_from_returns_the_prompt(store: &dyn CheckpointStore) {
    let id = history(store);
    let outcome =
        whole(store, &request(&id, "B", "k", RestoreOptions { trim: Trim::From, ..RestoreOptions::default() }), "S");
    assert_eq!((outcome.prompt.as_deref(), outcome.messages_deleted), (Some("two"), 2));
    assert_eq!(bodies(store, &id), ["one", "reply"]);
    assert_eq!(names(store, &id, false), ["A", "B"], "C has the same anchor and time, but came later");
}

pub(super) fn files_only_spares_the_transcript(store: &dyn CheckpointStore) {
    let id = history(store);
    let none = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let some = RestoreOptions { paths: vec!["dir".into()], ..RestoreOptions::default() };
    for (key, options) in [("k1", none), ("k2", some)] {
        let outcome = whole(store, &request(&id, "A", key, options), "S");
        assert_eq!((outcome.messages_deleted, outcome.backend_reset, outcome.generation), (0, false, 0));
    }
    assert_eq!(bodies(store, &id).len(), 4);
    assert_eq!(names(store, &id, false).len(), 4);
    assert!(store.undelivered_resets().expect("listed").is_empty());
}

pub(super) fn the_newest_restore_is_the_last_one_even_after_the_clock_was_set_back(store: &dyn CheckpointStore) {
    let id = history(store);
    for (key, now) in [("first", 100), ("set back", 50), ("the same moment", 50)] {
        let new = NewRestore { now, ..request(&id, "A", key, RestoreOptions::default()) };
        whole(store, &new, "S");
        assert_eq!(store.last_done(&id).expect("read").expect("there").request_key, key);
    }
}

pub(super) fn an_undo_reverts_everything(store: &dyn CheckpointStore) {
    let id = history(store);
    store.insert_checkpoint(&checkpoint(&id, "S", 4, 99, Kind::Safety)).expect("inserted");
    let first = request(&id, "A", "k", RestoreOptions::default());
    whole(store, &first, "S");
    let options = RestoreOptions { undo_of: Some(first.id.clone()), ..RestoreOptions::default() };
    let outcome = whole(store, &request(&id, "S", "undo", options), "S2");
    assert_eq!((outcome.messages_deleted, outcome.generation), (3, 2));
    let last = store.last_done(&id).expect("read").expect("there");
    assert_eq!((last.options.undo_of, last.request_key.as_str()), (Some(first.id), "undo"));
    assert_eq!(bodies(store, &id), ["one", "reply", "two", "reply"]);
    assert_eq!(names(store, &id, false), ["A", "B", "C", "D", "S"]);
}

pub(super) fn restores_are_a_stack(store: &dyn CheckpointStore) {
    let id = history(store);
    for safety in ["S1", "S2", "U2", "U1", "R1"] {
        store.insert_checkpoint(&checkpoint(&id, safety, 4, 99, Kind::Safety)).expect("inserted");
    }
    let begin = |target: &str, key: &str, undo_of: Option<&RestoreId>, redo: bool| {
        let options = RestoreOptions { undo_of: undo_of.cloned(), redo, ..RestoreOptions::default() };
        request(&id, target, key, options)
    };
    let (first, second) = (begin("B", "1", None, false), begin("A", "2", None, false));
    whole(store, &first, "S1");
    whole(store, &second, "S2");
    let refused = store.begin_restore(&begin("S1", "too early", Some(&first.id), false));
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    whole(store, &begin("S2", "3", Some(&second.id), false), "U2");
    assert_eq!(bodies(store, &id), ["one", "reply", "two"]);
    let undo = begin("S1", "4", Some(&first.id), false);
    assert_eq!(whole(store, &undo, "U1").messages_deleted, 1);
    assert_eq!(bodies(store, &id).len(), 4);
    assert_eq!(names(store, &id, false), ["A", "B", "C", "D", "S1", "S2", "U2", "U1", "R1"]);
    assert_eq!(store.done_after(&id, Some(&second.id)).expect("listed").len(), 2);
    whole(store, &begin("U1", "5", Some(&undo.id), true), "R1");
    assert_eq!(bodies(store, &id), ["one", "reply", "two"]);
    let visible = names(store, &id, false);
    assert!(["S1", "U1", "R1"].iter().all(|own| visible.iter().any(|name| name == own)), "{visible:?}");
    assert!(!visible.iter().any(|name| name == "D"), "{visible:?}");
}

pub(super) fn the_history_is_paged(store: &dyn CheckpointStore) {
    let id = history(store);
    let mut done = Vec::new();
    for key in ["one", "two", "three"] {
        let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
        done.insert(0, RestoreId(whole(store, &request(&id, "A", key, options), "S").restore_id));
    }
    for (before, expected) in
        [(None, &done[..2]), (Some(&done[1]), &done[2..]), (Some(&done[2]), &[]), (Some(&"nobody's".into()), &[])]
    {
        let rows = store.restores_before(&id, before, 2).expect("listed");
        assert_eq!(rows.into_iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{before:?}");
    }
}

pub(super) fn an_undo_is_refused_after_another_message(store: &dyn CheckpointStore) {
    let id = history(store);
    store.insert_checkpoint(&checkpoint(&id, "S", 4, 99, Kind::Safety)).expect("inserted");
    let first = request(&id, "A", "k", RestoreOptions::default());
    whole(store, &first, "S");
    let turn = turn_of(&store.begin_turn(&id, "another word", 120).expect("begun"));
    store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    let all = RestoreOptions { undo_of: Some(first.id), ..RestoreOptions::default() };
    let refused = store.begin_restore(&request(&id, "S", "all", all.clone()));
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    let files = RestoreOptions { trim: Trim::None, ..all };
    assert_eq!(whole(store, &request(&id, "S", "files", files), "S2").messages_deleted, 0);
    assert_eq!(bodies(store, &id), ["one", "another word"]);
}
