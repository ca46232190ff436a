//! Errors in hooks are silent; `turns` reports them with a next step.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use fuzzy_checkpoint_store::open_file;
use serde_json::json;

use super::scene::{Scene, event};
use crate::place::{run, text};

#[test]
fn a_state_directory_that_cannot_be_written_is_silent_in_hooks() {
    let scene = Scene::new();
    let state = scene.place.dir.join("state");
    // Root can write everywhere, so a file takes the place of the directory as well.
    fs::remove_dir_all(&state).unwrap();
    fs::write(&state, "no directory").unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o400)).unwrap();
    let temporary = scene.place.dir.join("temporary");
    fs::create_dir(&temporary).unwrap();
    for (verb, prompt) in [("turn-begin", "One."), ("turn-end", ""), ("session-end", "")] {
        let mut hook = scene.command(&["hook", "claude-code", verb]);
        hook.env("TMPDIR", &temporary);
        Scene::send(hook, &event(&scene.place.root(), "s1", prompt));
    }
    let refused = scene.turns(&[]);
    assert!(refused.code != 0 && !refused.err.is_empty(), "{}", refused.err);
    // The events wait in a directory for temporary files.
    fs::remove_file(&state).unwrap();
    let listed = run(scene.command(&["turns", "--json"]).env("TMPDIR", &temporary)).json();
    assert_eq!(listed["turns"][0]["prompt"], "One.", "{listed}");
    assert!(listed["turns"][0]["no_checkpoint"].as_str().unwrap().contains("could not be written"), "{listed}");
}

#[test]
fn a_broken_database_is_silent_in_hooks_and_named_by_turns() {
    let scene = Scene::new();
    fs::create_dir_all(scene.state()).unwrap();
    fs::write(scene.state().join("state.db"), "no database at all, but long enough to be read as one\n".repeat(40))
        .unwrap();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let refused = scene.turns(&["--json"]);
    let report = refused.fails(2, "store");
    assert!(text(&report, "next_step").contains("Move it away"), "{report}");
    fs::remove_file(scene.state().join("state.db")).unwrap();
    scene.turn("s1", "Two.", "echo 2 > two.txt");
    assert_eq!((scene.column("prompt"), scene.column("state")), (json!(["One.", "Two."]), json!(["done", "done"])));
    let why = text(&scene.list()[0], "no_checkpoint");
    assert!(why.starts_with("it could not be recorded in time: store: "), "{why}");
}

#[test]
fn a_folder_that_is_no_project_is_silent() {
    let scene = Scene::new();
    let home = scene.place.dir.join("home");
    scene.hook("turn-begin", &event(&home, "s1", "One."));
    scene.hook("turn-begin", "no JSON");
    let refused = run(scene.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &home).args(["turns"]));
    assert!(refused.code == 1 && refused.err.contains("protected_dir"), "{}", refused.err);
}

#[test]
fn the_end_of_a_session_prunes_old_turns_except_kept_ones() {
    let scene = Scene::new();
    for number in 1..=3 {
        scene.turn("s1", &format!("{number}"), &format!("echo {number} > {number}.txt"));
    }
    assert_eq!(scene.json(&["keep", "1"])["turn"]["kept"], json!(true));
    assert!(scene.turns(&[]).text().contains("1 (kept)"));
    age(&scene, 2);
    scene.end_session("s1");
    // The session's end does not wait for pruning; the lease of the worktree does.
    let is_pruned = || scene.list().len() == 2;
    while !is_pruned() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(scene.column("number"), json!([1, 3]), "numbers stay");
    scene.json(&["keep", "1", "--release"]);
    // The process that prunes may still have the lease.
    while run(&mut scene.command(&["checkpoint", "prune", "--json"])).code != 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(scene.column("number"), json!([3]));
}

/// Makes the checkpoints of the first turns older than the retention limit.
fn age(scene: &Scene, turns: i64) {
    let store = open_file(&scene.state().join("state.db")).unwrap();
    let worktree = store.worktrees().unwrap().remove(0).id;
    // All of them are inserted again, so that they stay in order.
    for mut row in store.checkpoints_of(&worktree).unwrap() {
        store.delete_checkpoints(&worktree, std::slice::from_ref(&row.id)).unwrap();
        if row.anchor_seq <= turns {
            row.created_at -= 31 * 24 * 60 * 60 * 1000;
        }
        store.insert_checkpoint(&row).unwrap();
    }
}
