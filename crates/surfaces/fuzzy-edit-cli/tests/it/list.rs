//! `apply --input`: one edit or many, in JSON.

use crate::support::Place;
use serde_json::{Value, json};

fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({"file_path": file, "old_string": old, "new_string": new})
}

fn place() -> Place {
    let place = Place::new();
    place.write("a.txt", "one\ntwo\n");
    place.write("b.txt", "three\n");
    place
}

#[test]
fn an_object_is_one_edit_and_reported_as_one() {
    // Both spellings name the texts, as in `batch`.
    for edit in [edit("a.txt", "one", "1"), json!({"file_path": "a.txt", "old": "one", "new": "1"})] {
        let place = place();
        place.write("edits.json", edit.to_string());
        let answer = place.run(&["apply", "--input", "edits.json", "--json"]);
        assert_eq!(answer.code, 0, "{answer:?}");
        assert_eq!(answer.json()["file_path"], "a.txt");
        assert_eq!(place.text("a.txt"), "1\ntwo\n");
    }
}

#[test]
fn an_array_is_carried_out_in_order() {
    let place = place();
    let mut all = edit("a.txt", "o", "0");
    all["replace_all"] = json!(true);
    let edits =
        json!([edit("a.txt", "one", "o o"), edit("./a.txt", "o o\ntwo", "oo"), edit("b.txt", "three", "3"), all]);
    let answer = place.run_with(&["apply", "--input", "-", "--json"], edits.to_string().as_bytes());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(place.text("a.txt"), "00\n");
    assert_eq!(place.text("b.txt"), "3\n");
    let report = answer.json();
    assert_eq!(report["status"], "applied");
    let edits = report["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 4);
    assert_eq!(edits[1]["lines_before"], json!([1, 2]));
    assert_eq!(edits[3]["occurrences"], 2);
}

#[test]
fn the_text_has_a_line_for_each_edit() {
    let place = place();
    let edits = json!([edit("a.txt", "one", "1"), edit("b.txt", "three", "3")]);
    let answer = place.run_with(&["apply", "--input", "-", "--dry-run"], edits.to_string().as_bytes());
    let expected = "would apply: `a.txt` line 1 (exact)\n\
                    would apply: `b.txt` line 1 (exact)\n";
    assert_eq!(answer.out, expected);
    assert_eq!(place.text("a.txt"), "one\ntwo\n");
}

#[test]
fn one_failure_prevents_all_writes() {
    let place = place();
    let before = (place.fingerprint("a.txt"), place.fingerprint("b.txt"));
    let edits = json!([edit("a.txt", "one", "1"), edit("b.txt", "four", "4"), edit("c.txt", "x", "y")]);
    let answer = place.run_with(&["apply", "--input", "-", "--json"], edits.to_string().as_bytes());
    assert_eq!(answer.code, 1);
    assert_eq!((place.fingerprint("a.txt"), place.fingerprint("b.txt")), before);
    assert_eq!(place.names(), ["a.txt", "b.txt"]);
    let report = answer.json();
    // The fields of the first failure are at the top level, as for a single edit.
    assert_eq!((report["status"].as_str(), report["code"].as_str()), (Some("failed"), Some("not_found")));
    assert_eq!(report["file_path"], "b.txt");
    let of = |index: usize, field: &str| report["edits"][index][field].as_str().map(str::to_owned);
    assert_eq!(of(0, "status").as_deref(), Some("not_written"));
    assert_eq!(of(1, "code").as_deref(), Some("not_found"));
    assert_eq!(of(2, "code").as_deref(), Some("missing"));
    let lines: Vec<_> = answer.err.lines().collect();
    assert!(lines[0].starts_with("fuzzy-edit: edit 2: not_found: `b.txt`: "), "{lines:?}");
    assert!(lines[1].starts_with("fuzzy-edit: edit 3: missing: `c.txt` does not exist. "), "{lines:?}");
    assert_eq!(lines[2], "fuzzy-edit: 2 of 3 edits failed, so nothing was written");
}

#[test]
fn anything_but_an_edit_is_bad_input() {
    let place = place();
    let long = " ".repeat(200);
    let cases: &[(&[u8], &str)] = &[
        (b"", "EOF"),
        (b"[]", "the array is empty"),
        (b"{\"file_path\":\"a.txt\"}", "missing field `new_string`"),
        (
            b"{\"file_path\":\"a.txt\",\"new_string\":\"x\"}",
            "nothing says where: give `old_string`, or `first` and `last`",
        ),
        (b"[{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\",\"when\":2}]", "unknown field `when`"),
        (b"{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":1}", "invalid type"),
        (b"{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\"} x", "trailing characters"),
        (b"\"one\"", "invalid type"),
        (b"{\"file_path\":\"\xff\"}", "UTF-8"),
        (long.as_bytes(), "larger than the limit of 100 bytes"),
    ];
    for (input, message) in cases {
        let arguments = ["apply", "--input", "-", "--json", "--max-bytes", "100"];
        let arguments = if *message == "larger than the limit of 100 bytes" { &arguments[..] } else { &arguments[..4] };
        let answer = place.run_with(arguments, input);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")), "{message}");
        assert!(answer.err.contains(message), "{message}: {}", answer.err);
        assert!(answer.err.starts_with("fuzzy-edit: bad_input: --input: "), "{}", answer.err);
    }
    let answer = place.run(&["apply", "--input", "nothing.json"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("`nothing.json` does not exist"), "{}", answer.err);
    assert_eq!(place.text("a.txt"), "one\ntwo\n");
}

#[test]
fn a_list_and_a_file_exclude_each_other() {
    let place = place();
    for arguments in [
        &["apply", "a.txt", "--input", "-"][..],
        &["apply", "--input", "-", "--old", "one"],
        &["apply", "--input", "-", "--all"],
        &["apply", "a.txt", "--old", "one"],
        &["apply", "a.txt", "--old", "one", "--new", "1", "--count", "1"],
    ] {
        let answer = place.run(arguments);
        assert_eq!(answer.code, 2, "{arguments:?}");
        assert!(answer.err.starts_with("fuzzy-edit: bad_input: "), "{}", answer.err);
    }
}
