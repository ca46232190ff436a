//! A hook finds the place of an edit by the file as it was when the turn began.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::scene::{Scene, event};
/// Two functions that a formatter makes equal.
const BEFORE: &str = "def one():\n    x = {'a':1}\n    return x\n\n\ndef two():\n    x={'a': 1}\n    return x\n";
const FORMATTED: &str =
    "def one():\n    x = {\"a\": 1}\n    return x\n\n\ndef two():\n    x = {\"a\": 1}\n    return x\n";

/// The folders of counts and edits, and the files of the database while it is open.
const OTHERS: [&str; 4] = ["hooks", "edits", "state.db-wal", "state.db-shm"];

/// Sends the edit of the first function to a host's hook, as the agent read it before the formatter ran, and returns the
/// file that the host then writes; `None` if the hook does not answer.
fn edited(scene: &Scene, session: &str) -> Option<String> {
    let input = json!({ "file_path": "cart.py", "old_string": "    x = {'a':1}", "new_string": "    x = {'a':2}" });
    let event =
        json!({ "session_id": session, "cwd": scene.place.root(), "tool_name": "replace", "tool_input": input });
    let answer = Scene::answer(scene.command(&["hook", "gemini", "repair"]), &event.to_string());
    let answer: Value = serde_json::from_str(&answer).ok()?;
    let input = &answer["hookSpecificOutput"]["tool_input"];
    let (old, new) = (input["old_string"].as_str().unwrap(), input["new_string"].as_str().unwrap());
    let text = fs::read_to_string(scene.place.path("cart.py")).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    Some(text.replace(old, new))
}

/// Sends it until the hook answers: on a busy machine, the deadline of a hook may pass.
fn edited_at_last(scene: &Scene, session: &str) -> String {
    (0..20).find_map(|_| edited(scene, session)).expect("an answer")
}

/// Returns the files below a directory of the state, except for others.
fn files(dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if !path.components().any(|part| OTHERS.contains(&part.as_os_str().to_str().unwrap())) {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
}

fn state(scene: &Scene) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    files(&scene.state(), &mut found);
    found
}

#[test]
fn an_edit_after_a_formatter_lands_where_the_agent_saw_it() {
    for scene in [Scene::new(), Scene::without_git()] {
        scene.place.write("cart.py", BEFORE);
        let begin = |session: &str| {
            let event = event(&scene.place.root(), session, "Change one.");
            Scene::send(scene.command(&["hook", "gemini", "turn-begin"]), &event);
            scene.idle();
        };
        let none = || {
            let known = state(&scene);
            assert_eq!(edited(&scene, "s1"), None, "both places are alike");
            assert_eq!(state(&scene), known, "nothing is written");
        };
        scene.place.write("cart.py", FORMATTED);
        none();
        scene.place.write("cart.py", BEFORE);
        begin("s1");
        scene.place.write("cart.py", FORMATTED);
        let known = state(&scene);
        assert_eq!(edited_at_last(&scene, "s1"), FORMATTED.replacen("\"a\": 1", "\"a\": 2", 1));
        assert_eq!(state(&scene), known, "the hook only reads");
        assert_eq!(edited(&scene, "s2"), None, "another session has no turn");
        // The next turn begins with the formatted file.
        begin("s1");
        none();
        Scene::send(scene.command(&["hook", "gemini", "turn-end"]), &event(&scene.place.root(), "s1", ""));
        scene.idle();
        none();
    }
}
