//! Handshakes, descriptions, errors of the protocol, progress and cancellation.

use serde_json::{Value, json};

use crate::support::{Client, Place};

/// Returns the descriptions of all tools.
async fn tools(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({})).await["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn both_generations_of_the_protocol_list_and_call() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let mut shaken = Client::connect(place.server()).await;
    let mut modern = Client::modern(place.server());
    let discovered = modern.request("server/discover", json!({})).await;
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")), "{discovered}");
    for (client, name) in [(&mut shaken, "a.txt"), (&mut modern, "b.txt")] {
        assert!(!tools(client).await.is_empty());
        let arguments = json!({"file_path": name, "old_string": "one", "new_string": "two"});
        client.call("edit", arguments).await.success();
        assert_eq!(place.text(name), "two\n");
    }
    shaken.close().await;
    modern.close().await;
}

#[tokio::test]
async fn the_handshake_settles_on_a_version_that_both_know() {
    let place = Place::with(&[]);
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Client::silent(place.server());
        let info = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": info});
        let result = client.request("initialize", params).await;
        assert_eq!(result["protocolVersion"], answered, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "fuzzy-edit");
        assert!(result["capabilities"]["tools"].is_object());
    }
}

#[tokio::test]
async fn every_tool_is_described_by_plain_objects() {
    let place = Place::with(&[]);
    let mut client = Client::connect(place.server()).await;
    let tools = tools(&mut client).await;
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["edit", "multi_edit", "preview_edit", "locate", "apply_patch"]);
    for tool in &tools {
        for schema in ["inputSchema", "outputSchema"] {
            let schema = &tool[schema];
            assert_eq!(schema["type"], "object");
            assert!(schema["properties"].is_object());
            for word in ["anyOf", "oneOf", "allOf", "$ref", "$defs"] {
                assert!(schema.get(word).is_none(), "{}: {word} at the root", tool["name"]);
            }
            jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{error}"));
            assert!(!schema.to_string().contains("$ref"), "a reference that some host would not follow");
        }
        let is_read_only = ["preview_edit", "locate"].contains(&tool["name"].as_str().unwrap());
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], is_read_only, "{hints}");
        assert_eq!(hints["openWorldHint"], false, "{hints}");
        if !is_read_only {
            assert_eq!((&hints["destructiveHint"], &hints["idempotentHint"]), (&json!(true), &json!(false)));
        }
    }
}

#[tokio::test]
async fn unknown_tools_and_unreadable_arguments_are_errors_of_the_protocol() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let unknown = client.error("tools/call", json!({"name": "rm", "arguments": {}})).await;
    assert_eq!(unknown["code"], -32602);
    assert!(unknown["message"].as_str().unwrap().contains("edit, multi_edit"), "{unknown}");
    for arguments in [json!({}), json!({"file_path": "a.txt", "old_string": "one", "new_string": "two", "force": true})]
    {
        let error = client.error("tools/call", json!({"name": "edit", "arguments": arguments})).await;
        assert_eq!(error["code"], -32602);
    }
    let error = client.error("tools/call", json!({"name": "locate"})).await;
    assert!(error["message"].as_str().unwrap().contains("file_path"), "{error}");
    assert_eq!(place.text("a.txt"), "one\n");
}

#[tokio::test]
async fn progress_is_told_only_to_those_who_ask() {
    let place = Place::with(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::connect(place.server()).await;
    let edits = json!([{"old_string": "one", "new_string": "1"}, {"old_string": "two", "new_string": "2"}]);
    let call = json!({"name": "preview_edit", "arguments": {"file_path": "a.txt", "edits": edits}});
    client.request("tools/call", call.clone()).await;
    assert!(client.notes.is_empty(), "{:?}", client.notes);
    let mut with_token = call;
    with_token["_meta"] = json!({"progressToken": "t1"});
    client.request("tools/call", with_token).await;
    assert!(!client.notes.is_empty());
    let mut before = -1.0;
    for note in &client.notes {
        assert_eq!(note["method"], "notifications/progress");
        assert_eq!(note["params"]["progressToken"], "t1");
        let progress = note["params"]["progress"].as_f64().unwrap();
        assert!(progress > before, "{note}");
        before = progress;
    }
    assert!((before - 2.0).abs() < f64::EPSILON);
}

#[tokio::test]
async fn edits_sent_at_once_land_one_after_the_other() {
    let place = Place::with(&[("a.txt", "0\n")]);
    let mut client = Client::connect(place.server()).await;
    let mut ids = Vec::new();
    for step in 0..20 {
        let arguments =
            json!({"file_path": "a.txt", "old_string": step.to_string(), "new_string": (step + 1).to_string()});
        ids.push(client.ask("tools/call", json!({"name": "edit", "arguments": arguments})).await);
    }
    let mut open = ids;
    while !open.is_empty() {
        let message = client.read().await.unwrap();
        assert_eq!(message["result"]["isError"], false, "{message}");
        open.retain(|id| message["id"] != *id);
    }
    assert_eq!(place.text("a.txt"), "20\n");
}

#[tokio::test]
async fn what_was_asked_before_the_pipe_closed_is_answered() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    let id = client.ask("tools/call", json!({"name": "edit", "arguments": arguments})).await;
    client.close_output().await;
    assert_eq!(client.answer(id).await["result"]["isError"], false);
    assert_eq!(client.read().await, None);
    assert_eq!(place.text("a.txt"), "two\n");
}

#[tokio::test]
async fn noise_between_messages_ends_nothing() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    client.send_raw(b"this is no JSON\n\xff\xfe\n\n{\"jsonrpc\": \"2.0\"}\n").await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    client.call("edit", arguments).await.success();
}
