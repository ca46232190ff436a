//! Refused and failed edits: answers with a next step.

use serde_json::json;

use crate::support::{Client, Place};

#[tokio::test]
async fn the_next_step_of_an_ambiguous_edit_leads_to_success() {
    let place = Place::with(&[("a.txt", "first\nx = 1\n\nsecond\nx = 1\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "x = 1", "new_string": "x = 2"});
    let failure = client.call("edit", arguments).await.failure("ambiguous");
    assert_eq!(failure["ambiguous_at"], json!([[2, 2], [5, 5]]));
    assert!(failure["next_step"].as_str().unwrap().contains("line 4 `second` for line 5"), "{failure}");
    let arguments = json!({"file_path": "a.txt", "old_string": "second\nx = 1", "new_string": "second\nx = 2"});
    client.call("edit", arguments).await.success();
    assert_eq!(place.text("a.txt"), "first\nx = 1\n\nsecond\nx = 2\n");
}

#[tokio::test]
async fn a_conflict_has_both_results_in_its_text() {
    let place = Place::with(&[("a.toml", "host = \"a\"\nport = 9000\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({
        "file_path": "a.toml", "old_string": "host = \"a\"\nport = 8080", "new_string": "host = \"a\"\nport = 8081",
    });
    let called = client.call("edit", arguments).await;
    for part in [
        "conflict: ",
        "line 2 has `9000`, the old text `8080`, the new text `8081`",
        "with the file's text, line 2:\nport = 9000",
        "with the new text, line 2:\nport = 8081",
        "proposal: {",
    ] {
        assert!(called.text.contains(part), "{called:?}");
    }
    assert!(called.text.ends_with("\nrule: different-value"), "{called:?}");
    let failure = called.failure("conflict");
    assert_eq!((&failure["conflicts"][0]["lines"], &failure["rule"]), (&json!([2, 2]), &json!("different-value")));
    assert_eq!(place.text("a.toml"), "host = \"a\"\nport = 9000\n");
}

#[tokio::test]
async fn a_failure_in_a_list_names_its_edit_and_nothing_is_written() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    let mut client = Client::connect(place.server()).await;
    let edits = json!([
        {"file_path": "a.txt", "old_string": "one", "new_string": "1"},
        {"file_path": "b.txt", "old_string": "absent from everything", "new_string": "2"},
    ]);
    let called = client.call("multi_edit", json!({"edits": edits})).await;
    assert!(called.text.contains("(edits[1])"), "{called:?}");
    assert!(called.text.ends_with("1 of 2 edits failed, so nothing was written."), "{called:?}");
    let failure = called.failure("not_found");
    assert_eq!(failure["file_path"], "b.txt");
    assert_eq!(failure["edits"][0]["status"], "not_written");
    assert_eq!(
        (&failure["edits"][1]["code"], &failure["edits"][1]["rule"]),
        (&json!("not_found"), &json!("not-found"))
    );
    assert_eq!((place.text("a.txt"), place.text("b.txt")), ("one\n".to_owned(), "two\n".to_owned()));
}

#[tokio::test]
async fn files_that_cannot_be_edited_have_different_codes() {
    let place = Place::with(&[("binary", "a\0b"), ("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    for (file, old, new, code) in [
        ("absent.txt", "one", "two", "missing"),
        (".", "one", "two", "not_a_file"),
        ("binary", "a", "b", "binary"),
        ("a.txt", "one", "one", "identical"),
        ("a.txt", "", "two", "empty_old"),
    ] {
        let arguments = json!({"file_path": file, "old_string": old, "new_string": new});
        client.call("edit", arguments).await.failure(code);
    }
}

#[tokio::test]
async fn an_empty_file_is_written_and_made() {
    let place = Place::with(&[("empty.txt", ""), ("whole.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    for (file, old, new) in [("empty.txt", "", "first\n"), ("pkg/__init__.py", "", ""), ("whole.txt", "one\n", "")] {
        let arguments = json!({"file_path": file, "old_string": old, "new_string": new});
        client.call("edit", arguments).await.success();
        assert_eq!(place.text(file), new);
    }
}
