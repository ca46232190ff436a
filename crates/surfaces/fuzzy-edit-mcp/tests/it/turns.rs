//! Calls on the same file wait for each other; others do not.

use fuzzy_edit::{State, hold};
use fuzzy_edit_mcp::{Server, Settings};
use serde_json::{Value, json};

use crate::support::{Client, Place};

fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({"name": "edit", "arguments": {"file_path": file, "old_string": old, "new_string": new}})
}

#[tokio::test]
async fn a_call_waits_only_for_calls_on_its_file() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let settings = place.settings();
    let workspace = settings.editor.workspace().clone().with_state(State::at(state.path()));
    let editor = settings.editor.clone().with_workspace(workspace);
    let held = hold(&State::at(state.path()), &place.path("b.txt").canonicalize().unwrap()).unwrap();
    let mut client = Client::connect(Server::new(Settings { editor, ..settings }).unwrap()).await;
    // The first call waits for the file, the second for the first call.
    let first = client.send_request("tools/call", edit("b.txt", "one", "two")).await;
    let second = client.send_request("tools/call", edit("./b.txt", "two", "three")).await;
    let third = client.send_request("tools/call", edit("a.txt", "one", "two")).await;
    assert_eq!(client.answer(third).await["result"]["isError"], false);
    assert_eq!((place.text("a.txt"), place.text("b.txt")), ("two\n".to_owned(), "one\n".to_owned()));
    drop(held);
    assert_eq!(client.answer(first).await["result"]["isError"], false);
    assert_eq!(client.answer(second).await["result"]["isError"], false);
    assert_eq!(place.text("b.txt"), "three\n");
    client.close().await;
}

#[tokio::test]
async fn undo_restores_files_and_lists_the_other_batches() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let settings = place.settings();
    let workspace = settings.editor.workspace().clone().with_state(State::at(state.path()));
    let editor = settings.editor.clone().with_workspace(workspace);
    let mut client = Client::connect(Server::new(Settings { editor, ..settings }).unwrap()).await;
    for file in ["a.txt", "b.txt"] {
        client.call("edit", json!({"file_path": file, "old_string": "one", "new_string": "two"})).await.success();
    }
    let listed = client.call("undo", json!({"list": true})).await;
    assert_eq!(listed.data["batches"].as_array().unwrap().len(), 2, "{listed:?}");
    let older = listed.data["batches"][1]["batch"].clone();
    assert!(client.call("undo", json!({"dry_run": true})).await.text.starts_with("would be restored"));
    std::fs::write(place.path("b.txt"), "theirs\n").unwrap();
    let refused = client.call("undo", json!({})).await;
    assert!(refused.is_error && refused.text.contains("Call undo with list"), "{refused:?}");
    client.call("undo", json!({"batch": older})).await.success();
    assert_eq!((place.text("a.txt"), place.text("b.txt")), ("one\n".to_owned(), "theirs\n".to_owned()));
    client.close().await;
}

/// Collects the properties of every object that a schema describes.
fn with_properties<'s>(schema: &'s Value, found: &mut Vec<&'s Value>) {
    match schema {
        Value::Object(object) => {
            found.extend(object.get("properties"));
            object.values().for_each(|inner| with_properties(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|item| with_properties(item, found)),
        _ => {}
    }
}

#[tokio::test]
async fn an_answer_is_bounded_and_says_what_it_leaves_out() {
    let place = Place::with(&[("a.txt", &"x\n".repeat(30))]);
    let mut client = Client::connect(place.server()).await;
    let wrong = json!({"old_string": "nowhere to be found".repeat(20), "new_string": "y"});
    let edits: Vec<_> = (0..500).map(|_| wrong.clone()).collect();
    let id = client
        .send_request("tools/call", json!({"name": "multi_edit", "arguments": {"file_path": "a.txt", "edits": edits}}))
        .await;
    let answer = client.answer(id).await;
    assert!(answer.to_string().len() <= 256 << 10, "{}", answer.to_string().len());
    let data = &answer["result"]["structuredContent"];
    let kept = data["edits"].as_array().unwrap().len();
    assert_eq!(data["left_out"]["edits"], json!(500 - kept));
    // Every object of an answer may have `left_out`, so every schema allows it.
    for tool in client.request("tools/list", json!({})).await["tools"].as_array().unwrap() {
        let mut objects = Vec::new();
        with_properties(&tool["outputSchema"], &mut objects);
        assert!(objects.iter().all(|object| object["left_out"]["type"] == "object"), "{}", tool["name"]);
    }
    client.close().await;
}
