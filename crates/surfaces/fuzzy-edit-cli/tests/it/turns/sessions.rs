//! Sessions are named by their first prompt and found by several names; numbers of turns stay.

use serde_json::{Value, json};

use super::scene::{Scene, event};
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
        (names[0], json!([1, 3])),
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
fn an_agent_is_told_what_was_taken_back_and_the_user_how_to_go_back_in_its_conversation() {
    let scene = Scene::new();
    let prompt = |host: &str, session: &str, turn: &str| {
        let mut event: Value = serde_json::from_str(&event(&scene.place.root(), session, "Work.")).unwrap();
        event["turn_id"] = turn.into();
        scene.hook_of(host, "turn-begin", &event.to_string())
    };
    let end = |host: &str, session: &str| scene.hook_of(host, "turn-end", &event(&scene.place.root(), session, ""));
    for (at, (host, words, command)) in [
        ("claude-code", "press Esc twice in Claude Code", None),
        ("codex", "press Esc twice in Codex", Some(r#"{"beforeTurnId":"t1","threadId":"s 1"}"#)),
        ("gemini", "`/rewind` in Gemini CLI", None),
        ("opencode", "`opencode serve`", Some("'http://127.0.0.1:4096/session/s 1/fork'")),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(prompt(host, "s 1", "t1"), "", "{host}");
        scene.shell(&format!("echo {host} > '{host} <b>.txt'"));
        end(host, "s 1");
        let number = (5 * at + 1).to_string();
        let report = scene.json(&["revert", &number, "--yes"]);
        let conversation = &report["conversations"][0];
        assert_eq!((report["conversations"].as_array().unwrap().len(), &conversation["turn"]), (1, &json!(5 * at + 1)));
        assert!(text(conversation, "words").contains(words), "{conversation}");
        assert_eq!(conversation["command"].is_string(), command.is_some(), "{conversation}");
        assert!(command.is_none_or(|part| text(conversation, "command").contains(part)), "{conversation}");
        let name = format!(r#""{host} \u003cb\u003e.txt""#);
        assert_eq!(prompt(host, "s 2", "t"), "", "it is not its turn");
        let told = format!("turn {number} was taken back by the user: {name}");
        assert_eq!([prompt(host, "s 1", "t2"), prompt(host, "s 1", "t3")], [told, String::new()], "{host}");
        assert_eq!([end(host, "s 1"), end(host, "s 2")].concat(), "");
        let undone = scene.undo_json(&["--yes"]);
        assert!(undone.get("conversations").is_none(), "{undone}");
        assert_eq!(prompt(host, "s 1", "t4"), format!("turn {number} was brought back: {name}"));
        end(host, "s 1");
    }
    let printed = scene.turns(&["revert", "1", "--yes"]).text();
    assert!(printed.contains("still has turn 1; to take it out, and what follows: press Esc twice"), "{printed}");
    // Of a turn whose texts are deleted only the words are known.
    scene.json(&["forget", "6", "--yes"]);
    let rows = rusqlite::Connection::open(scene.state().join("state.db")).unwrap();
    let extra: Option<String> =
        rows.query_row("SELECT extra FROM messages WHERE number = 6", [], |row| row.get(0)).unwrap();
    assert_eq!(extra, None);
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
