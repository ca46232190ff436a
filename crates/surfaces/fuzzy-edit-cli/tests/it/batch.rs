//! `batch`: each line of input gets one line of output, even if it is malformed.

use std::io::{BufRead, BufReader, Write};

use crate::support::{Answer, Place, schema_error};
use serde_json::{Value, json};

fn batch(options: &[&str], lines: &[&str]) -> (Answer, Vec<Value>) {
    let place = Place::new();
    let input = lines.concat();
    let answer = place.run_with(&[&["batch"][..], options].concat(), input.as_bytes());
    let answers: Vec<Value> = answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.iter().find_map(|answer| schema_error("batch", answer)), None);
    assert_eq!(place.names(), [""; 0]);
    (answer, answers)
}

fn case(id: &Value, content: &str, old: &str, new: &str) -> String {
    format!("{}\n", json!({"id": id, "content": content, "old": old, "new": new}))
}

#[test]
fn answers_in_order_and_compactly() {
    let lines = [
        case(&json!("a"), "one two", "two", "2"),
        case(&json!(7), "one", "two", "2"),
        case(&json!("c"), "x x", "x", "y"),
        case(&json!(null), "x  y", "x y", "z"),
    ];
    let (answer, answers) = batch(&[], &lines.each_ref().map(String::as_str));
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let confidence = answers[3]["confidence"].as_f64().unwrap();
    assert!((0.5..1.0).contains(&confidence), "{confidence}");
    let expected = format!(
        "\
        {{\"id\":\"a\",\"ok\":true,\"output\":\"one 2\",\"strategy\":\"exact\",\"similarity\":1.0,\"confidence\":1.0}}\n\
        {{\"id\":7,\"ok\":false,\"code\":\"not_found\",\"rule\":\"not-found\"}}\n\
        {{\"id\":\"c\",\"ok\":false,\"code\":\"ambiguous\",\"rule\":\"several-places\"}}\n\
        {{\"id\":null,\"ok\":true,\"output\":\"z\",\"strategy\":\"alignment\",\
        \"similarity\":1.0,\"confidence\":{confidence}}}\n"
    );
    assert_eq!(answer.out, expected);
}

#[test]
fn every_refusal_has_its_code() {
    let id = json!(0);
    let lines = [
        case(&id, "a", "a", "a"),
        case(&id, "a", "", ""),
        case(&id, "a", "", "b"),
        case(&id, "", "a", "b"),
        case(&id, "a a a", "a", "b"),
    ];
    let (_, answers) = batch(&[], &lines.each_ref().map(String::as_str));
    let codes: Vec<_> = answers.iter().map(|answer| answer["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["identical", "identical", "empty_old", "not_found", "ambiguous"]);
}

#[test]
fn replace_all_is_an_option() {
    let all =
        |value: &str| format!("{{\"id\":1,\"content\":\"x x\",\"old\":\"x\",\"new\":\"y\",\"replace_all\":{value}}}\n");
    let lines = [all("true"), all("false"), all("null"), all("\"true\"")];
    let (_, answers) = batch(&[], &lines.each_ref().map(String::as_str));
    assert_eq!(answers[0]["output"], "y y");
    assert_eq!(answers[1]["code"], "ambiguous");
    assert_eq!(answers[2]["code"], "ambiguous");
    assert_eq!(answers[3]["code"], "bad_input");
}

#[test]
fn a_line_that_is_no_case_is_answered_and_the_run_continues() {
    let good = case(&json!("good"), "a", "a", "b");
    let lines = [
        "not json\n",
        "\n",
        "{\"id\":\"cut\n",
        "[]\n",
        "{\"id\":\"x\",\"content\":\"a\",\"old\":\"a\"}\n",
        "{\"id\":[1,2],\"content\":1,\"old\":\"a\",\"new\":\"b\"}\n",
        "{\"content\":\"a\",\"old\":\"a\",\"new\":\"b\"}\n",
        "{\"id\":\"x\",\"id\":\"y\",\"content\":\"a\",\"old\":\"a\",\"new\":\"b\"}\n",
        "{\"id\":\"half\",\"content\":\"\\ud800\",\"old\":\"a\",\"new\":\"b\"}\n",
        &good,
        "{\"id\":\"unended\",\"content\":\"a\",\"old\":\"a\",\"new\":\"b\"}",
    ];
    let (answer, answers) = batch(&["--time"], &lines);
    assert_eq!((answer.code, answers.len()), (2, lines.len()));
    assert!(
        answer
            .err
            .starts_with("fuzzy-edit: bad_input: 9 of the lines are no edits; line 1: expected ident at column 2."),
        "{}",
        answer.err
    );
    for (index, bad) in answers[..9].iter().enumerate() {
        assert_eq!((bad["ok"].as_bool(), bad["code"].as_str()), (Some(false), Some("bad_input")));
        assert_eq!(bad["line"], index + 1);
        assert!(!bad["reason"].as_str().unwrap().is_empty(), "{bad}");
    }
    assert!(answers[4]["reason"].as_str().unwrap().starts_with("missing field `new`"), "{}", answers[4]);
    assert!(answers[9].get("line").is_none() && answers[9].get("reason").is_none());
    let ids: Vec<_> = answers.iter().map(|answer| answer.get("id").cloned()).collect();
    let x = Some(json!("x"));
    assert_eq!(ids[..4], [None, None, None, None]);
    assert_eq!(ids[4..7], [x, Some(json!([1, 2])), None]);
    assert!(answers[9]["ok"] == true && answers[10]["ok"] == true, "{answers:?}");
}

#[test]
fn bytes_that_are_no_text_are_no_case() {
    let place = Place::new();
    let mut input = b"{\"id\":1,\"content\":\"caf\xe9\",\"old\":\"a\",\"new\":\"b\"}\n\0\n".to_vec();
    input.extend_from_slice(case(&json!(2), "a", "a", "b").as_bytes());
    let answer = place.run_with(&["batch"], &input);
    let answers: Vec<Value> = answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((answers.len(), answer.code), (3, 2));
    assert_eq!((&answers[0]["code"], &answers[1]["code"]), (&json!("bad_input"), &json!("bad_input")));
    assert_eq!(answers[2]["output"], "b");
}

#[test]
fn unknown_fields_are_ignored() {
    let line = "{\"id\":1,\"lang\":\"py\",\"content\":\"a\",\"old\":\"a\",\"new\":\"b\",\"full\":{\"ok\":true}}\n";
    assert_eq!(batch(&[], &[line]).1[0]["output"], "b");
}

#[test]
fn line_endings_are_fitted_unless_raw_endings() {
    let line = case(&json!(1), "a\r\nb\r\nc", "a\nb", "x\ny");
    assert_eq!(batch(&[], &[&line]).1[0]["output"], "x\r\ny\r\nc");
    let raw = ["--raw-endings", "--ladder", "conservative"];
    assert_eq!(batch(&raw, &[&line]).1[0]["code"], "not_found");
}

#[test]
fn a_byte_order_mark_is_text_like_any_other_here() {
    let line = case(&json!(1), "\u{feff}a", "\u{feff}a", "b");
    assert_eq!(batch(&[], &[&line]).1[0]["output"], "b");
}

#[test]
fn time_adds_the_time_of_every_answer() {
    let lines = [case(&json!(1), "a", "a", "b"), case(&json!(2), "a", "c", "b"), case(&json!(3), "a", "a", "a")];
    let lines = lines.each_ref().map(String::as_str);
    for answer in batch(&["--time"], &lines).1 {
        assert!(answer["us"].is_f64(), "{answer}");
    }
    for answer in batch(&[], &lines).1 {
        assert!(answer.get("us").is_none(), "{answer}");
    }
}

#[test]
fn a_time_limit_ends_a_search_and_not_the_run() {
    let slow = case(&json!(1), &"some line of text\n".repeat(100_000), "absent  text", "b");
    let quick = case(&json!(2), "a", "a", "b");
    let (answer, answers) = batch(&["--timeout-ms", "0"], &[&slow, &quick]);
    assert_eq!((answer.code, &answers[0]["code"]), (0, &json!("timeout")));
    assert_eq!(answers[1]["output"], "b");
}

#[test]
fn sizes_are_limited() {
    let lines =
        [case(&json!(1), "aaaaa", "a", "b"), case(&json!(2), "a", "a", "bbbbb"), case(&json!(3), "a", "a", "bbbb")];
    let (_, answers) = batch(&["--max-bytes", "4"], &lines.each_ref().map(String::as_str));
    assert_eq!((&answers[0]["code"], &answers[1]["code"]), (&json!("too_large"), &json!("too_large")));
    assert_eq!(answers[2]["output"], "bbbb");
}

#[test]
fn empty_input_has_no_answer() {
    let (answer, answers) = batch(&[], &[]);
    assert_eq!((answer.code, answers.len()), (0, 0));
}

#[test]
fn an_answer_is_written_before_the_next_line_is_sent() {
    let place = Place::new();
    let mut child = place.command(&["batch"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for text in ["b", "c"] {
        input.write_all(case(&json!(1), "a", "a", text).as_bytes()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["output"], text);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_unknown_ladder_fails_before_reading() {
    let (answer, answers) = batch(&["--ladder", "rope"], &[&case(&json!(1), "a", "a", "b")]);
    assert_eq!((answer.code, answers.len()), (2, 0));
    assert!(answer.err.starts_with("fuzzy-edit: bad_input: no ladder named `rope`"), "{}", answer.err);
}

#[test]
fn a_line_without_an_end_is_skipped() {
    let endless = "x".repeat((1 << 20) + 1);
    let case = r#"{"id":1,"content":"a","old":"a","new":"b"}"#;
    let input = format!("{endless}\n{case}\n{endless}");
    let answer = Place::new().run_with(&["batch", "--max-bytes", "100"], input.as_bytes());
    let codes: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["code"].clone()).collect();
    assert_eq!((answer.code, codes), (0, vec![json!("too_large"), Value::Null, json!("too_large")]));
}

#[test]
fn a_base_decides_between_equal_places() {
    let case = |base: Value| {
        let case = json!({"id": 1, "content": "b()\na()\nb()\nc()\n", "old": "b()", "new": "b(1)", "base": base});
        batch(&[], &[&format!("{case}\n")]).1.remove(0)
    };
    assert_eq!(case(Value::Null)["code"], "ambiguous");
    assert_eq!(case("a()\nb()\nc()\n".into())["output"], "b()\na()\nb(1)\nc()\n");
}

#[test]
fn a_line_without_one_place_is_bad_input_with_the_reason() {
    let lines = [
        json!({"id": 1, "content": "a", "new": "b"}),
        json!({"id": 2, "content": "a", "old": "a", "first": "a", "last": "a", "new": "b"}),
        json!({"id": 3, "content": "a", "old": "a", "new": "b"}),
    ];
    let lines = lines.map(|line| format!("{line}\n"));
    for jobs in ["1", "3"] {
        let (answer, answers) = batch(&["--jobs", jobs], &lines.each_ref().map(String::as_str));
        assert_eq!((answer.code, answers[2]["output"].as_str()), (2, Some("b")));
        assert_eq!((&answers[0]["line"], &answers[0]["reason"]), (&json!(1), &json!("missing field `old`")));
        assert_eq!((&answers[1]["line"], &answers[1]["id"]), (&json!(2), &json!(2)));
        assert!(answer.err.contains("2 of the lines are no edits; line 1: missing field `old`"), "{}", answer.err);
    }
}

#[test]
fn without_output_only_the_verdicts_are_written() {
    let lines = [case(&json!(1), "a", "a", "b"), case(&json!(2), "a", "c", "b"), case(&json!(3), "b", "a", "b")];
    let lines = lines.each_ref().map(String::as_str);
    let (with, without) = (batch(&[], &lines).1, batch(&["--no-output"], &lines).1);
    for (mut with, without) in with.into_iter().zip(without) {
        with.as_object_mut().unwrap().remove("output");
        assert_eq!(with, without);
    }
}
