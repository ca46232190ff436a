//! `locate`, `explain`, `ladders` and the help: verbs that change nothing.

use crate::support::Place;
use serde_json::{Value, json};

#[test]
fn locate_reports_the_place() {
    let place = Place::with("one\n\u{e9} two\n");
    let answer = place.run(&["locate", "file.txt", "--old", "two"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(answer.out, "found: `file.txt` line 2, bytes 7..10 (exact)\n");
    let expected = json!({
        "status": "found", "file_path": "file.txt", "strategy": "exact", "similarity": 1.0, "confidence": 1.0,
        "occurrences": 1, "places": [{"lines": [2, 2], "bytes": [7, 10]}], "note": null,
        "encoding": "UTF-8", "encoding_detected": false,
    });
    assert_eq!(place.run(&["locate", "file.txt", "--old", "two", "--json"]).json(), expected);
    assert_eq!(place.text("file.txt"), "one\n\u{e9} two\n");
}

#[test]
fn places_count_the_bytes_of_the_file() {
    let place = Place::with("\u{feff}one\r\ntwo\r\nthree");
    let report = place.run(&["locate", "file.txt", "--old", "one\ntwo", "--json"]).json();
    assert_eq!(report["places"], json!([{"lines": [1, 2], "bytes": [3, 11]}]));
}

#[test]
fn locate_all_finds_every_place() {
    let place = Place::with("x x\nx y\n");
    assert_eq!(place.run(&["locate", "file.txt", "--old", "x"]).code, 1);
    let report = place.run(&["locate", "file.txt", "--old", "x", "--all", "--json"]).json();
    assert_eq!(report["occurrences"], 3);
    assert_eq!(report["places"][2], json!({"lines": [2, 2], "bytes": [4, 5]}));
}

#[test]
fn locate_names_the_place_that_apply_takes() {
    let place = Place::with("let a = 1;\nx = { let b = 1; }\n");
    let located = place.run(&["locate", "file.txt", "--old", "let a = 1;", "--json"]).json();
    assert_eq!(located["places"], json!([{"lines": [1, 1], "bytes": [0, 10]}]));
    assert_eq!(place.run(&["apply", "file.txt", "--old", "let a = 1;", "--new", "let a = 2;"]).code, 0);
    assert_eq!(place.text("file.txt"), "let a = 2;\nx = { let b = 1; }\n");
    // Whole lines are not preferred to exact parts of lines.
    let twice = Place::with("let a = 1;\nx = { let a = 1; }\n");
    assert_eq!(twice.run(&["locate", "file.txt", "--old", "let a = 1;"]).code, 1);
    assert_eq!(twice.run(&["apply", "file.txt", "--old", "let a = 1;", "--new", "let a = 2;"]).code, 1);
}

#[test]
fn locate_fails_as_apply_does() {
    let place = Place::with("one\n");
    for (old, exit, code) in [("", 1, "empty_old"), ("two", 1, "not_found"), ("@two", 2, "bad_input")] {
        let answer = place.run(&["locate", "file.txt", "--old", old, "--json"]);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (exit, Some(code)));
    }
    let answer = place.run(&["locate", "file.txt", "--old", "a", "--ladder", "rope"]);
    assert!(answer.err.starts_with("fuzzy-edit: bad_input: no ladder named `rope` is linked"), "{}", answer.err);
    assert_eq!(place.run(&["locate", "missing.txt", "--old", "a", "--json"]).json()["code"], "missing");
    assert_eq!(place.run(&["locate", ".", "--old", "a", "--json"]).json()["code"], "not_a_file");
}

#[test]
fn locate_reads_a_read_only_file() {
    let place = Place::with("one\n");
    let mut permissions = std::fs::metadata(place.path("file.txt")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(place.path("file.txt"), permissions).unwrap();
    assert_eq!(place.run(&["locate", "file.txt", "--old", "one"]).code, 0);
    assert_eq!(place.run(&["explain", "file.txt", "--old", "one"]).code, 0);
}

fn verdicts(report: &Value) -> Vec<(&str, &str, usize)> {
    let strategies = report["strategies"].as_array().unwrap();
    let verdict = |tried: &'_ Value| tried["candidates"].as_array().unwrap().len();
    strategies
        .iter()
        .map(|tried| (tried["strategy"].as_str().unwrap(), tried["verdict"].as_str().unwrap(), verdict(tried)))
        .collect()
}

#[test]
fn explain_has_the_verdict_on_every_strategy() {
    let place = Place::with("a  b\nx\na b c\na b d\n");
    let report = place.run(&["explain", "file.txt", "--old", "a b", "--ladder", "conservative", "--json"]).json();
    assert_eq!(
        (report["ladder"].as_str(), report["policy"].as_str()),
        (Some("conservative"), Some("unique per strategy"))
    );
    let expected = [
        ("exact", "not_unique", 2),
        ("whitespace-normalized/inline", "not_unique", 3),
        ("indentation-flexible/stripped", "not_unique", 2),
        ("trimmed-boundary/text", "not_unique", 2),
    ];
    assert_eq!(verdicts(&report), expected);
    assert_eq!(report["outcome"]["code"], "ambiguous");
    assert_eq!(report["strategies"][0]["candidates"][0], json!({"lines": [3, 3], "bytes": [7, 10], "similarity": 1.0}));
    assert_eq!(report["strategies"][0]["more"], false);
}

#[test]
fn explain_shows_the_accepted_proposal() {
    let place = Place::with("a  b\n");
    let report = place.run(&["explain", "file.txt", "--old", "a b", "--ladder", "conservative", "--json"]).json();
    assert_eq!(verdicts(&report)[..2], [("exact", "nothing", 0), ("whitespace-normalized/inline", "taken", 1)]);
    assert_eq!(report["outcome"]["strategy"], "whitespace-normalized/inline");
    assert_eq!(report["outcome"]["lines"], json!([1, 1]));

    let answer = place.run(&["explain", "file.txt", "--old", "a b", "--ladder", "conservative"]);
    assert_eq!(answer.code, 0);
    let expected = "`file.txt`, ladder conservative, policy unique per strategy\n\n \
                    1  exact                          nothing      it proposes nothing\n \
                    2  whitespace-normalized/inline   taken        it is the only place\n\
                    \x20                                  1.000        line 1, bytes 0..4\n";
    assert!(answer.out.starts_with(expected), "{}", answer.out);
    assert!(
        answer.out.ends_with("\nfound: line 1 by whitespace-normalized/inline, confidence 1.000\n"),
        "{}",
        answer.out
    );
}

#[test]
fn explain_names_the_strategy_that_ended_the_search() {
    let place = Place::with("x\nx\n");
    let report = place.run(&["explain", "file.txt", "--old", "x", "--ladder", "registered", "--json"]).json();
    assert_eq!(verdicts(&report)[0], ("exact", "ended", 2));
    assert!(verdicts(&report)[1..].iter().all(|(_, verdict, _)| ["not_reached", "nothing"].contains(verdict)));
}

#[test]
fn explain_caps_what_it_lists() {
    let place = Place::with("x\n".repeat(500));
    let report = place.run(&["explain", "file.txt", "--old", "x", "--json"]).json();
    assert_eq!(verdicts(&report)[0], ("exact", "ended", 100));
    assert_eq!(report["strategies"][0]["more"], true);
    let text = place.run(&["explain", "file.txt", "--old", "x"]).out;
    assert!(text.contains("and at least 95 more\n"), "{text}");
}

#[test]
fn explain_fails_without_a_search() {
    let place = Place::with("a");
    for (arguments, exit, code) in [
        (["explain", "file.txt", "--old", "", "--json"], 1, "empty_old"),
        (["explain", "missing", "--old", "a", "--json"], 2, "missing"),
    ] {
        let answer = place.run(&arguments);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (exit, Some(code)));
    }
    assert_eq!(place.run(&["explain", "file.txt", "--old", "nothing like it"]).code, 0);
}

#[test]
fn ladders_are_listed_in_order() {
    let place = Place::new();
    let report = place.run(&["ladders", "--json"]).json();
    let ladders = report["ladders"].as_array().unwrap();
    let names: Vec<_> = ladders.iter().map(|ladder| ladder["name"].as_str().unwrap()).collect();
    for name in ["conservative", "opencode", "full", "full-guarded", "boocode", "reference", "registered"] {
        assert!(names.contains(&name), "{name}");
    }
    let conservative = json!({
        "name": "conservative", "policy": "unique per strategy",
        "strategies": ["exact", "whitespace-normalized/inline", "indentation-flexible/stripped", "trimmed-boundary/text"],
    });
    assert_eq!(ladders[0], conservative);
    let strategies = report["strategies"].as_array().unwrap();
    assert_eq!(strategies[0]["name"], "exact");
    assert!(strategies.is_sorted_by_key(|strategy| strategy["priority"].as_i64()));
    let text = place.run(&["ladders"]).out;
    assert!(
        text.starts_with("conservative (unique per strategy)\n    exact\n    whitespace-normalized/inline\n"),
        "{text}"
    );
}

#[test]
fn every_ladder_can_be_used() {
    let place = Place::with("one\n");
    let report = place.run(&["ladders", "--json"]).json();
    for ladder in report["ladders"].as_array().unwrap() {
        let name = ladder["name"].as_str().unwrap();
        let answer = place.run(&["locate", "file.txt", "--old", "one", "--ladder", name, "--json"]);
        assert_eq!((answer.code, answer.json()["strategy"].as_str()), (0, Some("exact")), "{name}");
    }
}

#[test]
fn help_has_examples_for_each_verb() {
    let place = Place::new();
    for verb in ["apply", "locate", "explain", "batch", "ladders"] {
        let answer = place.run(&[verb, "--help"]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        assert!(answer.out.contains(&format!("Examples:\n  fuzzy-edit {verb}")), "{}", answer.out);
    }
    assert_eq!(place.run(&["-V"]).out, format!("fuzzy-edit {}\n", env!("CARGO_PKG_VERSION")));
    let version = place.run(&["--version"]).out;
    let parts: Vec<&str> = version.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(parts, ["fuzzy-edit", "commit:", "system:", "features:"], "{version}");
}
