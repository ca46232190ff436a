//! The memory of a session between its calls.

use fuzzy_edit_mcp::{Logging, Server, Settings};
use serde_json::json;

use crate::support::{Client, Place};

#[tokio::test]
async fn the_third_equal_failure_says_to_stop() {
    let place = Place::with(&[("a.txt", "x = 1\ny = 2\nx = 1\n")]);
    let mut client = Client::connect(place.server()).await;
    let edit = json!({"file_path": "a.txt", "old_string": "x = 1", "new_string": "x = 2"});
    client.call("edit", edit.clone()).await.failure("ambiguous");
    let second = client.call("edit", edit.clone()).await.failure("repeated_failure");
    assert_eq!((&second["cause"], &second["repeats"]), (&json!("ambiguous"), &json!(2)));
    assert_eq!(second["ambiguous_at"], json!([[1, 1], [3, 3]]));
    let third = client.call("edit", edit.clone()).await.failure("repeated_failure");
    assert!(third["next_step"].as_str().unwrap().contains("ask the user"), "{third}");

    // Another session does not know the failure, and in this session it does not affect other edits.
    let mut other = Client::connect(place.server()).await;
    other.call("edit", edit).await.failure("ambiguous");
    let edit = json!({"file_path": "a.txt", "old_string": "y = 2\nx = 1", "new_string": "y = 2\nx = 2"});
    client.call("edit", edit).await.success();
}

#[tokio::test]
async fn a_text_in_a_file_edited_before_is_found_there() {
    let place = Place::with(&[("a.txt", "one\nthe text that is meant\n"), ("b.txt", "two\n")]);
    let mut client = Client::connect(place.server()).await;
    let edit = json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"});
    client.call("edit", edit).await.success();
    let edit = json!({"file_path": "b.txt", "old_string": "the text that is meant", "new_string": "x"});
    let failure = client.call("edit", edit).await.failure("found_in_other_file");
    assert!(failure["next_step"].as_str().unwrap().contains("`a.txt`"), "{failure}");
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_located_is_edited_by_its_earlier_text() {
    let place = Place::with(&[("a.txt", "a()\nb()\nc()\n")]);
    let edit = json!({"file_path": "a.txt", "old_string": "b()", "new_string": "b(1)"});
    // A part of the file is no text that it was.
    for (shown, lands) in [("a()", false), ("a()\nb()\nc()\n", true)] {
        std::fs::write(place.path("a.txt"), "a()\nb()\nc()\n").unwrap();
        let mut client = Client::connect(place.server()).await;
        client.call("locate", json!({"file_path": "a.txt", "old_string": shown})).await.success();
        // Another program adds a second copy.
        std::fs::write(place.path("a.txt"), "b()\na()\nb()\nc()\n").unwrap();
        let answer = client.call("edit", edit.clone()).await;
        if lands {
            answer.success();
            assert_eq!(place.text("a.txt"), "b()\na()\nb(1)\nc()\n");
        } else {
            answer.failure("ambiguous");
        }
    }
}

#[tokio::test]
async fn edits_are_logged() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let log = Some(Logging { path: place.path("log.jsonl"), texts: true });
    let mut client = Client::connect(Server::new(Settings { log, ..place.settings() }).unwrap()).await;
    let edit = json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"});
    client.call("edit", edit.clone()).await.success();
    client.call("edit", edit).await.failure("not_found");
    let log = place.text("log.jsonl");
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert_eq!((&lines[0]["status"], &lines[0]["content"]), (&json!("applied"), &json!("one\n")));
    assert_eq!(lines[1]["code"], "not_found");
}
