//! Turns that change a repository inside the worktree: it is shown, and left alone.

use std::fs;

use serde_json::{Value, json};

use super::scene::Scene;

/// A scene with the submodule `sub` and a turn that commits in it, changes a file, and clones another repository. Returns
/// the commits of `sub` before and after, and of the clone.
fn scene() -> (Scene, [String; 3]) {
    let scene = Scene::new();
    let place = &scene.place;
    let other = place.dir.join("other");
    fs::create_dir(&other).unwrap();
    place.git_in(&other, &["init", "-q"]);
    place.git_in(&other, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let source = other.to_str().unwrap();
    place.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "sub"]);
    place.git(&["commit", "-q", "-m", "a submodule"]);
    let head = |dir: &str| place.git_in(&place.path(dir), &["rev-parse", "HEAD"]).trim().to_owned();
    let before = head("sub");
    scene.begin("s1", "Update it.");
    place.git_in(&place.path("sub"), &["commit", "-q", "--allow-empty", "-m", "second"]);
    place.git(&["clone", "-q", source, "clone"]);
    place.write("f.txt", "changed\n");
    scene.end("s1");
    let commits = [before, head("sub"), head("clone")];
    (scene, commits)
}

#[test]
fn a_turn_shows_their_commits_and_undo_says_once_that_it_leaves_them() {
    let (scene, [before, after, cloned]) = scene();
    let moved = json!([
        { "path": "clone", "from": null, "to": cloned },
        { "path": "sub", "from": before, "to": after },
    ]);
    let listed = &scene.list()[0];
    assert_eq!((&listed["submodules"], &listed["files"]), (&moved, &json!(1)));
    let shown = format!("clone none -> {}, sub {} -> {}", &cloned[..10], &before[..10], &after[..10]);
    let text = scene.turns(&[]).text();
    assert!(text.contains(&shown.replace(", ", " ")), "{text}");
    let planned = scene.json(&["revert", "--dry-run"]);
    assert_eq!(planned["submodules"], moved);
    let undone = scene.turns(&["revert", "--yes"]);
    let said = undone.text() + &undone.err;
    let named = format!("sub {} -> {}", &before[..10], &after[..10]);
    assert_eq!((undone.code, said.matches(&named).count()), (0, 1), "{said}");
    assert_eq!(said.matches("left at their commits").count(), 1, "{said}");
    assert!(!scene.place.path("f.txt").exists());
    assert_eq!(scene.place.git_in(&scene.place.path("sub"), &["rev-parse", "HEAD"]).trim(), after);
    scene.undo_json(&["--yes"]);
    assert_eq!(scene.json(&["revert", "--yes"])["submodules"], moved);
    // A turn that leaves it alone does not name it.
    scene.turn("s1", "Another.", "echo 2 > f.txt");
    assert_eq!(scene.list()[1]["submodules"], Value::Null);
}

#[test]
fn odd_repositories_have_no_commit_and_do_no_harm() {
    let scene = Scene::new();
    for (name, head) in [("none", ""), ("odd", "ref: refs/heads/../../../outside\n"), ("text", "no commit\n")] {
        scene.place.git(&["init", "-q", name]);
        scene.place.git_in(&scene.place.path(name), &["commit", "-q", "--allow-empty", "-m", "first"]);
        scene.place.write(format!("{name}/.git/HEAD"), head);
    }
    scene.turn(
        "s1",
        "One.",
        "echo 1 > f.txt; rm -r none; mkdir file; echo 'gitdir: ../nowhere' > file/.git; echo > file/f",
    );
    let listed = &scene.list()[0];
    assert_eq!((&listed["files"], &listed["submodules"]), (&json!(1), &Value::Null), "{listed}");
}
