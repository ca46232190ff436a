//! Facts that plans, results and `doctor` name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::place::Place;

#[test]
fn a_directory_that_became_a_repository_is_named() {
    let place = Place::new();
    place.write("lib/l.txt", "before\n");
    let id = place.create();
    place.git_in(&place.path("lib"), &["init", "-q"]);
    place.write("lib/l.txt", "after\n");
    let refused = place.run(&["restore", &id, "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(
        refused
            .err
            .contains("obstructed: a path in the way is in no checkpoint: \"lib\"; \"lib\" has a .git of its own"),
        "{}",
        refused.err
    );
}

#[test]
fn a_checkpoint_of_another_branch_is_named() {
    let place = Place::new();
    let id = place.create();
    assert_eq!(place.json(&["restore", &id, "--dry-run"])["of_branch"], json!(null));
    place.git(&["checkout", "-q", "-b", "feature"]);
    place.write("a.txt", "feature\n");
    assert_eq!(place.json(&["restore", &id, "--dry-run"])["of_branch"], "main");
    let plan = place.run(&["restore", &id, "--dry-run"]).text();
    assert!(plan.contains("the checkpoint is of branch main, which is not checked out"), "{plan}");
    let done = place.json(&["restore", &id, "--yes"]);
    assert_eq!((&done["of_branch"], &done["head"]), (&json!("main"), &json!("kept")));
}

#[test]
fn a_submodule_is_named_once() {
    let place = Place::new();
    let other = place.dir.join("other");
    fs::create_dir(&other).unwrap();
    place.git_in(&other, &["init", "-q"]);
    place.git_in(&other, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.to_str().unwrap(), "sub"];
    place.git(&add);
    let created = place.json(&["create"]);
    assert_eq!(created["uncovered"], json!([{ "path": "sub", "reason": "submodule" }]));
}

/// Returns the loose objects of the store.
fn objects(store: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(store.join("objects")).unwrap().flatten().map(|folder| folder.path());
    let loose = folders.filter(|folder| folder.file_name().is_some_and(|name| name.len() == 2));
    loose.flat_map(|folder| fs::read_dir(folder).unwrap().flatten().map(|file| file.path())).collect()
}

#[test]
fn damaged_checkpoints_are_named_if_the_data_is_read() {
    let place = Place::new();
    place.unchecked();
    let first = place.create();
    let known = objects(&place.store().unwrap());
    place.write("a.txt", "second\n");
    let second = place.create();
    let damaged = |report: &Value| report["worktrees"][0]["damaged"].clone();
    assert_eq!(damaged(&place.json(&["doctor"])), json!(null));
    let said = place.run(&["doctor"]).text();
    assert!(said.contains("were not read; --read-data reads them"), "{said}");
    assert_eq!(damaged(&place.json(&["doctor", "--read-data"])), json!([]));
    // A bit of each object that only the second checkpoint has.
    let new: Vec<PathBuf> = objects(&place.store().unwrap()).into_iter().filter(|path| !known.contains(path)).collect();
    assert!(new.len() >= 3, "a blob, a tree and a commit");
    for path in new {
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        let writable = |mode| fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        writable(0o600);
        for damage in [Some(bytes), Some(Vec::new()), None] {
            match damage {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let answer = place.run(&["doctor", "--read-data", "--json"]);
            assert_eq!((answer.code, damaged(&answer.json())), (1, json!([second])), "{path:?}");
            let text = place.run(&["doctor", "--read-data"]).text();
            assert!(text.contains(&format!("checkpoint {second} is damaged")), "{text}");
        }
        fs::write(&path, whole).unwrap();
    }
    assert_ne!(first, second);
    assert_eq!(damaged(&place.json(&["doctor", "--read-data"])), json!([]));
}

/// A state directory without inodes, which only root can mount.
#[test]
fn a_disk_without_inodes_is_full() {
    for made_before in [false, true] {
        let place = Place::new();
        let state = place.dir.join("state");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "nr_inodes=200", "none"]).arg(&state).output();
        if !mounted.is_ok_and(|output| output.status.success()) {
            eprintln!("left out: only root can make a small file system");
            return;
        }
        if made_before {
            place.create();
        }
        let mut number = 0;
        while fs::write(state.join(format!("pad{number}")), "").is_ok() {
            number += 1;
        }
        place.write("a.txt", "changed\n");
        let refused = place.run(&["create"]);
        assert!(Command::new("umount").arg(&state).status().unwrap().success());
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.starts_with("fuzzy-edit: disk_full: "), "{made_before}: {}", refused.err);
    }
}

#[test]
fn a_pipe_that_the_users_configuration_includes_is_named() {
    let place = Place::new();
    let home = place.dir.join("home");
    let pipe = home.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for included in ["~/pipe", "pipe", pipe.to_str().unwrap()] {
        fs::write(home.join(".gitconfig"), format!("[include]\n\tpath = {included}\n")).unwrap();
        let refused = place.run(&["create", "--json"]);
        assert!(refused.code != 0 && refused.err.contains(pipe.to_str().unwrap()), "{} {}", refused.code, refused.err);
    }
    fs::remove_file(home.join(".gitconfig")).unwrap();
    place.create();
}
