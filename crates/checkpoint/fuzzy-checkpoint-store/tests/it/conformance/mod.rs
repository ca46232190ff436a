//! The conformance suite of stores: each rule of [`CheckpointStore`] has its tests here.
//!
//! Call [`all`] with a function that creates an empty store, [`opened_at_once`] with one that opens the same store
//! repeatedly, and [`two_at_once`] with two connections to one store.

mod fixtures;
mod restores;
mod retention;
mod rivals;
mod turns;

use std::sync::Arc;

#[cfg(feature = "postgres")]
pub(crate) use fixtures::{TREE, one_worktree, told};
pub(crate) use rivals::{opened_at_once, two_at_once};

#[cfg(not(feature = "postgres"))]
use fixtures::TREE;
use fixtures::{checkpoint, history, newest, request, session, turn_of, walk, whole, worktree};
use fuzzy_checkpoint_store::{
    BeginOutcome, Checkpoint, CheckpointId, CheckpointStore, Kind, MessageStatus, RestoreOptions, SessionId, Trim,
    TurnNote, WorktreeRow, ulid,
};

/// A function that creates an empty store.
pub(crate) type Make<'a> = &'a dyn Fn() -> Arc<dyn CheckpointStore>;

/// Runs the whole suite.
pub(crate) fn all(make: Make<'_>) {
    for test in [
        keeps_rows,
        turns::one_turn_at_a_time,
        turns::an_outline_is_the_transcript_without_its_texts,
        turns::turns_are_the_sessions_own,
        turns::a_restore_ends_the_turn_it_stopped,
        turns::numbers_and_places_come_from_sequences,
        turns::a_session_of_a_host_is_named_by_its_first_prompt,
        turns::a_long_list_of_turns_is_filtered_and_paged,
        turns::edited_files_are_stored_with_their_turn,
        turns::kept_turns_are_read_with_the_next_ones,
        turns::notes_about_a_turn_are_stored_with_its_prompt,
        the_newest_checkpoint_has_the_last_known_state,
        restores::the_history_is_paged,
        turns::a_turn_that_did_not_stop_continues,
        turns::a_turn_goes_on_beside_a_restore,
        restores::one_open_restore,
        restores::phases_compare_and_swap,
        restores::commit_trims_and_retires,
        restores::trim_from_returns_the_prompt,
        restores::files_only_spares_the_transcript,
        restores::an_undo_reverts_everything,
        restores::restores_are_a_stack,
        restores::the_newest_restore_is_the_last_one_even_after_the_clock_was_set_back,
        restores::an_undo_is_refused_after_another_message,
        leases_are_not_stolen,
        retention::retention_keeps_what_it_must,
        retention::an_old_turn_is_deleted_unless_it_is_kept,
        retention::a_clock_that_was_set_back_makes_no_checkpoint_older,
        retention::hidden_checkpoints_are_kept_from_the_restore_on,
        retention::trimmed_messages_are_deleted_late,
        retention::texts_are_deleted_with_their_turns,
        retention::prompts_in_the_results_of_restores_are_deleted,
        retention::turns_of_deleted_sessions_keep_their_places,
        foreign_rows_are_refused,
        every_text_is_preserved,
    ] {
        test(&*make());
    }
}

fn keeps_rows(store: &dyn CheckpointStore) {
    let id = session(store, "s");
    store.put_worktree(&WorktreeRow { root: "/moved".into(), ..worktree(TREE) }, 9).expect("put again");
    assert_eq!(store.worktree(TREE).expect("read").expect("there").root, "/moved");
    assert_eq!(store.worktrees().expect("listed").len(), 1);
    let row = checkpoint(&id, "A", 1, 5, Kind::Manual);
    let row = Checkpoint { place: store.insert_checkpoint(&row).expect("inserted"), ..row };
    assert_eq!(store.checkpoint(&id, &row.id).expect("read"), Some(row.clone()));
    let anchored = |seq| store.anchored(&id, seq).expect("listed");
    assert_eq!((anchored(1), anchored(2)), (vec![row.clone()], Vec::new()));
    store.delete_checkpoints(TREE, std::slice::from_ref(&row.id)).expect("deleted");
    assert_eq!(store.checkpoint(&id, &row.id).expect("read"), None);
    assert_eq!(store.sessions(TREE).expect("listed").len(), 1);
    assert_eq!(store.sessions_titled("a title").expect("listed"), store.sessions(TREE).expect("listed"));
    assert_eq!(store.sessions_titled("title").expect("listed"), []);
    assert_eq!(store.session(&"unknown".into()).expect("read"), None);
}

fn the_newest_checkpoint_has_the_last_known_state(store: &dyn CheckpointStore) {
    let (id, other) = (session(store, "s"), session(store, "other"));
    assert_eq!(newest(store, &id), None);
    for (session, name, at, kind, expected) in [
        (&id, "own turn", 10, Kind::Turn, "own turn"),
        (&other, "other's end", 20, Kind::End, "other's end"),
        (&id, "own end", 30, Kind::End, "own end"),
        (&other, "other's turn", 40, Kind::Turn, "own end"),
        (&id, "safety", 50, Kind::Safety, "own end"),
    ] {
        store.insert_checkpoint(&checkpoint(session, name, 1, at, kind)).expect("inserted");
        assert_eq!(newest(store, &id).as_deref(), Some(expected));
    }
    store.delete_checkpoints(TREE, &["own end".into()]).expect("deleted");
    assert_eq!(newest(store, &id).as_deref(), Some("other's end"));
}

fn leases_are_not_stolen(store: &dyn CheckpointStore) {
    let id = history(store);
    assert!(store.take_lease(TREE, "other", 50, 150).expect("answered"));
    assert!(!store.take_lease(TREE, "me", 149, 300).expect("answered"));
    assert_eq!(
        store.begin_restore(&request(&id, "A", "k", RestoreOptions::default())).expect("answered"),
        BeginOutcome::Busy
    );
    assert!(store.renew_lease(TREE, "other", 160).expect("renewed"));
    assert!(!store.renew_lease(TREE, "me", 900).expect("answered"));
    assert!(store.take_lease(TREE, "me", 160, 300).expect("it ran out"));
    store.release_lease(TREE, "other").expect("it has another owner");
    assert!(!store.take_lease(TREE, "other", 161, 400).expect("answered"));
    store.release_lease(TREE, "me").expect("released");
    assert!(!store.renew_lease(TREE, "me", 900).expect("answered"), "a released lease is not renewed");
    assert_eq!(store.leased_until(TREE).expect("read"), 0);
    // A plausible time of this decade.
    let now = store.now().expect("read");
    assert!((1_600_000_000_000..4_000_000_000_000).contains(&now) && store.now().expect("read") >= now, "{now}");
    assert!(store.take_lease(TREE, "other", 162, 400).expect("free"));
    store.release_lease(TREE, "other").expect("released");

    let open = request(&id, "A", "k", RestoreOptions::default());
    assert_eq!(store.begin_restore(&open).expect("answered"), BeginOutcome::Started);
    for (owner, now, is_taken) in [("me", 199, true), ("other", 200, false), ("other", 300, true)] {
        let taken = store.take_lease_of(&open.id, owner, now, now + 100).expect("answered");
        assert_eq!(taken, is_taken, "{owner} at {now}");
    }
    walk(store, &open.id, "B");
    store.commit_restore(&open.id, 301).expect("committed");
    assert!(!store.take_lease_of(&open.id, "late", 302, 900).expect("answered"), "a finished restore is not resumed");
    let next = request(&id, "A", "k2", RestoreOptions::default());
    assert_eq!(store.begin_restore(&next).expect("answered"), BeginOutcome::Started);
}

fn foreign_rows_are_refused(store: &dyn CheckpointStore) {
    let id = history(store);
    let other = SessionId::from("other");
    store.create_session(&other, TREE, "t", 3).expect("created");
    assert_eq!(store.checkpoint(&other, &"A".into()).expect("read"), None);
    assert!(store.create_session(&"x".into(), "no worktree", "t", 3).is_err());
    assert!(store.insert_checkpoint(&checkpoint(&"unknown".into(), "Z", 1, 1, Kind::Turn)).is_err());
    assert!(store.insert_checkpoint(&checkpoint(&id, "A", 1, 1, Kind::Turn)).is_err(), "a name is used once");
    assert!(store.create_session(&id, TREE, "t", 3).is_err());
}

fn every_text_is_preserved(store: &dyn CheckpointStore) {
    store.put_worktree(&worktree(TREE), 1).expect("put");
    let long = "\u{1F980} 'quoted' \\ ?1 $1 %\n".repeat(40_000);
    for text in ["", "a\0b\0", "\u{10FFFF}0\u{10FFFF}", "'; DROP TABLE messages; --", "\u{1}\u{1b}[0m\r\n", &long] {
        let id = SessionId(ulid());
        store.create_session(&id, TREE, text, 2).expect("created");
        let turn = turn_of(&store.begin_turn(&id, text, 3).expect("begun"));
        store.append_message(&id, &turn, text, text, 4).expect("stored");
        store.note(&turn, TurnNote::Uncheckpointed(text)).expect("noted");
        store.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
        let row = Checkpoint { label: text.into(), id: CheckpointId(ulid()), ..checkpoint(&id, "", 1, 5, Kind::Turn) };
        let row = Checkpoint { place: store.insert_checkpoint(&row).expect("inserted"), ..row };
        assert_eq!(store.session(&id).expect("read").expect("there").title, text);
        let said = store.messages(&id).expect("listed");
        assert_eq!((said[0].body.as_str(), said[0].uncheckpointed.as_deref()), (text, Some(text)));
        assert_eq!((said[1].role.as_str(), said[1].body.as_str()), (text, text));
        assert_eq!(store.checkpoint(&id, &row.id).expect("read"), Some(row.clone()));
        let key = text.get(..1000).unwrap_or(text);
        let new = request(&id, row.id.as_str(), key, RestoreOptions { trim: Trim::From, ..RestoreOptions::default() });
        let outcome = whole(store, &new, "S");
        assert_eq!(outcome.prompt.as_deref(), Some(text));
        assert_eq!(store.restore_by_key(&id, key).expect("read").expect("there").result, outcome);
    }
}
