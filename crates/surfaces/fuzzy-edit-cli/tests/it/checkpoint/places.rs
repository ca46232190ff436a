//! Working directories of the command, and the places of its state.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::place::{Place, run, text};

#[test]
fn from_a_subdirectory() {
    let place = Place::new();
    let dir = place.path("dir");
    let id = text(&run(&mut place.command(&dir, &["create", "--json"])).json(), "id");
    assert!(place.run(&["list"]).text().contains(&id[..8]), "the worktree is the same");
    place.write("a.txt", "changed\n");
    place.write("dir/b.txt", "changed\n");
    let names = |paths: &[&str]| run(place.command(&dir, &["diff", &id, "--names", "--paths"]).args(paths)).text();
    assert_eq!(names(&["b.txt"]), "M dir/b.txt\n");
    assert_eq!(names(&["."]), "M dir/b.txt\n");
    assert_eq!(names(&["../a.txt", "./b.txt"]), "M a.txt\nM dir/b.txt\n");
    assert_eq!(names(&[".."]), "M a.txt\nM dir/b.txt\n");
    assert_eq!(names(&[place.path("a.txt").to_str().unwrap()]), "M a.txt\n");
    symlink(place.root(), place.dir.join("link")).unwrap();
    assert_eq!(names(&[place.dir.join("link/a.txt").to_str().unwrap()]), "M a.txt\n");
    assert_eq!(run(&mut place.command(&dir, &["restore", &id, "--yes"])).code, 0);
    assert_eq!((place.read("a.txt"), place.read("dir/b.txt")), (b"alpha\n".to_vec(), b"beta\r\n".to_vec()));
}

#[test]
fn linked_worktrees_are_separate() {
    let place = Place::new();
    let other = place.dir.join("other \u{e9}");
    place.git(&["worktree", "add", "-q", "-b", "second", other.to_str().unwrap()]);
    let id = place.create();
    let list = |dir: &std::path::Path| run(&mut place.command(dir, &["list", "--json"])).json();
    assert_eq!(list(&other)["checkpoints"].as_array().map(Vec::len), Some(0));
    run(&mut place.command(&other, &["restore", &id, "--yes", "--json"])).fails(1, "not_in_session");
    let theirs = text(&run(&mut place.command(&other, &["create", "--json"])).json(), "id");
    fs::write(other.join("a.txt"), "changed there\n").unwrap();
    assert_eq!(run(&mut place.command(&other, &["restore", &theirs, "--yes"])).code, 0);
    assert_eq!(fs::read(other.join("a.txt")).unwrap(), b"alpha\n");
    assert_eq!(list(&place.root())["checkpoints"].as_array().map(Vec::len), Some(1));
    // Pruning one worktree keeps the other's checkpoints.
    run(&mut place.command(&other, &["prune", "--days", "0", "--safety-days", "0"]));
    assert_eq!(list(&place.root())["checkpoints"].as_array().map(Vec::len), Some(1));
}

#[test]
fn many_at_once() {
    let place = Place::new();
    let mut children: Vec<_> =
        (0..8).map(|_| place.command(&place.root(), &["create", "--json"]).spawn().unwrap()).collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_eq!(place.json(&["list"])["checkpoints"].as_array().map(Vec::len), Some(8), "all in one session");
    assert_eq!(place.pins().len(), 8);
    place.git(&["fsck", "--no-dangling"]);
}

#[test]
fn a_repository_without_a_commit() {
    let place = Place::new();
    let empty = place.dir.join("empty");
    fs::create_dir(&empty).unwrap();
    place.git_in(&empty, &["init", "-q"]);
    fs::write(empty.join("a"), "one\n").unwrap();
    let id = text(&run(&mut place.command(&empty, &["create", "--json"])).json(), "id");
    fs::write(empty.join("a"), "two\n").unwrap();
    assert_eq!(run(&mut place.command(&empty, &["restore", &id, "--yes"])).code, 0);
    assert_eq!(fs::read(empty.join("a")).unwrap(), b"one\n");
    assert!(run(&mut place.command(&empty, &["show", &id])).text().contains("no commit yet"));
}

#[test]
fn the_environment_sets_the_state_directory() {
    let place = Place::new();
    let root = place.root();
    for (value, made) in
        [(None, "home/.local/state"), (Some(""), "home/.local/state"), (Some("rel"), "home/.local/state")]
    {
        let mut command = place.command(&root, &["create"]);
        match value {
            Some(value) => command.env("XDG_STATE_HOME", value),
            None => command.env_remove("XDG_STATE_HOME"),
        };
        assert_eq!(run(&mut command).code, 0, "{value:?}");
        let made = place.dir.join(made).join("fuzzy-edit");
        assert!(made.join("state.db").is_file(), "{value:?}");
        assert_eq!(fs::metadata(&made).unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir_all(place.dir.join("home/.local")).unwrap();
    }
    let nowhere = run(place.command(&root, &["create", "--json"]).env_remove("XDG_STATE_HOME").env_remove("HOME"));
    nowhere.fails(2, "io");
    let database = place.dir.join("own.db");
    let own = ["--database", database.to_str().unwrap()];
    let id = text(&place.json(&[&["create"][..], &own].concat()), "id");
    assert!(place.run(&[&["list"][..], &own].concat()).text().contains(&id[..8]));
    assert!(!place.run(&["list"]).text().contains(&id[..8]), "the two databases know nothing of each other");
}

#[test]
fn the_environment_of_a_hook_does_not_mislead() {
    let place = Place::new();
    let other = Place::new();
    let mut command = place.command(&place.root(), &["create", "--json"]);
    command.env("GIT_DIR", other.path(".git")).env("GIT_WORK_TREE", other.root()).env("GIT_INDEX_FILE", "/nowhere");
    assert_eq!(run(&mut command).code, 0);
    assert_eq!((place.pins().len(), other.pins().len()), (1, 0));
}
