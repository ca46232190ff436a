//! Every answer to a refused edit names the rule that refuses it.

use serde_json::{Value, json};

use crate::support::{Answer, Place};

const SERVER: &str = "host = \"a\"\nport = 9000\n";
const OLD: &str = "host = \"a\"\nport = 8080";
const NEW: &str = "host = \"a\"\nport = 8081";
const RULE: &str = "different-value";

/// Returns the answer of a verb to the refused edit.
fn refused(place: &Place, verb: &str, options: &[&str]) -> Answer {
    place.run(&[&[verb, "file.txt", "--old", OLD, "--new", NEW][..], options].concat())
}

#[test]
fn json_and_text_name_the_rule() {
    let place = Place::with(SERVER);
    for verb in ["apply", "locate"] {
        assert_eq!(refused(&place, verb, &["--json"]).json()["rule"], RULE, "{verb}");
        let text = refused(&place, verb, &[]).err;
        let last = "rule: different-value (fuzzy-edit rule different-value)";
        assert_eq!(text.lines().last(), Some(last), "{verb}: {text}");
    }
    assert_eq!(refused(&place, "explain", &["--json"]).json()["outcome"]["rule"], RULE);
    let text = refused(&place, "explain", &[]).out;
    assert_eq!(text.lines().last(), Some("rule: different-value"), "{text}");
}

#[test]
fn lists_patches_and_batches_name_the_rule() {
    let place = Place::with(SERVER);
    let edits = json!([
        {"file_path": "file.txt", "old_string": OLD, "new_string": NEW},
        {"file_path": "absent.txt", "old_string": "a", "new_string": "b"},
    ]);
    let patch = "--- a/file.txt\n+++ b/file.txt\n@@ @@\n host = \"a\"\n-port = 8080\n+port = 8081\n";
    for (arguments, input) in [(&["apply", "--input", "-"][..], edits.to_string()), (&["patch"], patch.to_owned())] {
        let report = place.run_with(&[arguments, &["--json"]].concat(), input.as_bytes()).json();
        assert_eq!(report["edits"][0]["rule"], RULE, "{report}");
        let text = place.run_with(arguments, input.as_bytes()).err;
        assert_eq!(text.matches("(rule: different-value)").count(), 1, "{text}");
        assert_eq!(text.matches("rule:").count(), 1, "{text}");
    }
    let case = |old: &str| json!({"id": 1, "content": SERVER, "old": old, "new": NEW}).to_string();
    for (options, old, rule) in [
        (&[][..], OLD, json!(RULE)),
        (&[], "port = 9000", Value::Null),
        (&["--ladder", "conservative"], OLD, Value::Null),
    ] {
        let answer = place.run_with(&[&["batch"], options].concat(), case(old).as_bytes()).json();
        assert_eq!(answer["rule"], rule, "{answer}");
    }
}

#[test]
fn failures_without_a_rule_have_none() {
    let place = Place::with(SERVER);
    for options in [&["--ladder", "conservative"][..], &["--timeout-ms", "0"], &["--max-bytes", "1"]] {
        let report = refused(&place, "apply", &[options, &["--json"]].concat()).json();
        assert_eq!((report["status"].as_str(), report.get("rule")), (Some("failed"), Some(&Value::Null)), "{report}");
        let text = refused(&place, "apply", options).err;
        assert!(!text.contains("rule:"), "{text}");
    }
}

#[test]
fn a_repeated_failure_and_its_log_keep_the_rule() {
    let place = Place::with(SERVER);
    let reports = [(); 2].map(|()| refused(&place, "apply", &["--log", "log.jsonl", "--json"]).json());
    assert_eq!((&reports[1]["code"], &reports[1]["rule"]), (&json!("repeated_failure"), &json!(RULE)));
    let log = place.text("log.jsonl");
    let rules = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["rule"].clone());
    assert_eq!(rules.collect::<Vec<_>>(), [RULE, RULE]);
}
