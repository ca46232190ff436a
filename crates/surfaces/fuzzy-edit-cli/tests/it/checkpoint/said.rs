//! Facts that plans, results and `doctor` name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::place::{Place, text};

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
fn the_branch_of_a_checkpoint_is_checked_out_again_on_request() {
    let place = Place::new();
    place.write("a.txt", "staged\n");
    place.git(&["add", "a.txt"]);
    let id = place.create();
    let then = (place.files(), place.git(&["status", "--porcelain"]), place.git(&["rev-parse", "HEAD"]));
    place.git(&["checkout", "-q", "-b", "feature"]);
    place.write("a.txt", "feature\n");
    place.git(&["commit", "-q", "-am", "on feature"]);
    place.write("dir/b.txt", "changed\n");
    let now = |place: &Place| {
        let head = [&["rev-parse", "HEAD"][..], &["symbolic-ref", "HEAD"], &["status", "--porcelain"]];
        (place.files(), head.map(|words| place.git(words)))
    };
    let before = now(&place);
    let plan = place.run(&["restore", &id, "--dry-run", "--head", "restore"]).text();
    assert!(plan.contains("is of branch main, which is not checked out: it is checked out again"), "{plan}");
    let done = place.json(&["restore", &id, "--yes", "--head", "restore"]);
    assert_eq!(
        (&done["head"], &done["index"], &done["of_branch"]),
        (&json!("restored"), &json!("restored"), &json!(null))
    );
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/main\n");
    assert_eq!((place.files(), place.git(&["status", "--porcelain"]), place.git(&["rev-parse", "HEAD"])), then);
    assert_eq!(place.git(&["log", "-1", "--format=%s", "feature"]), "on feature\n", "the other branch stays");
    place.json(&["undo", &text(&done, "restore_id")]);
    assert_eq!(now(&place), before);
    // A detached head, and a branch that was deleted since.
    place.git(&["checkout", "-q", "--detach"]);
    let detached = place.create();
    let commit = place.git(&["rev-parse", "HEAD"]);
    place.git(&["checkout", "-q", "main"]);
    let on_main = place.create();
    place.git(&["checkout", "-q", "--detach", "feature"]);
    place.git(&["branch", "-q", "-D", "main"]);
    place.json(&["restore", &on_main, "--yes", "--head", "restore"]);
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/main\n");
    place.json(&["restore", &detached, "--yes", "--head", "restore"]);
    assert_eq!(place.git(&["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]), format!("{commit}HEAD\n"));
}

#[test]
fn a_branch_that_cannot_be_checked_out_refuses_the_restore_before_a_write() {
    let place = Place::new();
    let id = place.create();
    place.git(&["checkout", "-q", "-b", "feature"]);
    place.write("a.txt", "feature\n");
    place.git(&["commit", "-q", "-am", "on feature"]);
    let other = place.dir.join("other");
    place.git(&["worktree", "add", "-q", other.to_str().unwrap(), "main"]);
    let before = place.files();
    let restore = || place.run(&["restore", &id, "--yes", "--head", "restore", "--json"]);
    let refused = restore().fails(1, "head_mismatch");
    assert!(refused["message"].as_str().unwrap().contains(other.to_str().unwrap()), "{refused}");
    place.git(&["worktree", "remove", other.to_str().unwrap()]);
    let main = place.git(&["rev-parse", "main"]);
    place.git(&["branch", "-q", "-f", "main", "feature"]);
    let refused = restore().fails(1, "head_mismatch");
    assert!(refused["message"].as_str().unwrap().contains("has moved since"), "{refused}");
    place.git(&["branch", "-q", "-f", "main", main.trim()]);
    place.write(".git/MERGE_HEAD", place.git(&["rev-parse", "main"]));
    restore().fails(1, "head_mismatch");
    assert_eq!(place.files(), before);
    fs::remove_file(place.path(".git/MERGE_HEAD")).unwrap();
    assert_eq!(restore().code, 0);
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
    let commit = place.git_in(&other, &["rev-parse", "HEAD"]);
    let named = json!([{ "path": "sub", "reason": "submodule", "commit": commit.trim() }]);
    assert_eq!(created["uncovered"], named);
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
