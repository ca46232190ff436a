//! Several services on one database.

use std::sync::{Arc, Barrier};

use super::fixtures::{TREE, checkpoint, history, one_worktree, request, turn_of, walk};
use fuzzy_checkpoint_store::{
    BeginOutcome, CheckpointStore, Error, Kind, MessageStatus, NewRestore, RestoreOptions, SessionId, ulid,
};

/// The number of repetitions of each race, because the order of the threads varies.
const RACES: i64 = 10;

/// Opens one empty database several times concurrently: one connection creates the tables, and all of them work.
pub(crate) fn opened_at_once(open: &(dyn Fn() -> Arc<dyn CheckpointStore> + Sync)) {
    let stores = race(&[(); 6], |()| open());
    one_worktree(&*stores[0]);
    for store in stores {
        assert_eq!(store.worktrees().expect("listed").len(), 1);
    }
}

/// Runs races of two connections to one store: every message gets its own place, one of two turns begins, and one of
/// several restores of a worktree begins and is committed once.
pub(crate) fn two_at_once(one: &dyn CheckpointStore, two: &dyn CheckpointStore) {
    let id = history(one);
    let other = SessionId::from("other");
    one.create_session(&other, TREE, "in the same worktree", 3).expect("created");
    one.insert_checkpoint(&checkpoint(&other, "O", 0, 5, Kind::Manual)).expect("inserted");
    let both = [one, two];
    let turns = race(&both, |store| store.begin_turn(&id, "three", 9));
    assert!(turns.iter().any(|turn| matches!(turn, Err(Error::TurnRuns(_)))), "{turns:?}");
    let turn = turn_of(turns.iter().flatten().next().expect("one began"));
    race(&[one, two, one, two], |store| {
        for number in 0..10 {
            store.append_message(&id, &turn, "assistant", &number.to_string(), 9).expect("stored");
        }
    });
    let places: Vec<i64> = one.messages(&id).expect("listed").into_iter().map(|message| message.seq).collect();
    assert_eq!(places, (1..=45).collect::<Vec<i64>>());
    one.end_turn(&id, &turn, MessageStatus::Complete).expect("ended");
    for round in 0..RACES {
        let rivals = [(one, &id, "A"), (two, &id, "A"), (one, &other, "O"), (two, &other, "O")];
        one_of_many(&rivals.map(|(store, session, target)| Rival { store, session, target }), round);
    }
}

/// A service that tries to restore a session.
struct Rival<'a> {
    store: &'a dyn CheckpointStore,
    session: &'a SessionId,
    target: &'a str,
}

/// Begins and commits a restore from several services concurrently: each succeeds for one of them.
fn one_of_many(rivals: &[Rival<'_>], round: i64) {
    let started = race(rivals, |Rival { store, session, target }| {
        let key = ulid();
        let now = 100 + round;
        let owner = key.clone();
        let new = NewRestore { owner, now, ..request(session, target, &key, RestoreOptions::default()) };
        let begun = store.begin_restore(&new).expect("answered");
        assert!(matches!(begun, BeginOutcome::Started | BeginOutcome::Busy), "{begun:?}");
        (begun == BeginOutcome::Started).then_some(new.id)
    });
    let [started] = &started.into_iter().flatten().collect::<Vec<_>>()[..] else { panic!("one of them begins") };
    let store = rivals[0].store;
    assert_eq!(store.open_restores().expect("listed").len(), 1);
    walk(store, started, "S");
    let commits = race(rivals, |rival| rival.store.commit_restore(started, 110).map_err(|error| error.to_string()));
    let outcomes: Vec<_> = commits.iter().flatten().collect();
    assert_eq!(outcomes.len(), 1, "{commits:?}");
    let session = store.restore(started).expect("read").expect("there").session_id;
    assert_eq!(store.session(&session).expect("read").expect("there").generation, outcomes[0].generation);
}

/// Runs a function for each rival in its own thread, all started at once.
fn race<T: Sync, R: Send>(rivals: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let start = Barrier::new(rivals.len());
    std::thread::scope(|scope| {
        let (start, run) = (&start, &run);
        let threads: Vec<_> = rivals
            .iter()
            .map(|rival| {
                scope.spawn(move || {
                    start.wait();
                    run(rival)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}
