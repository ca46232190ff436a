//! `apply --checkpoint` and `patch --checkpoint`: restoring the state before an edit, and edits whose checkpoint fails.

use std::fs;

use serde_json::{Value, json};

use crate::place::{Answer, Place, run, text};

/// Runs `apply --checkpoint --json`.
fn apply(place: &Place, arguments: &[&str]) -> Answer {
    let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
    run(command.args(["apply", "--checkpoint", "--json"]).args(arguments))
}

fn note(report: &Value) -> &str {
    report["note"].as_str().unwrap_or_default()
}

#[test]
fn an_edit_can_be_undone() {
    let place = Place::new();
    let before = place.files();
    let report = apply(&place, &["dir/b.txt", "--old", "beta", "--new", "gamma"]).json();
    let id = text(&report, "checkpoint");
    assert_eq!((note(&report), place.read("dir/b.txt")), ("", b"gamma\r\n".to_vec()));
    let label = &place.json(&["show", &id])["label"];
    assert_eq!(label, &json!("before an edit of dir/b.txt"));
    place.restore(&id);
    assert_eq!(place.files(), before);
}

#[test]
fn nothing_is_taken_when_nothing_is_written() {
    let place = Place::new();
    assert_eq!(apply(&place, &["a.txt", "--old", "absent", "--new", "b"]).code, 1);
    assert_eq!(apply(&place, &["a.txt", "--old", "alpha", "--new", "b", "--dry-run"]).code, 0);
    assert_eq!(apply(&place, &["a.txt", "--old", "absent", "--new", "alpha"]).json().get("checkpoint"), None);
    assert!(place.pins().is_empty());
}

#[test]
fn a_list_takes_one_checkpoint_and_names_uncovered_files() {
    let place = Place::new();
    place.write("x.ignored", "one\n");
    let edit = |file: &str, old: &str| json!({"file_path": file, "old_string": old, "new_string": "two"});
    let edits = json!([edit("a.txt", "alpha"), edit("x.ignored", "one"), edit("dir/b.txt", "beta")]);
    fs::write(place.dir.join("edits.json"), edits.to_string()).unwrap();
    let report = apply(&place, &["--input", place.dir.join("edits.json").to_str().unwrap()]).json();
    assert_eq!(place.pins().len(), 1);
    let id = text(&report, "checkpoint");
    let notes: Vec<&str> = report["edits"].as_array().unwrap().iter().map(note).collect();
    assert_eq!((notes[0], notes[2]), ("", ""));
    assert!(
        notes[1].starts_with(&format!("no checkpoint: {id} does not contain this file: it is ignored")),
        "{notes:?}"
    );
}

#[test]
fn paths_start_from_the_root() {
    let place = Place::new();
    fs::write(
        place.dir.join("edits.json"),
        json!([{"file_path": "dir/b.txt", "old_string": "beta", "new_string": "two"}]).to_string(),
    )
    .unwrap();
    let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
    command.args(["apply", "--checkpoint", "--json", "--input", "edits.json", "--root", "repo"]);
    let report = run(&mut command).json();
    assert_eq!((note(&report["edits"][0]), place.pins().len()), ("", 1), "{report}");
    // A new file in a new directory overwrites nothing.
    let report = apply(&place, &["made/deep/new.txt", "--old", "", "--new", "new\n"]).json();
    assert_eq!((note(&report), place.read("made/deep/new.txt")), ("the file is new", b"new\n".to_vec()));
    place.restore(&text(&report, "checkpoint"));
    assert!(!place.path("made").exists());
}

#[test]
fn an_edit_is_applied_without_a_checkpoint() {
    let place = Place::new();
    let outside = place.dir.join("home/file.txt");
    fs::write(&outside, "alpha\n").unwrap();
    let report = apply(&place, &[outside.to_str().unwrap(), "--old", "alpha", "--new", "beta"]).json();
    assert!(note(&report).starts_with("no checkpoint: not_a_worktree: "), "{report}");
    assert_eq!((report.get("checkpoint"), fs::read(outside).unwrap()), (None, b"beta\n".to_vec()));
    // A file in the place of the state directory.
    let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
    command.env("XDG_STATE_HOME", place.path("a.txt"));
    let answer = run(command.args(["apply", "a.txt", "--old", "alpha", "--new", "beta", "--checkpoint"]));
    assert_eq!((answer.code, place.read("a.txt")), (0, b"beta\n".to_vec()));
    assert!(answer.text().contains("\nno checkpoint: io: "), "{}", answer.text());
}

#[test]
fn a_patch_can_be_undone() {
    let place = Place::new();
    let before = place.files();
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-alpha\n+one\n*** Delete File: .gitignore\n\
                 *** Update File: dir/b.txt\n*** Move to: moved/c.txt\n*** Add File: new.txt\n+new\n*** End Patch\n";
    fs::write(place.dir.join("fix.patch"), patch).unwrap();
    let apply = |options: &[&str]| {
        let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
        run(command.args(["patch", "../fix.patch", "--checkpoint", "--json"]).args(options)).json()
    };
    assert_eq!((apply(&["--dry-run"]).get("checkpoint"), place.files()), (None, before.clone()));
    let report = apply(&[]);
    let id = text(&report, "checkpoint");
    assert!(place.path("moved/c.txt").exists() && !place.path(".gitignore").exists());
    let notes: Vec<&str> = report["edits"].as_array().unwrap().iter().map(note).collect();
    assert!(notes.iter().all(|note| !note.contains("no checkpoint")), "{notes:?}");
    let label = &place.json(&["show", &id])["label"];
    assert_eq!(label, &json!("before edits of a.txt and 3 other files"));
    place.restore(&id);
    assert_eq!(place.files(), before);
}
