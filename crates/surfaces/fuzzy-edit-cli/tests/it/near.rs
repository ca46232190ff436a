//! `--line` ranks equal places, and never rejects one.

use serde_json::json;

use crate::support::Place;

const TWICE: &str = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";

fn apply(place: &Place, old: &str, line: &str, ladder: &str) -> (i32, String) {
    let answer = place.run(&[
        "apply",
        "file.txt",
        "--old",
        old,
        "--new",
        "    x = 2\n    return x\n",
        "--line",
        line,
        "--ladder",
        ladder,
    ]);
    (answer.code, place.text("file.txt"))
}

#[test]
fn a_line_chooses_between_equal_places() {
    let exact = "    x = 1\n    return x\n";
    let drifted = "x  =  1\n  return  x";
    for ladder in ["adaptive", "full", "opencode", "conservative", "reference"] {
        for old in [exact, drifted] {
            for (line, at) in [("1", 0), ("2", 0), ("6", 1), ("7", 1), ("900", 1)] {
                let without = Place::with(TWICE);
                let arguments = ["locate", "file.txt", "--old", old, "--ladder", ladder, "--json"];
                if without.run(&arguments).json()["code"] != "ambiguous" {
                    continue;
                }
                let place = Place::with(TWICE);
                let (code, text) = apply(&place, old, line, ladder);
                assert_eq!(code, 0, "{ladder} {old:?} {line}");
                let changed = text.lines().position(|line| line.trim() == "x = 2");
                let kept = text.lines().filter(|line| *line == "    x = 1").count();
                assert_eq!((changed, kept), (Some([1, 5][at]), 1), "{ladder} {old:?} {line}: {text}");
                let found =
                    place.run(&["explain", "file.txt", "--old", "    return x\n", "--line", line, "--ladder", ladder]);
                assert!(found.out.contains("found: line "), "{ladder}: {}", found.out);
            }
        }
    }
}

#[test]
fn a_line_halfway_between_two_places_chooses_none() {
    let place = Place::with(TWICE);
    assert_eq!(apply(&place, "    x = 1\n", "4", "adaptive"), (1, TWICE.to_owned()));
    assert_eq!(apply(&place, "    x = 1\n", "4", "full"), (1, TWICE.to_owned()));
}

#[test]
fn no_place_is_refused_for_its_line() {
    for ladder in ["adaptive", "full"] {
        let place = Place::with(TWICE);
        let arguments =
            ["apply", "file.txt", "--old", "def b():", "--new", "def c():", "--line", "1", "--ladder", ladder];
        assert_eq!(place.run(&arguments).code, 0);
        assert_eq!(place.text("file.txt"), TWICE.replace("def b", "def c"));
    }
}

#[test]
fn json_has_lines_too() {
    let place = Place::with(TWICE);
    let edits = json!([{"path": "file.txt", "oldText": "    x = 1\n", "newText": "    x = 3\n", "line": 6}]);
    assert_eq!(place.run_with(&["apply", "--input", "-"], edits.to_string().as_bytes()).code, 0);
    assert_eq!(place.text("file.txt"), "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 3\n    return x\n");
    let case = json!({"id": 1, "content": "a\nb\na\n", "old": "a", "new": "c", "line": 3});
    let answer = place.run_with(&["batch"], format!("{case}\n").as_bytes());
    assert!(answer.out.contains(r#""output":"a\nb\nc\n""#), "{answer:?}");
}
