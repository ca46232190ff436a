//! Edits that move or copy lines, on files: reports, diffs, undo, lists, encodings, and refusals.

use crate::support::Place;
use serde_json::json;

const SHOP: &str = "import os\n\ndef total(cart):\n    return sum(cart)\n\ndef count(cart):\n    return len(cart)\n";

fn apply<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["apply", "file.txt"], options].concat()
}

const TOTAL: [&str; 4] = ["--first", "def total(cart):", "--last", "    return sum(cart)"];

#[test]
fn lines_move_within_a_file_and_back() {
    let place = Place::with(SHOP);
    let moved = apply(&[&TOTAL[..], &["--move-after", "    return len(cart)"]].concat());
    let answer = place.run(&moved);
    let line = "applied: `file.txt` lines 3-4: 2 lines, from `def total(cart):` to `return sum(cart)`, moved to `file.txt` \
                lines 6-7 (exact)\n";
    assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (0, line, ""));
    let after = "import os\n\ndef count(cart):\n    return len(cart)\n\ndef total(cart):\n    return sum(cart)\n";
    assert_eq!(place.text("file.txt"), after);
    // Sent again, it changes nothing.
    let again = place.run(&[&moved[..], &["--json"]].concat()).json();
    assert_eq!(again["status"], "already_applied", "{again}");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.text("file.txt"), SHOP);

    let report = place.run(&apply(&[&TOTAL[..], &["--copy-before", "import os", "-n", "-j"]].concat())).json();
    assert_eq!(report["new_lines"], json!({"file_path": "file.txt", "lines": [1, 2], "is_copy": true}));
    assert_eq!((&report["lines_before"], &report["lines_after"]), (&json!([3, 4]), &json!([1, 2])));
    assert_eq!(place.text("file.txt"), SHOP);
}

#[test]
fn lines_move_to_another_file_or_a_new_one() {
    const OTHER: &str = "class Cart:\r\n\tdef names(self):\r\n\t\treturn []\r\n\r\ndef none():\r\n\treturn 0\r\n";
    let place = Place::with(SHOP);
    place.write("other.py", OTHER);
    let arguments = apply(&[&TOTAL[..], &["--move-after", "\treturn 0", "--move-to", "other.py", "--diff"]].concat());
    let answer = place.run(&[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.out.contains("--- a/file.txt") && answer.out.contains("+++ b/other.py"), "{answer:?}");
    assert_eq!(place.run(&arguments).code, 0);
    assert_eq!(place.text("file.txt"), "import os\n\ndef count(cart):\n    return len(cart)\n");
    assert_eq!(place.text("other.py"), format!("{OTHER}\r\ndef total(cart):\r\n    return sum(cart)\r\n"));
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.text("file.txt"), SHOP);

    let answer = place.run(&apply(&[&TOTAL[..], &["--move-to", "new/total.py"]].concat()));
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!(place.text("new/total.py"), "def total(cart):\n    return sum(cart)\n");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(!place.path("new").exists());
    let exists = place.run(&apply(&[&TOTAL[..], &["--copy-to", "other.py", "--json"]].concat()));
    assert_eq!((exists.code, &exists.json()["code"]), (2, &json!("exists")));
}

#[test]
fn a_list_moves_lines_and_is_atomic() {
    let place = Place::with(SHOP);
    place.write("other.py", "import sys\n");
    let list = |old: &str| {
        json!([
            {"file_path": "file.txt", "first": "def total(cart):", "last": "    return sum(cart)",
                "move_to": {"file_path": "other.py", "after": "import sys"}},
            {"file_path": "other.py", "old_string": "sum(cart)", "new_string": "max(cart)"},
            {"file_path": "file.txt", "old_string": old, "copy_to": {"file_path": "other.py", "before": "import sys"}},
        ])
        .to_string()
    };
    place.write("edits.json", list("no such line"));
    let answer = place.run(&["apply", "--input", "edits.json", "--json"]);
    assert_eq!(answer.json()["code"], "not_found");
    assert_eq!((place.text("file.txt").as_str(), place.text("other.py").as_str()), (SHOP, "import sys\n"));
    place.write("edits.json", list("import os"));
    let answer = place.run(&["apply", "--input", "edits.json"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!(place.text("other.py"), "import os\nimport sys\n\ndef total(cart):\n    return max(cart)\n");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!((place.text("file.txt").as_str(), place.text("other.py").as_str()), (SHOP, "import sys\n"));
}

#[test]
fn other_encodings_are_kept_and_a_missing_character_changes_neither_file() {
    let text = "eins\nzwei \u{201e}größer\u{201c}\ndrei →\n";
    let place = Place::with(text);
    place.write("latin.txt", b"[Gr\xf6\xdfe]\nPreis f\xfcr \xc4pfel\n");
    let to = ["--move-after", "[Größe]", "--move-to", "latin.txt"];
    let refused = place.run(&apply(&[&["--old", "drei →"], &to[..], &["-j"]].concat()));
    assert_eq!(refused.json()["code"], "encoding", "{refused:?}");
    assert_eq!(place.text("file.txt"), text);
    let moved = place.run(&apply(&[
        "--old",
        "zwei \u{201e}größer\u{201c}",
        "--move-after",
        "[Größe]",
        "--move-to",
        "latin.txt",
    ]));
    assert_eq!(moved.code, 0, "{moved:?}");
    assert_eq!(place.bytes("latin.txt"), b"[Gr\xf6\xdfe]\nzwei \x84gr\xf6\xdfer\x93\nPreis f\xfcr \xc4pfel\n");
    assert_eq!(place.text("file.txt"), "eins\ndrei →\n");
}

#[test]
fn a_transfer_that_is_not_certain_says_what_to_do() {
    let place = Place::with(SHOP);
    let cases: &[(&[&str], &str, &str)] = &[
        (&["--move-after", "def total(cart):"], "refused", "is inside the lines"),
        (&["--move-after", "def totals(basket)"], "not_found", "the text of `after` was not found"),
        (&["--move-after", "def count"], "refused", "part of"),
    ];
    for (options, code, message) in cases {
        let report = place.run(&apply(&[&TOTAL[..], options, &["--json"]].concat())).json();
        assert!(report["message"].as_str().unwrap().contains(message), "{report}");
        assert_eq!(&report["code"], code, "{report}");
        assert!(!report["next_step"].as_str().unwrap().is_empty());
    }
    for edit in [
        json!({"after": "import os", "move_to": {"before": "import os"}}),
        json!({"old_string": "import os", "new_string": "x", "move_to": {"before": "import os"}}),
        json!({"old_string": "import os", "replace_all": true, "move_to": {"before": "import os"}}),
        json!({"old_string": "import os", "count": 1, "move_to": {"before": "def count(cart):"}}),
        json!({"old_string": "import os", "move_to": {}}),
        json!({"old_string": "import os", "move_to": {"before": "a", "after": "b"}}),
        json!({"old_string": "import os", "move_to": {"before": "a"}, "copy_to": {"before": "a"}}),
        json!({"old_string": "import os"}),
    ] {
        let mut edit = edit;
        edit["file_path"] = "file.txt".into();
        let answer = place.run_with(&["apply", "--input", "-", "--json"], edit.to_string().as_bytes());
        assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("bad_input")), "{edit}");
    }
    assert_eq!(place.text("file.txt"), SHOP);
}

#[test]
fn a_log_knows_a_transfer_that_failed_before_and_replay_leaves_it_out() {
    let place = Place::with(SHOP);
    let wrong = apply(&["--old", "import os", "--move-after", "missing", "--log", "log", "--log-text", "--json"]);
    assert_eq!(place.run(&wrong).json()["code"], "not_found");
    let other = apply(&["--old", "import os", "--move-after", "absent", "--log", "log", "--log-text", "--json"]);
    assert_eq!(place.run(&other).json()["code"], "not_found");
    assert_eq!(place.run(&wrong).json()["code"], "repeated_failure");
    let replayed = place.run(&["replay", "log", "--json"]).json();
    assert_eq!((&replayed["edits"], &replayed["without_texts"]), (&json!(0), &json!(3)));
}
