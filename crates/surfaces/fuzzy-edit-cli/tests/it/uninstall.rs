//! `docs/uninstall.md`: it names everything in the state directory, and its commands remove everything.

use std::fs;

use serde_json::json;

use crate::page::{commands, page, path};
use crate::turns::scene::Scene;

#[test]
fn the_page_names_all_that_is_stored_and_its_commands_remove_it() {
    let scene = Scene::new();
    let (home, state) = (scene.place.dir.join("home"), scene.state());
    fs::create_dir(home.join(".gemini")).unwrap();
    fs::write(home.join(".gemini/settings.json"), "{\"theme\": \"dark\"}\n").unwrap();
    let files = |scene: &Scene| scene.place.git(&["status", "--porcelain", "--ignored"]);

    for command in [&["init", "gemini", "--yes"][..], &["apply", "a.txt", "--old", "alpha", "--new", "omega"]] {
        assert!(scene.command(command).output().unwrap().status.success(), "{command:?}");
    }
    scene.turn("session", "a prompt", "echo gamma > c.txt");
    scene.hook("turn-begin", "no event");
    let edit = json!({"file_path": scene.place.path("a.txt"), "old_string": "omega", "new_string": "alpha"});
    let event = json!({"session_id": "session", "cwd": scene.place.root(), "tool_name": "Edit", "tool_input": edit});
    Scene::answer(scene.command(&["hook", "claude-code", "repair"]), &event.to_string());

    let page = page("uninstall.md");
    let stored = page.lines().filter_map(|line| line.split('|').nth(2)).collect::<String>();
    let names: Vec<_> =
        fs::read_dir(&state).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in &names {
        assert!(stored.contains(&format!("`{name}`")), "{name} is not in the table");
    }
    assert_eq!(files(&scene), " M a.txt\n?? c.txt\n");

    let mut shell = scene.place.clean("sh", &scene.place.root());
    let output = shell.env("PATH", path()).args(["-eu", "-c", &commands(&page)]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!state.exists());
    assert_eq!(fs::read_to_string(home.join(".gemini/settings.json")).unwrap(), "{\"theme\": \"dark\"}\n");
    assert_eq!(files(&scene), " M a.txt\n?? c.txt\n");
}
