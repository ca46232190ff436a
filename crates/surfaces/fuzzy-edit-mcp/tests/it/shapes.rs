//! Arguments and results of successful calls.

use serde_json::{Value, json};

use fuzzy_edit_mcp::{Server, Settings};

use crate::support::{Client, Place};

#[tokio::test]
async fn an_edit_is_written_and_reported() {
    let place = Place::with(&[("a.txt", "one\r\ntwo\r\n")]);
    let mut client = Client::connect(place.server()).await;
    let called = client.call("edit", json!({"file_path": "a.txt", "old_string": "two", "new_string": "2"})).await;
    assert_eq!(called.text, "applied a.txt 2");
    let report = called.success();
    assert_eq!(report["status"], "applied");
    assert_eq!(report["file_path"], "a.txt");
    assert_eq!(report["lines_after"], json!([2, 2]));
    assert_eq!((&report["diff"], &report["file_hash"]), (&Value::Null, &Value::Null));
    assert_eq!(place.text("a.txt"), "one\r\n2\r\n");
}

#[tokio::test]
async fn every_shape_of_the_same_edits_does_the_same() {
    let items = json!([{"old_string": "one", "new_string": "1"}, {"old_string": "two\n\tx", "new_string": "2\n\ty"}]);
    let named = |key: &str| {
        let mut items = items.clone();
        for item in items.as_array_mut().unwrap() {
            item[key] = json!("a.txt");
        }
        items
    };
    let raw = "[{\"oldText\": \"one\", \"newText\": \"1\"}, {\"oldText\": \"two\n\tx\", \"newText\": \"2\n\ty\"}]";
    let shapes = [
        json!({"file_path": "a.txt", "edits": items}),
        json!({"edits": named("file_path")}),
        json!({"edits": named("filePath")}),
        json!({"path": "a.txt", "edits": items.to_string()}),
        json!({"path": "a.txt", "edits": raw}),
        json!({"path": "a.txt", "edits": items.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>()}),
    ];
    // A single edit without a list.
    for one in [items[0].clone(), items[0].to_string().into()] {
        let place = Place::with(&[("a.txt", "one\n")]);
        let mut client = Client::connect(place.server()).await;
        client.call("multi_edit", json!({"file_path": "a.txt", "edits": one})).await.success();
        assert_eq!(place.text("a.txt"), "1\n");
    }
    for tool in ["multi_edit", "edit"] {
        for shape in &shapes {
            let place = Place::with(&[("a.txt", "one\ntwo\n\tx\n")]);
            let mut client = Client::connect(place.server()).await;
            let report = client.call(tool, shape.clone()).await.success();
            assert_eq!(report["edits"].as_array().unwrap().len(), 2, "{shape}");
            assert_eq!(place.text("a.txt"), "1\n2\n\ty\n", "{shape}");
        }
    }
}

#[tokio::test]
async fn a_preview_shows_the_edit_and_writes_nothing() {
    let place = Place::with(&[("a.txt", "one\ntwo\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "two", "new_string": "2"});
    let preview = client.call("preview_edit", arguments.clone()).await;
    assert!(preview.text.starts_with("would apply a.txt 2"), "{preview:?}");
    assert!(preview.text.contains("\n-two\n+2"), "{preview:?}");
    let preview = preview.success();
    assert_eq!(preview["status"], "dry_run");
    assert_eq!(place.text("a.txt"), "one\ntwo\n");
    client.call("edit", arguments).await.success();
    let several = json!({"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]});
    let preview = client.call("preview_edit", several).await.success();
    assert_eq!(preview["status"], "dry_run");
    assert_eq!(place.text("a.txt"), "one\n2\n");
}

#[tokio::test]
async fn a_text_is_located() {
    let place = Place::with(&[("a.txt", "x\none\nx\n")]);
    let mut client = Client::connect(place.server()).await;
    let called = client.call("locate", json!({"file_path": "a.txt", "old_string": "one"})).await;
    assert_eq!(called.text, "found: a.txt 2, confidence 1.000");
    assert_eq!(called.success()["places"], json!([{"lines": [2, 2], "bytes": [2, 5]}]));
    let everywhere = json!({"path": "a.txt", "old_str": "x", "replaceAll": true, "new_str": "y"});
    let located = client.call("locate", everywhere).await.success();
    assert_eq!((&located["occurrences"], &located["changed"]), (&json!(2), &json!(true)));
    client.call("locate", json!({"file_path": "a.txt", "old_string": "x"})).await.failure("ambiguous");
    assert_eq!(place.text("a.txt"), "x\none\nx\n");
}

#[tokio::test]
async fn an_applied_edit_is_no_failure() {
    let place = Place::with(&[("a.txt", "fn total() {\n    sum + 1\n}\n")]);
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "fn total() {\n    sum\n}", "new_string": "fn total() {\n    sum + 1\n}"});
    let called = client.call("edit", arguments).await;
    assert!(called.text.starts_with("nothing to change"), "{called:?}");
    assert_eq!(called.success()["status"], "already_applied");
}

#[tokio::test]
async fn a_file_that_is_no_utf_8_keeps_its_encoding() {
    let place = Place::with(&[]);
    std::fs::write(place.path("a.txt"), b"Gr\xf6\xdfe = 5 \x80 \x81\r\n").unwrap();
    let mut client = Client::connect(place.server()).await;
    let arguments = json!({"file_path": "a.txt", "old_string": "Größe = 5", "new_string": "Maß = 6"});
    let called = client.call("edit", arguments).await;
    let expected = (&json!("windows-1252"), &json!(true));
    assert_eq!((&called.data["encoding"], &called.data["encoding_detected"]), expected, "{called:?}");
    assert!(called.text.contains("read as windows-1252"), "{called:?}");
    assert_eq!(std::fs::read(place.path("a.txt")).unwrap(), b"Ma\xdf = 6 \x80 \x81\r\n");
    let arguments = json!({"file_path": "a.txt", "old_string": "Maß", "new_string": "Maß →"});
    let called = client.call("edit", arguments).await;
    assert_eq!(called.data["code"], "encoding", "{called:?}");
    assert!(called.text.contains("which has no '→' (U+2192)"), "{called:?}");
}

#[tokio::test]
async fn a_landed_edit_says_how_the_file_differs() {
    let place = Place::with(&[("a.py", "def a():\n\tb = 1\n\tc = 1\n")]);
    let mut client = Client::connect(place.server()).await;
    let edit = json!({"file_path": "a.py", "old_string": "    b = 1\n    c = 1", "new_string": "    b = 2\n    c = 2"});
    assert_eq!(
        client.call("edit", edit).await.text,
        "applied a.py 2-3 (the file indents with 1 tab, the old text with 4 spaces)"
    );
    assert_eq!(place.text("a.py"), "def a():\n\tb = 2\n\tc = 2\n");
}

/// The bytes of the content that a host shows a model: the data, if there is any, otherwise the text.
fn shown(result: &Value) -> usize {
    match &result["structuredContent"] {
        Value::Null => result["content"][0]["text"].as_str().unwrap().len(),
        data => data.to_string().len(),
    }
}

#[tokio::test]
async fn a_model_sees_few_bytes() {
    let many = "x = 1\n".repeat(2_000);
    let place = Place::with(&[("a.txt", "one\ntwo\n"), ("many.txt", &many), ("big.txt", &"a line\n".repeat(5_000))]);
    let server = Server::new(Settings { structured: false, ..place.settings() }).unwrap();
    let mut client = Client::connect(server).await;
    let mut call = async |tool: &str, arguments: Value| {
        client.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    };
    let edit = |path: &str, old: &str| json!({"file_path": path, "old_string": old, "new_string": "2", "replace_all": path == "many.txt"});
    let delete = json!({"patch": "*** Begin Patch\n*** Delete File: big.txt\n*** End Patch\n"});
    for (result, is_error, most) in [
        (call("edit", edit("a.txt", "two")).await, false, 80),
        (call("edit", edit("many.txt", "x = 1")).await, false, 2_000),
        (call("apply_patch", delete).await, false, 400),
        (call("edit", edit("a.txt", "onf\n2")).await, true, 1_200),
    ] {
        assert_eq!(
            (&result["isError"], result["structuredContent"].is_null()),
            (&json!(is_error), !is_error),
            "{result}"
        );
        assert!(shown(&result) <= most && result["content"][0]["text"].as_str().unwrap().len() <= most, "{result}");
    }
    let tools = client.request("tools/list", json!({})).await;
    assert!(tools["tools"].as_array().unwrap().iter().all(|tool| tool["outputSchema"].is_null()));
    assert!(tools.to_string().len() <= 15 << 10, "{}", tools.to_string().len());
}

#[tokio::test]
async fn lines_that_are_named_by_their_ends_are_edited() {
    let file = "def f():\n    a()\n    b()\n    return 1\n";
    let place = Place::with(&[("a.py", file)]);
    let mut client = Client::connect(place.server()).await;
    let range = json!({"file_path": "a.py", "first": "def f():", "last": "    return 1", "new_string": "f = g"});
    let found = client.call("locate", json!({"file_path": "a.py", "first": "def f():", "last": "    return 1"})).await;
    assert_eq!(found.text, format!("found: a.py 1-4, confidence 1.000\n{}", file.trim_end()));
    let called = client.call("edit", range).await;
    assert_eq!(called.text, "applied a.py 1-4: 4 lines, from `def f():` to `return 1`");
    assert_eq!(place.text("a.py"), "f = g\n");
    let list = json!({"file_path": "a.py", "edits": [
        {"after": "f = g", "new_string": "h = f"},
        {"before": "f = g", "newText": "import g\n\n"},
    ]});
    client.call("multi_edit", list).await.success();
    assert_eq!(place.text("a.py"), "import g\n\nf = g\nh = f\n");
    // The tool of others that inserts at a number gets the guard.
    let refused = client.call("edit", json!({"path": "a.py", "insert_line": 3, "insert_text": "x"})).await;
    assert!(refused.text.contains("Send \"after\": \"f = g\" instead of the number"), "{refused:?}");
    let both = client.call("edit", json!({"path": "a.py", "old_str": "f", "after": "f", "new_str": "x"})).await;
    assert!(both.text.contains("`old_string` and `after` both say where"), "{both:?}");
}

#[tokio::test]
async fn lines_are_moved_and_copied_by_a_tool_of_their_own() {
    let file = "import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n";
    let place = Place::with(&[("a.py", file), ("b.py", "import sys\n")]);
    let mut client = Client::connect(place.server()).await;
    let range = json!({"file_path": "a.py", "first": "def f():", "last": "    return 1", "to_file": "b.py", "after": "import sys"});
    let called = client.call("move_lines", range).await;
    assert_eq!(called.text, "applied a.py 3-4: 2 lines, from `def f():` to `return 1`, moved to `b.py` lines 3-4");
    assert_eq!(place.text("a.py"), "import os\n\ndef g():\n    return 2\n");
    assert_eq!(place.text("b.py"), "import sys\n\ndef f():\n    return 1\n");
    let copy =
        json!({"path": "b.py", "old_str": "import sys", "to_file": "a.py", "after": "import os", "copy": "true"});
    client.call("move_lines", copy).await.success();
    assert_eq!(place.text("a.py"), "import os\nimport sys\n\ndef g():\n    return 2\n");
    client.call("undo", json!({})).await.success();
    client.call("undo", json!({})).await.success();
    assert_eq!((place.text("a.py").as_str(), place.text("b.py").as_str()), (file, "import sys\n"));
    // In a list, the new place is an object.
    let edits = json!({"file_path": "a.py", "edits": [
        {"old_string": "import os", "move_to": {"after": "    return 2"}},
        {"first": "def f():", "last": "    return 1", "copy_to": {"file_path": "c.py"}},
    ]});
    client.call("multi_edit", edits).await.success();
    assert_eq!(place.text("c.py"), "def f():\n    return 1\n");
    let nowhere = client.call("move_lines", json!({"file_path": "a.py", "old_string": "def f():"})).await;
    assert!(nowhere.failure("bad_input")["message"].as_str().unwrap().contains("`move_to` needs `after`"));
}

#[tokio::test]
async fn cells_of_a_notebook_are_moved_by_the_same_tool() {
    let raw_cell = |id: &str| format!(r#"{{"cell_type": "raw", "id": "{id}", "metadata": {{}}, "source": ["{id}"]}}"#);
    let book = |ids: [&str; 3]| {
        let cells = ids.map(raw_cell).join(", ");
        format!(r#"{{"cells": [{cells}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#)
    };
    let place = Place::with(&[("a.ipynb", &book(["a", "b", "c"]))]);
    let mut client = Client::connect(place.server()).await;
    client.call("move_lines", json!({"file_path": "a.ipynb", "cell": 1, "after": "c"})).await.success();
    assert_eq!(place.text("a.ipynb"), book(["b", "c", "a"]));
    client.call("move_lines", json!({"file_path": "a.ipynb", "cell": "a", "before": "1"})).await.success();
    assert_eq!(place.text("a.ipynb"), book(["a", "b", "c"]));
    for wrong in [json!({"copy": true, "after": "c"}), json!({"after": "c", "to_file": "b.ipynb"}), json!({})] {
        let mut call = json!({"file_path": "a.ipynb", "cell": 1});
        call.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        client.call("move_lines", call).await.failure("bad_input");
        assert_eq!(place.text("a.ipynb"), book(["a", "b", "c"]));
    }
}
