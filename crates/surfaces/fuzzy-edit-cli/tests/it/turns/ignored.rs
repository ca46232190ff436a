//! Turns of an agent in a directory that the repository around it ignores: captures of the repository lack its files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::scene::{Scene, event};
use crate::place::{Answer, run};

/// Runs `turns` in a directory.
fn turns(scene: &Scene, dir: &Path, arguments: &[&str]) -> Answer {
    let mut command = scene.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), dir);
    run(command.arg("turns").args(arguments))
}

fn listed(scene: &Scene, dir: &Path) -> Value {
    turns(scene, dir, &["--json"]).json()["turns"].clone()
}

#[test]
fn they_have_checkpoints_of_that_directory() {
    let scene = Scene::new();
    let place = &scene.place;
    scene.turn("outer", "a turn outside", "echo 2 > a.txt");
    let project = place.path("made.ignored/project");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("src/cart.py"), "total = 0\n").unwrap();
    fs::write(place.path("made.ignored/other.txt"), "not of the project\n").unwrap();
    // Nobody has worked there yet: a person gets the turns of the repository.
    assert_eq!(listed(&scene, &project).as_array().unwrap().len(), 1);

    scene.hook("turn-begin", &event(&project, "inner", "a turn inside"));
    fs::write(project.join("src/cart.py"), "total = 1\n").unwrap();
    fs::write(project.join("made.txt"), "new\n").unwrap();
    scene.hook("turn-end", &event(&project, "inner", ""));
    for dir in [&project, &project.join("src")] {
        let turns = listed(&scene, dir);
        assert_eq!(turns[0]["prompt"], "a turn inside");
        assert_eq!([&turns[0]["files"], &turns[1]], [&json!(2), &Value::Null]);
    }
    // Each has its own numbers, and neither lists the turns of the other.
    assert_eq!(listed(&scene, &place.root())[0]["prompt"], "a turn outside");
    assert_eq!(listed(&scene, &place.root())[1], Value::Null);

    let undone = turns(&scene, &project, &["revert", "1", "--yes"]);
    assert_eq!(undone.code, 0, "{}", undone.err);
    assert_eq!(fs::read_to_string(project.join("src/cart.py")).unwrap(), "total = 0\n");
    assert!(!project.join("made.txt").exists());
    assert_eq!(fs::read_to_string(place.path("made.ignored/other.txt")).unwrap(), "not of the project\n");
    assert_eq!(place.read("a.txt"), b"2\n");
}
