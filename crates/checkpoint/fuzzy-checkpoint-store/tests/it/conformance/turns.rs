//! Turns: only one runs at a time, and none survives the restore that stopped it.

use fuzzy_checkpoint::RepoPath;

use super::fixtures::{TREE, bodies, checkpoint, history, is_over, request, session, state, turn_of, walk, whole};
use fuzzy_checkpoint_store::{
    BeginOutcome, Changes, CheckpointStore, Error, Kind, LateFile, MessageStatus, Patch, Phase, RestoreOptions,
    SessionId, SessionState, Trim, TurnFilter, TurnNote,
};

pub(super) fn one_turn_at_a_time(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let prompt = store.begin_turn(&id, "hello", 3).expect("begun");
    let turn = turn_of(&prompt);
    assert_eq!((prompt.seq, prompt.role.as_str(), prompt.status), (1, "user", MessageStatus::Complete));
    assert!(matches!(store.begin_turn(&id, "again", 3), Err(Error::TurnRuns(session)) if session == id));
    assert_eq!(store.session(&id).expect("read").expect("there").turn, Some(turn.clone()));
    let half = store.append_message(&id, &turn, "assistant", "half", 4).expect("stored");
    assert_eq!((half.seq, half.status), (2, MessageStatus::Streaming));
    store.note(&turn, TurnNote::Uncheckpointed("the reason")).expect("noted");
    store.end_turn(&id, &turn, MessageStatus::Failed).expect("ended");
    let messages = store.messages(&id).expect("listed");
    assert_eq!(
        messages.iter().map(|message| (message.status, message.uncheckpointed.as_deref())).collect::<Vec<_>>(),
        [(MessageStatus::Failed, Some("the reason")), (MessageStatus::Failed, None)]
    );
    assert_eq!(store.messages_after(&id, 1).expect("listed"), messages[1..]);
    assert_eq!(store.messages_between(&id, 0, 1).expect("listed"), messages[..1]);
    assert_eq!(store.message(&id, &messages[1].id).expect("read").as_ref(), Some(&messages[1]));
    assert_eq!(store.message(&"other".into(), &messages[1].id).expect("read"), None);
    assert_eq!(state(store, &id), SessionState::Idle);
    assert!(is_over(store, &id, &turn));
    let next = turn_of(&store.begin_turn(&id, "next", 5).expect("begun"));
    assert!(is_over(store, &id, &turn), "output of another turn is refused");
    store.end_turn(&id, &turn, MessageStatus::Failed).expect("passed over");
    assert_eq!(state(store, &id), SessionState::Running);
    store.end_turn(&id, &next, MessageStatus::Complete).expect("ended");
    assert_eq!(bodies(store, &id), ["hello", "half", "next"]);
}

pub(super) fn numbers_and_places_come_from_sequences(store: &dyn CheckpointStore) {
    let (one, two) = (session(store, "one"), session(store, "two"));
    let begin = |id: &SessionId, at: i64| {
        let prompt = store.begin_turn(id, "prompt", at).expect("begun");
        store.end_turn(id, &turn_of(&prompt), MessageStatus::Complete).expect("ended");
        prompt.number
    };
    // The clock steps back, and a session is deleted.
    assert_eq!([begin(&one, 100), begin(&two, 50), begin(&one, 10)], [Some(1), Some(2), Some(3)]);
    let inserted = checkpoint(&one, "A", 1, 5, Kind::Manual);
    store.insert_checkpoint(&inserted).expect("inserted");
    let numbers = || {
        let turns = store.turns_of(TREE).expect("listed").into_iter();
        turns.map(|turn| (turn.number, turn.prompt.number, turn.place)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(), [(1, Some(1), 1), (2, Some(2), 2), (3, Some(3), 3)]);
    store.delete_session(&two).expect("deleted");
    assert_eq!(begin(&one, 1), Some(4));
    assert_eq!(numbers(), [(1, Some(1), 1), (2, Some(2), 2), (3, Some(3), 3), (4, Some(4), 5)]);
    let restore = request(&one, "A", "k", RestoreOptions { trim: Trim::None, ..RestoreOptions::default() });
    whole(store, &restore, "S");
    let places = (store.checkpoints_of(TREE).expect("listed")[0].place, store.restores_of(TREE).expect("listed"));
    assert_eq!((places.0, places.1[0].moment, places.1[0].begun, places.1[0].place), (4, Some(4), 6, 7));
    let output = store.begin_turn(&one, "x", 1).expect("begun");
    let said = store.append_message(&one, &turn_of(&output), "user", "no prompt", 1).expect("stored");
    assert_eq!((output.number, said.number), (Some(5), None), "only a prompt is a turn");
}

/// Returns the numbers of the turns that fit a filter.
fn numbers(store: &dyn CheckpointStore, filter: TurnFilter<'_>) -> Vec<i64> {
    let page = store.turns_where(TREE, &filter).expect("listed");
    page.turns.iter().map(|turn| turn.number).collect()
}

pub(super) fn a_long_list_of_turns_is_filtered_and_paged(store: &dyn CheckpointStore) {
    let (one, two) = (session(store, "one"), session(store, "two"));
    let add = |id: &SessionId, prompt: &str, files: Option<&[&str]>| {
        let turn = turn_of(&store.begin_turn(id, prompt, 3).expect("begun"));
        if let Some(files) = files {
            let files: Vec<RepoPath> = files.iter().map(|path| RepoPath::from(*path)).collect();
            store.note(&turn, TurnNote::Files(&files)).expect("noted");
        }
        store.end_turn(id, &turn, MessageStatus::Complete).expect("ended");
    };
    add(&one, "Add the Cart", Some(&["src/cart.rs", "100%.txt"]));
    add(&two, "A discount of 5%", Some(&["src/cart.rs/odd", "src"]));
    add(&one, "Nothing _ at all", None);
    add(&two, "Rename it", Some(&["old\nname", "lib/Cart.rs"]));
    store.insert_checkpoint(&checkpoint(&two, "B", 2, 5, Kind::Turn)).expect("inserted");
    let all = TurnFilter { session: None, path: None, text: None, before: None, most: 10 };
    assert_eq!(numbers(store, all), [4, 3, 2, 1]);
    assert_eq!(numbers(store, TurnFilter { most: 2, ..all }), [4, 3]);
    assert_eq!(numbers(store, TurnFilter { before: Some(3), most: 1, ..all }), [2]);
    assert_eq!(numbers(store, TurnFilter { session: Some(&two), ..all }), [4, 2]);
    for (path, found) in [
        ("src/cart.rs", &[2, 1][..]),
        ("src", &[2, 1]),
        ("100%.txt", &[1]),
        ("old\nname", &[4]),
        ("cart.rs", &[]),
        ("s_c", &[]),
    ] {
        let path = RepoPath::from(path);
        assert_eq!(numbers(store, TurnFilter { path: Some(&path), ..all }), found, "{path:?}");
    }
    for (text, found) in [("cART", &[4, 2, 1][..]), ("_", &[3]), ("5%", &[2]), ("NAME", &[4]), ("none", &[])] {
        assert_eq!(numbers(store, TurnFilter { text: Some(text), ..all }), found, "{text}");
    }
    let src = RepoPath::from("src");
    assert_eq!(numbers(store, TurnFilter { session: Some(&one), path: Some(&src), text: Some("add"), ..all }), [1]);
    assert!(store.turns_where("another", &all).expect("listed").turns.is_empty());
    let found = store.turns_where(TREE, &all).expect("listed");
    assert_eq!(found.begins.iter().map(|row| row.id.0.as_str()).collect::<Vec<_>>(), ["B"]);
    assert_eq!(found.turns[0].files, Some(vec!["old\nname".into(), "lib/Cart.rs".into()]));
    assert_eq!(found.turns[1].files, None);
    let starts: Vec<_> = store.turn_starts(TREE).expect("read").iter().map(|turn| (turn.number, turn.from)).collect();
    assert_eq!(starts, [(1, 1), (2, 2), (3, 3), (4, 5)], "the place of the checkpoint");
}

pub(super) fn a_session_of_a_host_is_named_by_its_first_prompt(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let name = || store.session(&id).expect("read").expect("there").name;
    assert_eq!(name(), "a title");
    store.set_host(&id, "codex").expect("set");
    assert_eq!(name(), "codex");
    let prompt = format!("Fix\n  the\ttotal {}", "of the cart ".repeat(20));
    let first = turn_of(&store.begin_turn(&id, &prompt, 3).expect("begun"));
    store.end_turn(&id, &first, MessageStatus::Complete).expect("ended");
    store.begin_turn(&id, "Another prompt.", 4).expect("begun");
    assert_eq!(name(), "codex · Fix the total of the cart of the cart of the cart of the car…");
    // A cut text must not end within an escape.
    let odd = session(store, "odd");
    store.set_host(&odd, "codex").expect("set");
    store.begin_turn(&odd, &format!("odd{}", "\0".repeat(300)), 5).expect("begun");
    assert_eq!(store.session(&odd).expect("read").expect("there").name, "codex · odd");
    assert!(store.all_sessions().expect("listed").iter().any(|row| row.session.name == name()));
    assert!(matches!(store.set_host(&"none".into(), "x"), Err(Error::Missing { .. })));
}

pub(super) fn edited_files_are_stored_with_their_turn(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let turn = turn_of(&store.begin_turn(&id, "prompt", 3).expect("begun"));
    let paths = [RepoPath::from("a.txt"), RepoPath::new(&b"caf\xe9"[..])];
    // Two processes may add files at the same time, and neither knows those of the other.
    for path in &paths {
        store.note(&turn, TurnNote::Edited(std::slice::from_ref(path))).expect("noted");
    }
    assert_eq!(store.turns_of(TREE).expect("listed")[0].edited, paths);
    store.take_away(&id).expect("a running turn");
    assert!(store.session(&id).expect("read").is_none() && store.turns_of(TREE).expect("listed").is_empty());
}

pub(super) fn kept_turns_are_read_with_the_next_ones(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let begin = |at: i64| {
        let prompt = store.begin_turn(&id, "prompt", at).expect("begun");
        store.end_turn(&id, &turn_of(&prompt), MessageStatus::Complete).expect("ended");
        prompt
    };
    let prompts = [10, 20, 30, 40].map(begin);
    let kept = |after: i64| -> Vec<i64> {
        store.turns_kept(TREE, after).expect("listed").into_iter().map(|row| row.number).collect()
    };
    assert_eq!(kept(0), [0; 0]);
    store.insert_checkpoint(&checkpoint(&id, "E", prompts[2].seq, 31, Kind::End)).expect("inserted");
    store.insert_checkpoint(&checkpoint(&id, "T", prompts[0].seq, 10, Kind::Turn)).expect("inserted");
    assert_eq!(kept(0), [1, 2]);
    store.note(&turn_of(&prompts[3]), TurnNote::Uncheckpointed("the disk is full")).expect("noted");
    assert_eq!((kept(39), kept(40)), (vec![1, 2, 4], vec![1, 2]));
}

pub(super) fn notes_about_a_turn_are_stored_with_its_prompt(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    let turn = turn_of(&store.begin_turn(&id, "hello", 3).expect("begun"));
    store.note(&turn, TurnNote::Outside(&changes(1))).expect("noted");
    store.note(&turn, TurnNote::Changes(&changes(2))).expect("noted");
    store.note(&turn, TurnNote::Changes(&changes(3))).expect("noted again");
    let prompt = || store.messages(&id).expect("listed").remove(0);
    assert_eq!((prompt().changes, prompt().outside), (Some(changes(3)), Some(changes(1))));
    store.note(&turn, TurnNote::Uncompared("the disk is full")).expect("noted");
    assert_eq!((prompt().changes, prompt().outside), (None, Some(changes(1))), "the counts are unknown");
    assert_eq!((prompt().uncompared.as_deref(), prompt().uncheckpointed), (Some("the disk is full"), None));
}

/// Returns changes of `files` files.
fn changes(files: u64) -> Changes {
    Changes { from: "A".into(), to: "B".into(), files, insertions: 5, deletions: 0 }
}

pub(super) fn an_outline_is_the_transcript_without_its_texts(store: &dyn CheckpointStore) {
    let id = history(store);
    let turn = turn_of(&store.begin_turn(&id, "caf\u{e9}", 3).expect("begun"));
    store.append_message(&id, &turn, "assistant", "", 4).expect("stored");
    let whole = [(1, true, 3), (2, false, 5), (3, true, 3), (4, false, 5), (5, true, 5), (6, false, 0)];
    assert_eq!(outline(store, &id, 0, i64::MAX), whole);
    assert_eq!(outline(store, &id, 1, 3), whole[1..4]);
    assert_eq!(outline(store, &id, 6, 3), []);
    store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    let trimmed = store.messages(&id).expect("listed").pop().expect("the last");
    let new = request(&id, "A", "k", RestoreOptions::default());
    store.begin_restore(&new).expect("begun");
    walk(store, &new.id, "S");
    store.commit_restore(&new.id, 110).expect("committed");
    assert_eq!(outline(store, &id, 0, i64::MAX), whole[..1]);
    assert_eq!(store.message(&id, &trimmed.id).expect("read"), None);
}

/// Returns place, role and length of the outline's messages.
fn outline(store: &dyn CheckpointStore, id: &SessionId, after: i64, most: i64) -> Vec<(i64, bool, i64)> {
    let outline = store.outline(id, after, most).expect("listed");
    outline.iter().map(|line| (line.seq, line.is_prompt, line.bytes)).collect()
}

pub(super) fn turns_are_the_sessions_own(store: &dyn CheckpointStore) {
    let (id, other) = (session(store, "s"), session(store, "other"));
    let turn = turn_of(&store.begin_turn(&id, "hello", 3).expect("begun"));
    let reply = store.append_message(&id, &turn, "assistant", "half", 4).expect("stored");
    for (session, turn) in [(&other, &turn), (&id, &"none".into()), (&id, &turn_of(&reply))] {
        let refused = store.append_message(session, turn, "assistant", "x", 4);
        assert!(matches!(refused, Err(Error::Missing { .. })), "{refused:?}");
        assert!(matches!(store.end_turn(session, turn, MessageStatus::Failed), Err(Error::Missing { .. })));
    }
    assert!(matches!(store.begin_turn(&"unknown".into(), "x", 4), Err(Error::Missing { .. })));
    assert!(matches!(store.note(&"none".into(), TurnNote::Uncompared("x")), Err(Error::Missing { .. })));
    assert_eq!((state(store, &id), state(store, &other)), (SessionState::Running, SessionState::Idle));
    let listed = store.all_sessions().expect("listed");
    assert_eq!(
        listed.iter().map(|row| (&row.session.id, row.root.as_str())).collect::<Vec<_>>(),
        [(&id, "/repo/wt0"), (&other, "/repo/wt0")],
        "newest first; of the same age, by name"
    );
    assert_eq!((listed[0].turns, listed[0].active_at), (1, 4), "one prompt, last message at 4");
    assert_eq!((listed[1].turns, listed[1].active_at), (0, listed[1].session.created_at));
    assert_eq!(listed[0].session, store.session(&id).expect("read").expect("there"));
}

pub(super) fn a_restore_ends_the_turn_it_stopped(store: &dyn CheckpointStore) {
    let id = history(store);
    for (key, trim) in [("spares it", Trim::None), ("trims it", Trim::After)] {
        let turn = turn_of(&store.begin_turn(&id, "three", 9).expect("begun"));
        let new = request(&id, "A", key, RestoreOptions { force: true, trim, ..RestoreOptions::default() });
        assert_eq!(store.begin_restore(&new).expect("answered"), BeginOutcome::Started);
        let last = store.append_message(&id, &turn, "assistant", "until it stops", 9).expect("stored");
        walk(store, &new.id, "S");
        assert!(is_over(store, &id, &turn), "it has stopped");
        store.commit_restore(&new.id, 110).expect("committed");
        assert!(is_over(store, &id, &turn));
        store.end_turn(&id, &turn, MessageStatus::Complete).expect("passed over");
        assert_eq!(state(store, &id), SessionState::Idle);
        let kept = store.messages_after(&id, last.seq - 1).expect("listed");
        let kept: Vec<_> = kept.iter().map(|message| message.status).collect();
        assert_eq!(kept, if trim == Trim::None { vec![MessageStatus::Failed] } else { Vec::new() });
    }
}

/// Begins a restore and refuses it at once; with `turn_goes_on`, because the turn did not stop.
fn refuse(store: &dyn CheckpointStore, id: &SessionId, key: &str, turn_goes_on: bool) {
    let new = request(id, "A", key, RestoreOptions { force: true, ..RestoreOptions::default() });
    store.begin_restore(&new).expect("begun");
    let patch = Patch { turn_goes_on, now: 101, ..Patch::default() };
    store.advance(&new.id, Phase::Begun, Phase::Refused, &patch).expect("refused");
}

pub(super) fn a_turn_that_did_not_stop_continues(store: &dyn CheckpointStore) {
    let id = history(store);
    refuse(store, &id, "nothing to stop", true);
    assert_eq!(state(store, &id), SessionState::Idle, "there was no turn to continue");
    let turn = turn_of(&store.begin_turn(&id, "three", 9).expect("begun"));
    refuse(store, &id, "not stopped", true);
    assert_eq!(state(store, &id), SessionState::Running);
    store.append_message(&id, &turn, "assistant", "more output", 9).expect("stored");
    refuse(store, &id, "stopped", false);
    assert_eq!(state(store, &id), SessionState::Idle);
    assert!(is_over(store, &id, &turn));
    let turn = turn_of(&store.begin_turn(&id, "four", 9).expect("begun"));
    let new = request(&id, "A", "ends by itself", RestoreOptions { force: true, ..RestoreOptions::default() });
    store.begin_restore(&new).expect("begun");
    store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    assert_eq!(state(store, &id), SessionState::Restoring, "only the restore ends itself");
    walk(store, &new.id, "S");
    store.commit_restore(&new.id, 110).expect("committed");
    assert_eq!(state(store, &id), SessionState::Idle);
}

pub(super) fn a_turn_goes_on_beside_a_restore(store: &dyn CheckpointStore) {
    let id = history(store);
    store.set_host(&id, "gemini").expect("noted");
    let turn = turn_of(&store.begin_turn(&id, "three", 9).expect("begun"));
    store.append_message(&id, &turn, "assistant", "before", 9).expect("stored");
    let new = request(&id, "A", "beside", RestoreOptions { force: true, ..RestoreOptions::default() });
    store.begin_restore(&new).expect("begun");
    let patch = Patch { safety_id: Some("S".into()), turn_goes_on: true, now: 101, ..Patch::default() };
    store.advance(&new.id, Phase::Begun, Phase::Safe, &patch).expect("advanced");
    for (from, to) in [(Phase::Safe, Phase::Files), (Phase::Files, Phase::Index)] {
        store.advance(&new.id, from, to, &Patch::default()).expect("advanced");
    }
    let outcome = store.commit_restore(&new.id, 110).expect("committed");
    assert_eq!(outcome.messages_deleted, 3, "those of the turns before it");
    assert_eq!((state(store, &id), bodies(store, &id)), (SessionState::Running, text(&["one", "three", "before"])));
    store.append_message(&id, &turn, "assistant", "after", 111).expect("stored");
    // Its undo is possible beside the turn, too, but the session has another message.
    let options = RestoreOptions { undo_of: Some(new.id), trim: Trim::None, ..RestoreOptions::default() };
    let undo = request(&id, "A", "undo", options);
    assert_eq!(store.begin_restore(&undo).expect("answered"), BeginOutcome::Started);
    let patch = Patch { turn_goes_on: true, ..Patch::default() };
    store.advance(&undo.id, Phase::Begun, Phase::Refused, &patch).expect("refused");
    store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    let facts = |store: &dyn CheckpointStore| {
        let row = store.turns_of(TREE).expect("listed").pop().expect("a turn");
        (row.ended.is_some(), row.wrote_after, row.late)
    };
    assert_eq!(facts(store), (true, None, Vec::new()));
    let late = vec![LateFile { path: "a".into(), changed_at: 7, gone: true, kept: Some(false) }];
    store.note(&turn, TurnNote::WroteAfter(0)).expect("noted");
    store.note(&turn, TurnNote::Late(&late)).expect("noted");
    assert_eq!(facts(store), (true, Some(0), late));
    let starts = store.turn_starts(TREE).expect("read");
    assert_eq!(starts.iter().map(|turn| turn.wrote_after).collect::<Vec<_>>(), [-1, -1, 0]);
}

fn text(bodies: &[&str]) -> Vec<String> {
    bodies.iter().map(|body| (*body).to_owned()).collect()
}
