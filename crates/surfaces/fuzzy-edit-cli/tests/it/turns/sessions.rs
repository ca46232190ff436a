//! Sessions are named by their first prompt and found by several names; numbers of turns stay.

use serde_json::json;

use super::scene::Scene;
use crate::place::{run, text};

#[test]
fn a_session_is_found_by_its_names() {
    let scene = Scene::new();
    scene.turn("s1", "Fix the total of the cart.", "echo 1 > 1.txt");
    scene.turn("s2", "Another task.", "echo 2 > 2.txt");
    scene.turn("s1", "Go on.", "echo 3 > 3.txt");
    let names = ["claude-code · Fix the total of the cart.", "claude-code · Another task."];
    assert_eq!(scene.column("session"), json!([names[0], names[1], names[0]]));
    let numbers = |session: &str| {
        let listed = scene.json(&["--session", session]);
        listed["turns"].as_array().unwrap().iter().map(|turn| turn["number"].clone()).collect::<serde_json::Value>()
    };
    let id = text(&scene.list()[1], "session_id");
    for (name, expected) in [
        ("latest", json!([1, 3])),
        ("claude-code", json!([1, 3])),
        ("2", json!([2])),
        ("claude-code s2", json!([2])),
        (&id[..20], json!([2])),
    ] {
        assert_eq!(numbers(name), expected, "{name}");
    }
    let refused = scene.turns(&["--session", "none"]);
    assert!(refused.code == 2 && refused.err.contains(names[1]), "{}", refused.err);
    let listed = run(&mut scene.command(&["checkpoint", "list", "--session", "2", "--json"]));
    assert_eq!(listed.json()["checkpoints"].as_array().unwrap().len(), 2, "{}", listed.err);
}

#[test]
fn the_number_of_a_turn_is_the_same_everywhere_and_stays() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > 1.txt");
    scene.turn("s2", "Two.", "echo 2 > 2.txt");
    scene.turn("s1", "Three.", "echo 3 > 3.txt");
    let state = scene.state().join("state.db");
    let store = fuzzy_checkpoint_store::open_file(&state).unwrap();
    let session = text(&scene.list()[1], "session_id");
    store.delete_session(&session.as_str().into()).unwrap();
    assert_eq!(scene.column("number"), json!([1, 3]));
    scene.turn("s3", "Four.", "echo 4 > 4.txt");
    assert_eq!(scene.column("number"), json!([1, 3, 4]));
    let messages = store.messages(&text(&scene.list()[1], "session_id").as_str().into()).unwrap();
    assert_eq!(messages.iter().filter_map(|message| message.number).collect::<Vec<_>>(), [1, 3], "as the API has it");
}

#[test]
fn edit_tools_part_turns_that_overlap() {
    let scene = Scene::new();
    scene.begin("s1", "One.");
    scene.begin("s2", "Two.");
    let call = |session: &str, file: &str| {
        let path = scene.place.path(file);
        json!({
            "session_id": session, "cwd": scene.place.root(),
            "tool_calls": [{"tool_name": "Write", "tool_input": {"file_path": path}, "tool_response": "ok"}],
        })
        .to_string()
    };
    scene.shell("echo 1 > one.txt; echo 2 > two.txt; echo ? > either.txt");
    for (session, file) in [("s1", "one.txt"), ("s2", "two.txt")] {
        Scene::send(scene.command(&["hook", "claude-code", "failed"]), &call(session, file));
    }
    let plan = scene.json(&["revert", "2", "--dry-run"]);
    assert_eq!(plan["files_to_delete"], json!(["two.txt"]), "while both run: {plan}");
    scene.end("s1");
    scene.end("s2");
    let reverted = scene.json(&["revert", "1", "--yes"]);
    assert_eq!(reverted["left"], json!([{"path": "either.txt", "origins": [{"by": "turn", "turns": [1, 2]}]}]));
    assert!(!scene.place.path("one.txt").exists() && scene.place.path("two.txt").exists());
}
