//! Malformed lines of JSON, and nearly well-formed ones: each is answered or counted, and the run continues.

use fuzzy_testkit::texts;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Place;

/// The number of runs for each property. Each run is a process, so there are few, or a hundredth of the number in the
/// environment variable.
fn config() -> ProptestConfig {
    let settings = texts::config_of(800);
    ProptestConfig { cases: (settings.cases / 100).max(1), ..settings }
}

/// A line without a line break: a case, a damaged case, or arbitrary bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let case = (texts::text(4), texts::text(1), texts::text(1), any::<bool>()).prop_map(|(content, old, new, all)| {
        json!({"id": 1, "content": content, "old": old, "new": new, "replace_all": all}).to_string().into_bytes()
    });
    let case = case.boxed();
    let damaged = (case.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, at, byte)| {
        let at = at.index(line.len());
        line[at] = byte;
        line
    });
    let any = prop::collection::vec(any::<u8>(), 0..30);
    prop_oneof![case, damaged, any].prop_map(|line| line.into_iter().filter(|byte| *byte != b'\n').collect())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_line_of_a_batch_is_answered(lines in prop::collection::vec(line(), 1..60)) {
        let answer = Place::new().run_with(&["batch"], &lines.join(&b'\n'));
        let (code, err) = (answer.code, answer.err);
        // A line break at the end does not begin another line.
        let expected = lines.len() - usize::from(lines.last().is_some_and(Vec::is_empty));
        let answers: Vec<Value> = answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(answers.len(), expected);
        let is_bad = |answer: &Value| answer["code"] == "bad_input";
        prop_assert_eq!(code, if answers.iter().any(is_bad) { 2 } else { 0 }, "{}", err);
        for answer in answers {
            prop_assert_eq!(is_bad(&answer), answer["reason"].is_string(), "{}", answer);
            prop_assert!(answer["ok"] == true || answer["code"].is_string(), "{}", answer);
        }
    }

    #[test]
    fn every_line_of_a_replay_is_counted(lines in prop::collection::vec(line(), 1..60)) {
        let place = Place::new();
        // A first line of blanks prevents input that begins like gzip from being decompressed.
        place.write("log", [b" \n".to_vec(), lines.join(&b'\n')].concat());
        let answer = place.run(&["replay", "log", "--json"]);
        let report = answer.json();
        let expected = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count() as u64;
        if answer.code == 0 {
            let count = |value: &Value| value.as_u64().unwrap();
            let counted = count(&report["edits"]) + count(&report["without_texts"]) + count(&report["unreadable"]["count"]);
            prop_assert_eq!(counted, expected);
        } else {
            prop_assert_eq!(&report["code"], "bad_input", "{}", report);
        }
    }
}
