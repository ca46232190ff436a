//! Handshakes, descriptions, errors of the protocol, progress and cancellation.

use fuzzy_edit_mcp::{Checkpoints, Server, Settings};
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
    assert_eq!(names, ["edit", "multi_edit", "move_lines", "preview_edit", "locate", "apply_patch", "undo"]);
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
async fn the_tools_are_described_to_a_model_in_12_kilobytes() {
    let place = Place::with(&[]);
    let session = "test".to_owned();
    let directory = place.path("");
    let checkpoints = Checkpoints { directory, session, restores: true, before_first_write: false };
    let settings = Settings { checkpoints: Some(checkpoints), structured: false, ..place.settings() };
    let mut client = Client::connect(Server::new(settings).unwrap()).await;
    let tools = tools(&mut client).await;
    assert!(tools.iter().any(|tool| tool["name"] == "checkpoint_restore"));
    // Hosts pass these parts to their models.
    let parts = |tool: &Value| ["name", "description", "inputSchema"].map(|part| tool[part].to_string().len());
    let bytes: usize = tools.iter().flat_map(parts).sum();
    assert!(bytes <= 12 << 10, "{bytes} bytes");
}

#[tokio::test]
async fn wrong_arguments_are_answers_of_the_tool() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let unknown = client.error("tools/call", json!({"name": "rm", "arguments": {}})).await;
    assert_eq!(unknown["code"], -32602);
    assert!(unknown["message"].as_str().unwrap().contains("edit, multi_edit"), "{unknown}");
    for (name, arguments, part) in [
        ("edit", json!({}), "file_path"),
        ("edit", json!({"file_path": "a.txt", "old_string": "one", "new_string": "two", "force": true}), "force"),
        ("edit", json!({"file_path": "a.txt", "old_string": 1, "new_string": "two"}), "invalid type"),
        ("edit", json!([]), "`arguments` must be an object"),
        ("locate", json!({}), "file_path"),
        ("undo", json!({"last": true}), "last"),
    ] {
        let result = client.request("tools/call", json!({"name": name, "arguments": arguments})).await;
        assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(true), &json!("bad_input")));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("bad_input: ") && text.contains(part) && text.contains(name), "{text}");
    }
    for params in [json!({"name": 1}), json!({})] {
        let error = client.error("tools/call", params).await;
        assert_eq!((&error["code"], &error["message"].as_str().unwrap()[..6]), (&json!(-32602), "`name`"), "{error}");
    }
    assert_eq!(place.text("a.txt"), "one\n");
    client.close().await;
}

#[tokio::test]
async fn a_line_that_is_no_request_is_answered_with_its_id() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let half = r#"{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":{"name":"edit","arguments":{"file_path":"a.txt","old_string":"\ud800","new_string":"x"}}}"#;
    for (line, code, id) in [
        (half, -32700, json!(7001)),
        (r#"{"params":{"id":1,"x":"\udfff"},"id":"b"}"#, -32700, json!("b")),
        (r#"{"jsonrpc":"2.0","id":7002}"#, -32600, json!(7002)),
        (r#"{"jsonrpc":"1.0","id":7003,"method":"ping"}"#, -32600, json!(7003)),
        ("not json", -32700, json!(null)),
        ("42", -32600, json!(null)),
        ("[]", -32600, json!(null)),
    ] {
        client.send_raw(format!("{line}\n").as_bytes()).await;
        let answer = client.read().await.unwrap();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}: {answer}");
    }
    // A notification gets no answer, and the next request is answered.
    client
        .send_raw(concat!(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":7}"#, "\n").as_bytes())
        .await;
    client.send_raw(b"\n").await;
    client.call("edit", json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"})).await.success();
    client.close().await;
}

#[tokio::test]
async fn booleans_and_numbers_may_be_texts_and_remarks_are_ignored() {
    let place = Place::with(&[("a.txt", "one\none\n")]);
    let mut client = Client::connect(place.server()).await;
    let located = json!({"file_path": "a.txt", "old_string": "one", "line": "2"});
    let called = client.call("locate", located).await;
    assert!(called.text.starts_with("found: a.txt 2,"), "{called:?}");
    let all = json!({
        "file_path": "a.txt", "old_string": "one", "new_string": "two", "replace_all": "true", "explanation": "Both.",
    });
    client.call("edit", all).await.success();
    assert_eq!(place.text("a.txt"), "two\ntwo\n");
}

/// Calls a tool with a progress token and returns the reported progress.
async fn progress(client: &mut Client, tool: &str, arguments: &Value) -> Vec<(f64, f64)> {
    let call = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "t1"}});
    let result = client.request("tools/call", call).await;
    assert_eq!(result["isError"], false, "{result}");
    let read = |note: Value| {
        assert_eq!(
            (&note["method"], &note["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("t1"))
        );
        (note["params"]["progress"].as_f64().unwrap(), note["params"]["total"].as_f64().unwrap())
    };
    client.notes.drain(..).map(read).collect()
}

#[tokio::test]
async fn progress_is_reported_file_by_file_and_only_on_request() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n"), ("c.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let names = ["a.txt", "b.txt", "c.txt"];
    let edit = |name: &&str| json!({"file_path": name, "old_string": "one", "new_string": "two"});
    let edits = json!({"edits": names.iter().map(edit).collect::<Vec<_>>()});
    client.call("preview_edit", edits.clone()).await.success();
    assert!(client.notes.is_empty(), "{:?}", client.notes);
    let patch = names.map(|name| format!("{name}\n<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n")).concat();
    let steps = [(0.0, 3.0), (1.0, 3.0), (2.0, 3.0), (3.0, 3.0)];
    assert_eq!(progress(&mut client, "multi_edit", &edits).await, steps);
    assert_eq!(progress(&mut client, "apply_patch", &json!({"patch": patch})).await, steps);
    let located = json!({"file_path": "a.txt", "old_string": "three"});
    assert_eq!(progress(&mut client, "locate", &located).await, [(1.0, 1.0)]);
}

#[tokio::test]
async fn progress_of_many_edits_is_reported_in_hundredths() {
    let place = Place::with(&[("a.txt", "0\n")]);
    let mut client = Client::connect(place.server()).await;
    let edit = |step: usize| json!({"old_string": step.to_string(), "new_string": (step + 1).to_string()});
    let edits: Vec<Value> = (0..1000).map(edit).collect();
    let steps = progress(&mut client, "preview_edit", &json!({"file_path": "a.txt", "edits": edits})).await;
    assert_eq!((steps.len(), steps[0], steps[100]), (101, (0.0, 1000.0), (1000.0, 1000.0)));
    assert!(steps.is_sorted(), "{steps:?}");
}

#[tokio::test]
async fn edits_sent_at_once_land_one_after_the_other() {
    let place = Place::with(&[("a.txt", "0\n")]);
    let mut client = Client::connect(place.server()).await;
    let mut ids = Vec::new();
    for step in 0..20 {
        let arguments =
            json!({"file_path": "a.txt", "old_string": step.to_string(), "new_string": (step + 1).to_string()});
        ids.push(client.send_request("tools/call", json!({"name": "edit", "arguments": arguments})).await);
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
async fn a_request_before_the_end_of_input_is_answered() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    let id = client.send_request("tools/call", json!({"name": "edit", "arguments": arguments})).await;
    client.close_output().await;
    assert_eq!(client.answer(id).await["result"]["isError"], false);
    assert_eq!(client.read().await, None);
    assert_eq!(place.text("a.txt"), "two\n");
}

#[tokio::test]
async fn a_message_as_long_as_files_may_be_is_answered() {
    let mut client = Client::connect(Place::with(&[]).server()).await;
    // By default the SDK reads at most 16 MiB, and drops a longer message without an answer.
    let error = client.error("tools/call", json!({"name": "x", "arguments": {"a": "x".repeat(17 << 20)}})).await;
    assert_eq!(error["code"], -32602);
}

#[tokio::test]
async fn noise_between_messages_does_not_end_the_session() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    client.send_raw(b"this is no JSON\n\xff\xfe\n\n{\"jsonrpc\": \"2.0\"}\n").await;
    let arguments = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    client.call("edit", arguments).await.success();
}
