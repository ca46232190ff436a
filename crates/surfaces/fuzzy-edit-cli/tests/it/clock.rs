//! The clock steps back between commands: the order of turns and batches stays, and nothing is deleted early.
//!
//! `libfaketime` gives each process its clock, so the tests are left out where it is not installed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint_store::open_file;
use serde_json::{Value, json};

use crate::place::{Answer, Place, run, text};
use crate::turns::forget::with_words;
use crate::turns::scene::{Scene, event};

/// Finds the library.
pub(crate) fn library() -> Option<PathBuf> {
    let dirs = fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    let dirs = dirs.chain(["/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    let found = dirs.map(|dir| dir.join("faketime/libfaketime.so.1")).find(|path| path.exists());
    if found.is_none() {
        eprintln!("left out: libfaketime is not installed");
    }
    found
}

/// Runs a command with a clock that differs by `shift`, such as `-1h`, and with the real times of files.
pub(crate) fn at<'c>(command: &'c mut Command, library: &PathBuf, shift: &str) -> &'c mut Command {
    command.env("LD_PRELOAD", library).env("FAKETIME", shift).env("NO_FAKE_STAT", "1");
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
}

#[test]
fn turns_keep_their_order_and_numbers_when_the_clock_steps_back() {
    let Some(library) = library() else { return };
    let scene = Scene::new();
    let hook = |verb: &str, prompt: &str, shift: &str| {
        let mut command = scene.command(&["hook", "claude-code", verb]);
        at(&mut command, &library, shift);
        Scene::send(command, &event(&scene.place.root(), "s1", prompt));
        scene.idle();
    };
    for (number, shift) in [(1, "+0"), (2, "-1h"), (3, "-3h"), (4, "-2h")] {
        hook("turn-begin", &format!("{number}."), shift);
        scene.place.write(format!("{number}.txt"), "new\n");
        hook("turn-end", "", shift);
    }
    assert_eq!(scene.column("number"), json!([1, 2, 3, 4]));
    assert_eq!(scene.column("files"), json!([1, 1, 1, 1]));
    for number in (1..=4).rev() {
        let mut undo = scene.command(&["turns", "revert", "--yes", "--json"]);
        let undone = run(at(&mut undo, &library, "-4h"));
        assert_eq!((undone.code, &undone.json()["turns"]), (0, &json!([number])), "{}", undone.err);
        let left: Vec<bool> = (1..=4).map(|other| scene.place.path(format!("{other}.txt")).exists()).collect();
        assert_eq!(left, (1..=4).map(|other| other < number).collect::<Vec<_>>());
    }
    assert_eq!(scene.column("number"), json!([1, 2, 3, 4]));
}

#[test]
fn texts_and_contents_are_deleted_after_30_days_also_in_projects_that_nobody_uses() {
    let Some(library) = library() else { return };
    let scene = Scene::new();
    scene.place.write("old.txt", "tlaloc\n");
    for number in 0..20 {
        scene.turn("s1", &format!("xipetotec {number}"), &format!("echo tlaloc {number} > new.txt"));
    }
    scene.place.write("c.txt", "tlaloc c\n");
    assert_eq!(run(&mut scene.command(&["apply", "c.txt", "--old", "tlaloc", "--new", "gamma"])).code, 0);
    scene.hook("turn-begin", "xipetotec, no event");
    let other = scene.place.dir.join("other");
    fs::create_dir(&other).unwrap();
    scene.place.git_in(&other, &["init", "-q", "."]);
    let play = |shift: &str| {
        for verb in ["turn-begin", "turn-end"] {
            let mut command = scene.command(&["hook", "claude-code", verb]);
            at(&mut command, &library, shift);
            Scene::send(command, &event(&other, "s2", "Another project."));
            scene.idle();
        }
    };
    play("+29d");
    // The pruning of that day ends after the event is recorded.
    thread::sleep(Duration::from_secs(1));
    let left = with_words(&scene, &["xipetotec", "tlaloc"]);
    for place in ["state.db", "done/", "turns-failed/", "an object"] {
        assert!(left.iter().any(|found| found.contains(place)), "{place}: {left:?}");
    }
    play("+45d");
    let begun = Instant::now();
    let mut left = with_words(&scene, &["xipetotec", "tlaloc"]);
    while !left.is_empty() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{left:?}");
        thread::sleep(Duration::from_millis(100));
        left = with_words(&scene, &["xipetotec", "tlaloc"]);
    }
    let mut listed = scene.command(&["turns", "--json"]);
    assert_eq!(run(at(&mut listed, &library, "+45d")).json()["turns"], json!([]));
    let store = open_file(&scene.state().join("state.db")).unwrap();
    let numbers: Vec<i64> = store
        .worktrees()
        .unwrap()
        .iter()
        .flat_map(|row| store.turns_of(&row.id).unwrap())
        .map(|row| row.number)
        .collect();
    assert_eq!(numbers.len(), 20 + 2, "numbers and times stay");
}

#[test]
fn undo_takes_the_last_batch_when_the_clock_steps_back() {
    let Some(library) = library() else { return };
    let place = Place::new();
    let run = |arguments: &[&str], shift: &str| -> Answer {
        let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
        run(at(command.args(arguments), &library, shift))
    };
    let texts = ["alpha", "one", "two", "three"];
    for (pair, shift) in texts.windows(2).zip(["+0", "-1h", "-2d"]) {
        let applied = run(&["apply", "a.txt", "--old", pair[0], "--new", pair[1]], shift);
        assert_eq!(applied.code, 0, "{}", applied.err);
    }
    for text in ["two\n", "one\n", "alpha\n"] {
        assert_eq!(run(&["undo"], "-3d").code, 0);
        assert_eq!(place.read("a.txt"), text.as_bytes());
    }
}

#[test]
fn checkpoints_of_a_wrong_clock_are_kept_and_in_order() {
    let Some(library) = library() else { return };
    let place = Place::new();
    let run = |arguments: &[&str], shift: &str| -> Value {
        let answer = run(at(&mut place.command(&place.root(), arguments), &library, shift));
        assert_eq!(answer.code, 0, "{arguments:?}: {}", answer.err);
        answer.json()
    };
    let create = |content: &str, shift: &str| {
        place.write("a.txt", content);
        text(&run(&["create", "--json"], shift), "id")
    };
    let first = create("first\n", "+0");
    let second = create("second\n", "-60d");
    let third = create("third\n", "-90d");
    let shown = run(&["show", "latest", "--json"], "+0");
    assert_eq!(text(&shown, "id"), third, "the last one is the newest");
    assert_eq!(text(&run(&["show", "~2", "--json"], "+0"), "id"), first);
    for shift in ["-90d", "+0", "+29d"] {
        assert_eq!(run(&["prune", "--json"], shift)["pruned"], json!([]), "{shift}");
    }
    let done = run(&["restore", &second, "--yes", "--json"], "-120d");
    assert_eq!(place.read("a.txt"), b"second\n");
    run(&["undo", "--json"], "+0");
    assert_eq!(place.read("a.txt"), b"third\n");
    run(&["undo", "last", "--json"], "-150d");
    assert_eq!(place.read("a.txt"), b"second\n", "the last restore was the undo of {done}");
    let pruned = run(&["prune", "--json"], "+31d");
    assert_eq!(pruned["pruned"].as_array().unwrap().len(), 3 + 3, "{pruned}");
}
