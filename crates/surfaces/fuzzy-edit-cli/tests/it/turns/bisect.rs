//! `turns bisect` finds the turn that broke something, in a directory of its own.

use std::fs;

use serde_json::{Value, json};

use super::scene::Scene;
use crate::place::text;

/// Nine turns; the sixth breaks the file.
fn nine() -> Scene {
    let scene = Scene::new();
    for number in 1..=9 {
        let shell = if number == 6 { "echo broken > total.txt" } else { "true" };
        scene.turn("s1", &format!("Prompt {number}."), &format!("{shell}; echo {number} > {number}.txt"));
    }
    scene
}

/// Runs the verb with `--json` and expects success.
fn bisect(scene: &Scene, words: &[&str]) -> Value {
    let found = scene.turns(&[&["bisect", "--json"], words].concat());
    assert_eq!(found.code, 0, "{}", found.err);
    found.json()
}

#[test]
fn the_turn_that_broke_it_is_found_and_can_be_taken_back() {
    let scene = nine();
    let before = scene.place.files();
    let found = scene.turns(&["bisect", "--", "sh", "-c", "! grep -q broken total.txt"]);
    assert_eq!((found.code, scene.place.files()), (0, before.clone()), "{}", found.err);
    let printed = found.text();
    assert!(printed.starts_with("turn 6 is the first bad one: Prompt 6.\n"), "{printed}");
    assert!(
        printed.contains("to take it back: fuzzy-edit turns revert 6\n") && printed.contains("+broken"),
        "{printed}"
    );
    assert!(found.err.contains("before turn 1: good") && found.err.contains("after turn 9: bad"), "{}", found.err);
    let report = bisect(&scene, &["--first", "3", "--", "sh", "-c", "! grep -q broken total.txt"]);
    assert_eq!((&report["turn"]["number"], &report["files"][1]["path"]), (&json!(6), &json!("total.txt")), "{report}");
    assert!(report["runs"].as_u64().unwrap() <= 5, "{report}");
    let words: Vec<String> = text(&report, "revert_with").split(' ').skip(1).map(str::to_owned).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["--yes"]).collect();
    assert_eq!(crate::place::run(&mut scene.command(&words)).code, 0);
    assert!(!scene.place.path("total.txt").exists() && scene.place.path("9.txt").exists());
}

#[test]
fn ends_that_agree_and_commands_that_cannot_run_are_refused() {
    let scene = nine();
    let marker = scene.place.path("total.txt").to_string_lossy().into_owned();
    for (words, says) in [
        (vec!["sh", "-c", "true"], "succeeds before turn 1 and after turn 9"),
        // It reads the project itself.
        (vec!["grep", "-qv", "broken", &marker], "fails before turn 1 and after turn 9"),
        (vec!["sh", "-c", "grep -q broken total.txt"], "fails before turn 1 and succeeds after turn 9"),
        (vec!["sh", "-c", "exit 125"], "skips one of both ends"),
        (vec!["sh", "-c", "kill -9 $$"], "was stopped"),
        (vec!["/no/such/program"], "cannot be started"),
    ] {
        let refused = scene.turns(&[&["bisect", "--"][..], &words].concat());
        assert!(refused.code > 0 && refused.err.contains(says), "{words:?}: {}", refused.err);
    }
}

#[test]
fn skipped_states_and_changes_outside_of_turns_are_said() {
    let scene = nine();
    let found =
        bisect(&scene, &["--", "sh", "-c", "test -e 7.txt || ! test -e 4.txt || exit 125; ! grep -q broken total.txt"]);
    assert_eq!((&found["turn"], &found["among"]), (&json!(null), &json!([4, 5, 6, 7])), "{found}");
    scene.turn("s1", "Ten.", "echo 10 > 10.txt");
    scene.place.write("mine.txt", "bug\n");
    scene.turn("s1", "Eleven.", "echo 11 > 11.txt");
    let found = bisect(&scene, &["--", "sh", "-c", "! test -e mine.txt"]);
    assert_eq!((&found["turn"], &found["outside_before"]), (&json!(null), &json!(11)), "{found}");
    assert!(text(&found, "patch").contains("+bug"), "{found}");
}

#[test]
fn ignored_directories_are_linked_in() {
    let scene = Scene::new();
    scene.place.write(".gitignore", "*.ignored\nnode_modules/\n");
    scene.place.write("node_modules/tool", "needed\n");
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let line = "grep -q needed node_modules/tool || exit 125; ! test -e one.txt";
    let found = bisect(&scene, &["--link", "node_modules", "--", "sh", "-c", line]);
    assert_eq!(found["turn"]["number"], 1, "{found}");
    assert_eq!(fs::read_to_string(scene.place.path("node_modules/tool")).unwrap(), "needed\n");
    let refused = scene.turns(&["bisect", "--link", "dir", "--", "true"]);
    assert!(refused.code == 2 && refused.err.contains("captured files in `dir`"), "{}", refused.err);
    let refused = scene.turns(&["bisect", "--link", "../home", "--", "true"]);
    assert!(refused.code == 2 && refused.err.contains("no directory of the project"), "{}", refused.err);
}
