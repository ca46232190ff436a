//! `--sidecar`, and worktrees that are moved or copied.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::place::{Place, run, text};

const SIDECAR: &str = "--sidecar";

/// Runs a verb in a folder, with `--json`, and expects success.
fn json(place: &Place, dir: &str, arguments: &[&str]) -> Value {
    let answer = run(place.command(&place.dir.join(dir), arguments).arg("--json"));
    assert_eq!(answer.code, 0, "{arguments:?}: {}", answer.err);
    answer.json()
}

fn ids(list: &Value) -> Vec<String> {
    list["checkpoints"].as_array().unwrap().iter().map(|row| text(row, "id")).collect()
}

#[test]
fn every_command_works_in_a_folder_without_git() {
    let place = Place::new();
    fs::remove_dir_all(place.path(".git")).unwrap();
    let refused = run(&mut place.command(&place.root(), &["create", "--json"])).fails(1, "not_a_worktree");
    assert!(text(&refused, "next_step").contains(SIDECAR), "{refused}");

    place.write("x.ignored", "left alone\n");
    let id = text(&json(&place, "repo", &["create", SIDECAR]), "id");
    place.write("a.txt", "spoiled\n");
    place.write("new.txt", "new\n");
    fs::remove_file(place.path("dir/b.txt")).unwrap();
    let spoiled = place.files();
    assert_eq!(ids(&json(&place, "repo", &["list", SIDECAR])), std::slice::from_ref(&id));
    assert_eq!(text(&json(&place, "repo/dir", &["show", SIDECAR, &id]), "id"), id);
    let diff = json(&place, "repo", &["diff", SIDECAR, &id]);
    assert_eq!(diff["files"].as_array().unwrap().len(), 3, "{diff}");
    let plan = json(&place, "repo", &["restore", SIDECAR, &id, "--dry-run"]);
    assert_eq!(plan["files_to_delete"], serde_json::json!(["new.txt"]), "{plan}");
    assert_eq!(place.files(), spoiled, "a plan changes nothing");

    let restore = text(&json(&place, "repo", &["restore", SIDECAR, &id, "--yes"]), "restore_id");
    assert_eq!((place.read("a.txt"), place.read("dir/b.txt")), (b"alpha\n".to_vec(), b"beta\r\n".to_vec()));
    assert!(!place.path("new.txt").exists());
    assert_eq!(place.read("x.ignored"), b"left alone\n");
    json(&place, "repo", &["undo", SIDECAR, &restore]);
    assert_eq!(place.files(), spoiled);
    json(&place, "repo", &["recover", SIDECAR]);
    json(&place, "repo", &["doctor", SIDECAR]);
    json(&place, "repo", &["prune", SIDECAR, "--days", "0", "--safety-days", "0"]);
    assert_eq!(place.files(), spoiled, "nothing but restored files is written into the folder");
    assert!(!place.path(".git").exists());

    // After the folder is deleted, its checkpoints are kept until --gone removes everything of it.
    json(&place, "repo", &["create", SIDECAR]);
    fs::remove_dir_all(place.root()).unwrap();
    let prune = ["prune", "--all", "--days", "0", "--safety-days", "0", "--turns", "0"];
    let sidecars = || fs::read_dir(place.dir.join("state/fuzzy-edit/sidecar")).unwrap().count();
    let gone = json(&place, "home", &prune)["gone"].as_array().map(Vec::len);
    assert_eq!((gone, sidecars()), (Some(1), 1));
    json(&place, "home", &[&prune[..], &["--gone"]].concat());
    assert_eq!(sidecars(), 0);
}

#[test]
fn a_sidecar_leaves_no_trace_in_a_repository() {
    let place = Place::new();
    place.write("b.txt", "staged\n");
    place.git(&["add", "b.txt"]);
    let before = (place.status(), place.git(&["for-each-ref"]), place.git(&["count-objects"]));
    let id = text(&json(&place, "repo", &["create", SIDECAR]), "id");
    place.write("a.txt", "spoiled\n");
    json(&place, "repo", &["restore", SIDECAR, &id, "--yes"]);
    assert_eq!(before, (place.status(), place.git(&["for-each-ref"]), place.git(&["count-objects"])));
    assert!(!place.path(".git/fuzzy-edit-worktree").exists());
    let refused =
        run(place.command(&place.root(), &["restore", SIDECAR, &id, "--yes", "--json"]).args(["--head", "restore"]));
    refused.fails(1, "head_mismatch");
    // The repository's own checkpoints are separate.
    assert_eq!(ids(&place.json(&["list"])), [""; 0]);
}

#[test]
fn a_renamed_project_keeps_its_checkpoints_and_a_copy_has_none() {
    let place = Place::new();
    let id = place.create();
    let moved = place.dir.join("moved");
    fs::rename(place.root(), &moved).unwrap();
    let copied = std::process::Command::new("cp").arg("-a").args([&moved, &place.root()]).status().unwrap();
    assert!(copied.success());
    assert_eq!(ids(&json(&place, "repo", &["list"])), [""; 0], "a copy has none");
    let other = place.create();
    assert_eq!(ids(&json(&place, "moved", &["list"])), std::slice::from_ref(&id));
    fs::write(moved.join("a.txt"), "spoiled\n").unwrap();
    let restore = text(&json(&place, "moved", &["restore", &id, "--yes"]), "restore_id");
    assert_eq!(fs::read(moved.join("a.txt")).unwrap(), b"alpha\n");
    json(&place, "moved", &["undo", &restore]);
    assert_eq!(fs::read(moved.join("a.txt")).unwrap(), b"spoiled\n");
    assert_eq!(ids(&place.json(&["list"])), [other]);
    json(&place, "moved", &["doctor"]);
}

#[test]
fn doctor_examines_a_moved_worktree_and_writes_nothing() {
    let place = Place::new();
    place.create();
    let moved = place.dir.join("moved");
    fs::rename(place.root(), &moved).unwrap();
    let from_afar = || run(&mut place.command(&place.dir, &["doctor", "--json"]));
    let here = json(&place, "moved", &["doctor"]);
    assert!(text(&here["worktrees"][0], "root").ends_with("/moved"), "{here}");
    assert_eq!(from_afar().code, 1, "the record is as it was");
    json(&place, "moved", &["list"]);
    assert_eq!(from_afar().code, 0, "a command that uses the checkpoints notes where they are now");
}

#[test]
fn a_moved_worktree_without_a_name_adopts_its_checkpoints() {
    let place = Place::new();
    let id = place.create();
    // On another disk it would have another inode.
    let record = |entry: fs::DirEntry| entry.path().join("record.json");
    let records: Vec<PathBuf> =
        fs::read_dir(place.dir.join("state/fuzzy-edit/wt")).unwrap().flatten().map(record).collect();
    for record in records {
        fs::remove_file(record).unwrap();
    }
    fs::rename(place.root(), place.dir.join("moved")).unwrap();
    assert_eq!(ids(&json(&place, "moved", &["list"])), [""; 0]);
    let later = text(&json(&place, "moved", &["create"]), "id");

    let ill = run(&mut place.command(&place.dir.join("moved"), &["doctor"]));
    assert!(ill.code == 1 && ill.text().contains("doctor --adopt "), "{}", ill.text());
    run(&mut place.command(&place.dir.join("moved"), &["doctor", "--adopt"]));
    assert_eq!(ids(&json(&place, "moved", &["list"])), std::slice::from_ref(&id));
    fs::write(place.dir.join("moved/a.txt"), "spoiled\n").unwrap();
    json(&place, "moved", &["restore", &id, "--yes"]);
    assert_eq!(fs::read(place.dir.join("moved/a.txt")).unwrap(), b"alpha\n");
    // The checkpoints under the other name still exist.
    run(&mut place.command(&place.dir.join("moved"), &["doctor", "--adopt"]));
    assert_eq!(ids(&json(&place, "moved", &["list"])), [later]);
    // A name that is in use, or that belongs to another repository, is not reassigned.
    let other = place.root();
    fs::create_dir(&other).unwrap();
    place.git_in(&other, &["init", "-q", "."]);
    run(place.command(&other, &["doctor", "--adopt", "--json"]).env("LC_ALL", "C")).fails(2, "invalid");
}
