//! Two servers on one database: a restore is one restore at either of them, and each finishes the restores of the
//! other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::database::{Database, on_each_database};
use super::points::armed;
use super::scene::{Scene, undo};
use super::server::{Gate, Server, serve, until};
use crate::place::text;

on_each_database!(
    one_key_at_both_is_one_restore,
    another_key_is_refused_meanwhile,
    many_at_once_trim_once,
    one_finishes_what_the_other_left,
    one_waits_for_the_git_of_the_other,
    one_with_another_state_directory_leaves_nothing_behind,
);

/// Starts two servers; restores of the first wait before they write files.
fn two(scene: &Scene) -> (Server, Server, Gate<'_>) {
    let mut command = serve(&scene.place, &scene.database.target);
    let gate = Gate::before(&scene.place, &mut command);
    (Server::start(command), scene.start(), gate)
}

fn one_key_at_both_is_one_restore(database: Database) {
    let scene = Scene::new(database);
    let (first, second, gate) = two(&scene);
    let before = scene.talk(&second);
    let done = thread::scope(|scope| {
        let one = scope.spawn(|| scene.restore(&first, "both", &json!({})).expect("an answer").good());
        gate.reached();
        let other = scope.spawn(|| scene.restore(&second, "both", &json!({})).expect("an answer").good());
        gate.open();
        let (one, other) = (one.join().unwrap(), other.join().unwrap());
        assert_eq!(one, other);
        one
    });
    scene.check_restored(&second, &before, &done, "both");
    let (restored, restore) = (scene.talk(&first), text(&done, "restore_id"));
    let undo = |server| undo(server, &restore, "both back").expect("an answer").good();
    let undone = thread::scope(|scope| {
        let one = scope.spawn(|| undo(&first));
        let other = undo(&second);
        assert_eq!(one.join().unwrap(), other);
        other
    });
    scene.check_undone(&first, &before, &restored, &undone["restore"], "both back");
}

fn another_key_is_refused_meanwhile(database: Database) {
    let scene = Scene::new(database);
    let (first, second, gate) = two(&scene);
    let before = scene.talk(&second);
    let done = thread::scope(|scope| {
        let one = scope.spawn(|| scene.restore(&first, "one", &json!({})).expect("an answer").good());
        gate.reached();
        let refused = scene.restore(&second, "another", &json!({})).expect("an answer");
        refused.refused(409, "restore_in_progress");
        let open = text(&refused.body, "restore_id");
        second.post(&scene.at("/turns"), &json!({"message": "no"})).refused(409, "restore_in_progress");
        gate.open();
        let done = one.join().unwrap();
        assert_eq!(done["restore_id"], json!(open));
        done
    });
    scene.check_restored(&second, &before, &done, "one");
    let again = scene.restore(&second, "another", &json!({})).expect("an answer").good();
    assert_eq!(again["messages_deleted"], json!(0), "{again}");
}

/// Eight keys at once, half of them at each server: the first trims, the others are refused or find nothing to trim.
fn many_at_once_trim_once(database: Database) {
    let scene = Scene::new(database);
    let (first, second) = (scene.start(), scene.start());
    let before = scene.talk(&first);
    let answers: Vec<_> = thread::scope(|scope| {
        let pending: Vec<_> = (0..8)
            .map(|number| {
                let server = if number % 2 == 0 { &first } else { &second };
                let scene = &scene;
                scope.spawn(move || scene.restore(server, &format!("key {number}"), &json!({})).expect("an answer"))
            })
            .collect();
        pending.into_iter().map(|pending| pending.join().unwrap()).collect()
    });
    let mut done: Vec<Value> = Vec::new();
    for answer in answers {
        match answer.status {
            200 => done.push(answer.body),
            _ => answer.refused(409, "restore_in_progress"),
        }
    }
    let trimmed: Vec<u64> = done.iter().filter_map(|done| done["messages_deleted"].as_u64()).collect();
    assert_eq!(trimmed.iter().filter(|trimmed| **trimmed > 0).count(), 1, "{trimmed:?}");
    assert_eq!(trimmed.iter().sum::<u64>(), before.messages.len() as u64 - 1, "{trimmed:?}");
    let generation = first.get(&scene.at(""))["generation"].as_u64().expect("a generation");
    assert_eq!(generation, done.len() as u64, "a generation for every one");
    scene.check_nothing_open("many");
    scene.check_goes_on(&second, &before, "many");
}

fn one_finishes_what_the_other_left(database: Database) {
    let scene = Scene::new(database);
    let mut command = serve(&scene.place, &scene.database.target);
    command.env("FUZZY_FAILPOINT_KILL", "safe");
    let (mut first, second) = (Server::start(command), scene.start());
    let before = scene.talk(&second);
    scene.restore(&first, "left", &json!({})).expect_err("it died");
    first.wait();
    let store = scene.database.store();
    // Without a further request.
    until("the end of the restore", || store.open_restores().expect("listed").is_empty().then_some(()));
    let done = scene.restore(&second, "left", &json!({})).expect("an answer").good();
    scene.check_restored(&second, &before, &done, "left by the first");
}

fn one_waits_for_the_git_of_the_other(database: Database) {
    let scene = Scene::new(database);
    let (mut first, second, gate) = two(&scene);
    let before = scene.talk(&second);
    let done = thread::scope(|scope| {
        let one = scope.spawn(|| scene.restore(&first, "orphan", &json!({})));
        gate.reached();
        first.kill();
        one.join().unwrap().expect_err("it died");
        let other = scope.spawn(|| scene.restore(&second, "orphan", &json!({})).expect("an answer").good());
        // The remaining git process may write at any time.
        gate.open();
        other.join().unwrap()
    });
    first.wait();
    scene.check_restored(&second, &before, &done, "with an orphan");
    scene.check_goes_on(&second, &before, "with an orphan");
}

/// The number of interrupted restores, unless `FUZZY_EDIT_PAIRS` sets it.
const PAIRS: usize = 3;

/// One server dies in its restore; the other has another state directory and cannot detect that. It finishes the
/// restore once the lease has expired.
fn one_with_another_state_directory_leaves_nothing_behind(database: Database) {
    let pairs = std::env::var("FUZZY_EDIT_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(PAIRS);
    let (next, died) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let one = |scene: &Scene, at: usize, before: usize| {
        let key = format!("pair {at}");
        let start = |point: String| {
            let mut command = serve(&scene.place, &scene.database.target);
            command.env("XDG_STATE_HOME", scene.place.dir.join("elsewhere"));
            command.env("FUZZY_EDIT_STORE", scene.place.dir.join("state/fuzzy-edit"));
            command.env("FUZZY_FAILPOINT_KILL", point);
            Server::begin(command).ok()
        };
        // The number of points before the server listens varies a little; after sixty the restore is done.
        let points = (before + 1 + at * 7 % 60..).step_by(10).map(|point| point.to_string());
        // One of them holds git's own lock.
        let locked = (at == 0).then(|| "index locked".to_owned());
        let mut first = locked.into_iter().chain(points).find_map(start).expect("it listens");
        let second = scene.start();
        let talk = scene.talk(&second);
        if scene.restore(&first, &key, &json!({})).is_err() {
            first.wait();
            died.fetch_add(1, Ordering::SeqCst);
        }
        let store = scene.database.store();
        until("the end of the restore", || store.open_restores().expect("listed").is_empty().then_some(()));
        let done = scene.restore(&second, &key, &json!({})).expect("an answer").good();
        scene.check_restored(&second, &talk, &done, &key);
        let files = scene.place.files();
        let left: Vec<_> = files.keys().filter(|path| path.to_string_lossy().contains(".fuzzy-edit-")).collect();
        assert!(left.is_empty(), "{key}: {left:?}");
        let health = scene.place.json(&["doctor", "--database", &scene.database.target]);
        assert_eq!(health["healthy"], json!(true), "{key}: {health}");
        scene.again(&second);
    };
    thread::scope(|scope| {
        for _ in 0..pairs.min(8) {
            scope.spawn(|| {
                let scene = Scene::new(database);
                let log = scene.place.dir.join("log");
                drop(armed(&scene, "0"));
                let before = std::fs::read_to_string(log).unwrap_or_default().lines().count();
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    if at >= pairs {
                        return;
                    }
                    one(&scene, at, before);
                }
            });
        }
    });
    let died = died.into_inner();
    println!("{died} of {pairs} servers died in their restore");
    assert!(died > 0);
}
