//! `--log`: failures that are remembered from one run to the next.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{Answer, Place, schema_error};
use serde_json::{Value, json};

fn apply(place: &Place, old: &str, new: &str, options: &[&str]) -> Answer {
    let arguments = ["apply", "file.txt", "--old", old, "--new", new, "--log", "log.jsonl", "--json"];
    place.run(&[&arguments[..], options].concat())
}

fn records(place: &Place) -> Vec<Value> {
    let records: Vec<Value> = place.text("log.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.iter().find_map(|record| schema_error("log", record)), None);
    records
}

#[test]
fn the_third_equal_failure_says_to_stop() {
    let place = Place::with("one one\n");
    let reports: Vec<Value> = (0..3).map(|_| apply(&place, "one", "1", &[]).json()).collect();
    let of = |field: &str| reports.iter().map(|report| report[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("code"), ["ambiguous", "repeated_failure", "repeated_failure"]);
    assert_eq!(of("cause"), [Value::Null, json!("ambiguous"), json!("ambiguous")]);
    assert_eq!(of("repeats"), [json!(0), json!(2), json!(3)]);
    assert!(reports[1]["next_step"].as_str().unwrap().starts_with("Do not resend it unchanged; extend the old text"));
    assert_eq!(reports[2]["next_step"], "Stop sending this edit, and ask the user how to continue.");
    // A different edit of the file succeeds, and is logged.
    assert_eq!(apply(&place, "one one", "1", &[]).code, 0);
    assert_eq!(records(&place).len(), 4);
}

#[test]
fn stop_after_is_an_option() {
    let place = Place::with("a\n");
    for _ in 0..2 {
        apply(&place, "missing", "b", &["--stop-after", "9"]);
    }
    let fourth = apply(&place, "missing", "b", &["--stop-after", "4"]).json();
    assert!(fourth["next_step"].as_str().unwrap().starts_with("Do not resend"), "{fourth}");
    let fourth = apply(&place, "missing", "b", &["--stop-after", "4"]).json();
    assert!(fourth["next_step"].as_str().unwrap().starts_with("Stop"), "{fourth}");
}

#[test]
fn texts_are_logged_only_on_request_and_readable_only_by_the_owner() {
    let place = Place::with("secret\n");
    assert_eq!(apply(&place, "secret", "hidden", &[]).code, 0);
    assert_eq!(fs::metadata(place.path("log.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    let log = place.text("log.jsonl");
    assert!(!log.contains("secret") && !log.contains("hidden"), "{log}");
    assert_eq!(apply(&place, "hidden", "shown", &["--log-text", "--dry-run"]).code, 0);
    let records = records(&place);
    assert_eq!((&records[0]["status"], &records[1]["status"]), (&json!("applied"), &json!("dry_run")));
    assert_eq!([&records[1]["content"], &records[1]["old"], &records[1]["new"]], ["hidden\n", "hidden", "shown"]);
}

#[test]
fn a_log_that_cannot_be_used_is_bad_input_and_nothing_is_written() {
    let place = Place::with("a\n");
    let arguments = ["apply", "file.txt", "--old", "a", "--new", "b", "--log", ".", "--json"];
    let answer = place.run(&arguments);
    assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")));
    assert!(answer.err.contains("--log: `.`: "), "{}", answer.err);
    assert_eq!(place.text("file.txt"), "a\n");
}

#[test]
fn an_expected_hash_refuses_a_changed_file() {
    let place = Place::with("one\ntwo\n");
    let first = apply(&place, "one", "1", &[]).json();
    let hash = first["file_hash"].as_str().unwrap();
    place.write("file.txt", "1\ntwo\nthree\n");
    let report = apply(&place, "two", "2", &["--expected-hash", hash]).json();
    assert_eq!(report["code"], "stale");
    assert!(report["next_step"].as_str().unwrap().starts_with("Read the file again"), "{report}");
    place.write("file.txt", "1\ntwo\n");
    assert_eq!(apply(&place, "two", "2", &["--expected-hash", hash]).code, 0);
}

#[test]
fn decisions_are_written_to_standard_error_if_the_environment_asks_for_them() {
    let place = Place::with("\tsecret = 1\n");
    let ask = |wanted: &str| {
        let arguments = ["apply", "file.txt", "--old", "  secret = 1", "--new", "  secret = 2", "--dry-run", "--json"];
        place.run_in(&arguments, b"", &[("RUST_LOG", &wanted.into())])
    };
    let [decisions, others, wrong] = ["fuzzy_core=debug", "fuzzy_core=info", "fuzzy_core=loud"].map(ask);
    for part in ["decision{ladder=\"adaptive\"", "strategy=\"alignment\"", "similarity=1.0", "confidence="] {
        assert!(decisions.err.contains(part), "{part}: {}", decisions.err);
    }
    assert_eq!((decisions.err.lines().count(), decisions.err.contains("secret")), (1, false), "{}", decisions.err);
    assert_eq!(others.err, "");
    assert!(wrong.err.starts_with("fuzzy-edit: RUST_LOG is ignored: "), "{}", wrong.err);
    assert_eq!((wrong.code, &decisions.out, &wrong.out), (0, &others.out, &others.out));
}
