//! Edits that name lines by their ends, on files: reports, lists, undo, logs, hashes, and the other verbs.

use crate::support::Place;
use serde_json::{Value, json};

const FILE: &str = "def total(cart):\n    total = 0\n    for price in cart:\n        total += price\n    return total\n\nprint(total([]))\n";

fn range() -> Vec<&'static str> {
    vec!["apply", "file.txt", "--first", "def total(cart):", "--last", "    return total", "--new", "total = sum"]
}

fn with<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["apply", "file.txt"], options].concat()
}

#[test]
fn a_range_is_replaced_and_the_report_names_its_ends() {
    let place = Place::with(FILE);
    let answer = place.run(&range());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let line = "applied: `file.txt` lines 1-5: 5 lines, from `def total(cart):` to `return total` (exact)\n";
    assert_eq!(answer.out, line);
    assert_eq!(place.text("file.txt"), "total = sum\n\nprint(total([]))\n");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.text("file.txt"), FILE);

    let report = place.run(&[&range()[..], &["--json", "--dry-run", "--diff"]].concat()).json();
    assert_eq!(report["replaced"], json!({"first": "def total(cart):", "last": "    return total", "count": 5}));
    assert_eq!((&report["lines_before"], &report["lines_after"]), (&json!([1, 5]), &json!([1, 1])));
    assert!(report["diff"].as_str().unwrap().contains("-    return total\n+total = sum\n"), "{report}");
    assert_eq!(place.text("file.txt"), FILE);
}

#[test]
fn lines_are_inserted_beside_a_quoted_line() {
    let place = Place::with("import os\nimport sys\n");
    let answer = place.run(&with(&["--after", "import os", "--new", "import re"]));
    assert_eq!((answer.code, answer.out.as_str()), (0, "applied: `file.txt` line 2 (exact)\n"));
    assert_eq!(place.run(&with(&["--before", "import os", "--new", "import io\n"])).code, 0);
    assert_eq!(place.text("file.txt"), "import io\nimport os\nimport re\nimport sys\n");
    let again = place.run(&with(&["--after", "import os", "--new", "import re", "--json"])).json();
    assert_eq!(again["status"], "already_applied");
}

#[test]
fn numbers_find_the_guarded_lines_or_need_the_hash() {
    let place = Place::with(FILE);
    let hash = place.run(&[&range()[..], &["-n", "-j"]].concat()).json()["file_hash"].as_str().unwrap().to_owned();
    let unguarded = place.run(&with(&["--lines", "1-5", "--new", "x", "--json"]));
    assert_eq!(unguarded.code, 2);
    let step = unguarded.json()["next_step"].as_str().unwrap().to_owned();
    let guard = "Add \"first\": \"def total(cart):\", if that is the line, or the expected_hash of the file";
    assert_eq!(step, format!("{guard}; --first TEXT takes the line, --expected-hash HASH the hash."));
    assert_eq!(place.run(&with(&["--lines", "1-5", "--new", "x", "--expected-hash", &hash, "-n"])).code, 0);
    place.write("file.txt", format!("import os\n\n{FILE}"));
    let stale = place.run(&with(&["--lines", "1-5", "--new", "x", "--expected-hash", &hash, "-j"]));
    assert_eq!(stale.json()["code"], "stale");
    let guarded = with(&["--lines", "1-5", "--first", "def total(cart):", "--new", "total = sum"]);
    assert_eq!(place.run(&guarded).code, 0);
    assert_eq!(place.text("file.txt"), "import os\n\ntotal = sum\n\nprint(total([]))\n");
}

#[test]
fn an_edit_says_where_in_exactly_one_way() {
    let place = Place::with(FILE);
    let cases: &[(&[&str], &str)] = &[
        (&["--old", "a", "--after", "b"], "`--old` and `--after` both say where; give one of them"),
        (&["--first", "a", "--before", "b"], "`--first` and `--before` both say where; give one of them"),
        (&["--first", "a"], "`--first` needs `--last`: quote the last line of the range, too"),
        (&["--last", "a"], "`--last` needs `--first`: quote the first line of the range, too"),
        (
            &["--old", "a", "--expected-lines", "3"],
            "`--expected-lines` needs `--first`: only a range has a number of lines",
        ),
        (&["--after", "a", "--all"], "`--all` needs `--old`: named lines are replaced in one place only"),
    ];
    for (options, message) in cases {
        let answer = place.run(&with(&[options, &["--new", "x", "--json"][..]].concat()));
        assert_eq!(answer.code, 2, "{options:?}");
        let report = answer.json();
        assert_eq!((&report["code"], &report["message"]), (&json!("bad_input"), &json!(message)), "{options:?}");
        assert!(report["next_step"].as_str().unwrap().starts_with("Say where in exactly one way"), "{report}");
    }
    let nowhere = place.run(&with(&["--new", "x", "--json"]));
    assert!(nowhere.json()["message"].as_str().unwrap().contains("--old"), "{nowhere:?}");
    assert_eq!(place.text("file.txt"), FILE);
}

#[test]
fn a_refusal_lists_the_ranges_with_their_expected_lines() {
    let place = Place::with("start\na\nend\nb\nend\n");
    let edit = with(&["--first", "start", "--last", "end", "--new", "x"]);
    let answer = place.run(&edit);
    assert_eq!(answer.code, 1);
    let ends = "line 3 (expected_lines 3), line 5 (expected_lines 5)";
    assert!(
        answer
            .err
            .contains(&format!("ambiguous: `file.txt`: the text of `last` occurs several times after `first`: {ends}")),
        "{answer:?}"
    );
    let report = place.run(&[&edit[..], &["--json"]].concat()).json();
    assert_eq!(report["ends"], json!([{"lines": [1, 3], "expected_lines": 3}, {"lines": [1, 5], "expected_lines": 5}]));
    assert_eq!(place.run(&[&edit[..], &["--expected-lines", "5"]].concat()).code, 0);
    assert_eq!(place.text("file.txt"), "x\n");
    // A missing first text is reported by its name, with the nearest lines.
    let missing = place.run(&with(&["--first", "missing text", "--last", "end", "--new", "x"]));
    assert!(
        missing.err.contains("the text of `first` was not found") && !missing.err.contains("old text"),
        "{missing:?}"
    );
    // Lines of the file are quoted as they are, whatever they say.
    let place = Place::with("# the old text\nx = 1\nb\nc\nx = 1\n");
    let twice = place.run(&with(&["--after", "x = 1", "--new", "y = 2"]));
    assert!(
        twice.err.contains("the text of `after` matches 2 places") && twice.err.contains("line 1 `# the old text`"),
        "{twice:?}"
    );
}

#[test]
fn a_list_mixes_all_kinds_and_is_atomic() {
    let place = Place::with(FILE);
    let list = |last: &str| {
        json!([
            {"file_path": "file.txt", "first": "def total(cart):", "last": last, "new_string": "def total(cart):\n    return sum(cart)"},
            {"file_path": "file.txt", "before": "def total(cart):", "new_string": "import math\n\n"},
            {"file_path": "file.txt", "old_string": "sum(cart)", "new_string": "math.fsum(cart)"},
        ])
        .to_string()
    };
    let failed = place.run_with(&["apply", "--input", "-", "--json"], list("    return nothing at all").as_bytes());
    assert_eq!(failed.code, 1, "{failed:?}");
    assert_eq!(place.text("file.txt"), FILE);
    let applied = place.run_with(&["apply", "--input", "-"], list("    return total").as_bytes());
    assert_eq!(applied.code, 0, "{applied:?}");
    assert_eq!(
        place.text("file.txt"),
        "import math\n\ndef total(cart):\n    return math.fsum(cart)\n\nprint(total([]))\n"
    );
    // Numbers with a hash are those of the file before the first edit.
    let hash = applied_hash(&place);
    let numbered = json!([
        {"file_path": "file.txt", "old_string": "import math\n", "new_string": "", "expected_hash": hash},
        {"file_path": "file.txt", "lines": [3, 4], "new_string": "x", "expected_hash": hash},
    ]);
    let refused = place.run_with(&["apply", "--input", "-", "-j"], numbered.to_string().as_bytes()).json();
    assert_eq!(refused["code"], "bad_input", "{refused}");
}

fn applied_hash(place: &Place) -> Value {
    place.run(&with(&["--after", "import math", "--new", "x", "-n", "-j"])).json()["file_hash"].clone()
}

#[test]
fn shapes_of_other_tools_need_a_guard() {
    let place = Place::with(FILE);
    let run = |edit: Value| {
        let answer = place.run_with(&["apply", "--input", "-", "--json"], edit.to_string().as_bytes());
        (answer.code, answer.json())
    };
    let (code, report) = run(json!({"path": "file.txt", "insert_line": 1, "insert_text": "    import os"}));
    assert_eq!((code, &report["code"]), (2, &json!("bad_input")));
    let step = "Send \"after\": \"def total(cart):\" instead of the number, if that is the line.";
    assert_eq!(report["next_step"], step);
    let (_, report) = run(json!({"path": "file.txt", "insert_line": 0, "new_str": "import os"}));
    assert_eq!(
        report["next_step"],
        "Send \"before\": \"def total(cart):\" instead of the number, if that is the line."
    );
    let (_, report) = run(json!({"path": "file.txt", "start_line": 1, "end_line": 5, "new_str": "x"}));
    assert!(report["next_step"].as_str().unwrap().starts_with("Add \"first\": \"def total(cart):\""), "{report}");
    let guarded = json!({"path": "file.txt", "start_line": 2, "end_line": "6", "first": "def total(cart):", "last": "    return total", "new_str": "total = sum"});
    assert_eq!(run(guarded).0, 0);
    assert_eq!(place.text("file.txt"), "total = sum\n\nprint(total([]))\n");
    let twice = json!({"path": "file.txt", "start_line": 1, "lines": [1, 2], "first": "a", "new_str": "x"});
    assert_eq!(run(twice).0, 2);
}

#[test]
fn placeholders_are_refused_in_ranges_and_insertions() {
    let place = Place::with(FILE);
    let new = "def total(cart):\n    # ... rest of the code unchanged ...\n    return total";
    let edit = with(&["--first", "def total(cart):", "--last", "    return total", "--new", new, "--json"]);
    let report = place.run(&edit).json();
    assert_eq!(report["code"], "placeholder");
    assert!(report["lost"].as_str().unwrap().contains("total += price"), "{report}");
    let inserted = with(&["--after", "def total(cart):", "--new", "    # ... existing code ...", "--json"]);
    assert_eq!(place.run(&inserted).json()["code"], "placeholder");
    assert_eq!(place.text("file.txt"), FILE);
}

#[test]
fn locate_and_explain_show_the_range() {
    let place = Place::with(FILE);
    let lookup = |verb| vec![verb, "file.txt", "--first", "def total(cart):", "--last", "    return total"];
    let answer = place.run(&lookup("locate"));
    assert_eq!(
        answer.out,
        "found: `file.txt` lines 1-5, bytes 0..93 (exact)\n".to_owned()
            + "def total(cart):\n    total = 0\n    for price in cart:\n        total += price\n    return total\n"
    );
    let report = place.run(&[&lookup("locate")[..], &["--json"]].concat()).json();
    assert_eq!((&report["places"][0]["lines"], report["text"].as_str().unwrap().lines().count()), (&json!([1, 5]), 5));
    let explained = place.run(&lookup("explain"));
    let why = "quoted: lines 1-5: `last` does not occur again at its indentation before the block of `first` ends";
    assert!(explained.out.contains(why), "{explained:?}");
    let report = place.run(&[&lookup("explain")[..], &["--json"]].concat()).json();
    assert_eq!(report["named"]["lines"], json!([1, 5]));
    assert_eq!(place.text("file.txt"), FILE);
}

#[test]
fn batch_takes_the_same_fields() {
    let place = Place::new();
    let lines = [
        json!({"id": 1, "content": "a\nb\nc\n", "first": "a", "last": "b", "new": "x"}),
        json!({"id": 2, "content": "a\nb\n", "after": "a", "new": "x"}),
        json!({"id": 3, "content": "a\nb\n", "before": "b", "old": "a", "new": "x"}),
        json!({"id": 4, "content": "a\nb\nb\n", "lines": [1, 2], "first": "a", "new": "x"}),
        json!({"id": 5, "content": "a\n", "new": "x"}),
        json!({"id": 6, "content": "s\nb\nc\nb\n", "first": "s", "last": "b", "expected_lines": 4, "new": "x"}),
    ];
    let input = lines.each_ref().map(Value::to_string).join("\n");
    let answer = place.run_with(&["batch"], input.as_bytes());
    let answers: Vec<Value> = answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outputs: Vec<_> = answers.iter().map(|answer| answer["output"].as_str().or(answer["code"].as_str())).collect();
    let expected = ["x\nc\n", "a\nx\nb\n", "bad_input", "x\nb\n", "bad_input", "x\n"];
    assert_eq!(outputs, expected.map(Some));
}

#[test]
fn a_log_repeats_named_lines_and_recognizes_repeated_failures() {
    let place = Place::with(FILE);
    let log = ["--log", "log.jsonl", "--log-text"];
    assert_eq!(place.run(&[&range()[..], &log].concat()).code, 0);
    let missing = with(&["--first", "nothing like it", "--last", "at all", "--new", "x"]);
    assert_eq!(place.run(&[&missing[..], &log].concat()).code, 1);
    let repeated = place.run(&[&missing[..], &log, &["--json"]].concat()).json();
    assert_eq!(repeated["code"], "repeated_failure");
    // Another last text is another edit.
    let other = with(&["--first", "nothing like it", "--last", "anywhere", "--new", "x", "--json"]);
    assert_eq!(place.run(&[&other[..], &log].concat()).json()["code"], "not_found");
    let replayed = place.run(&["replay", "log.jsonl", "--json"]).json();
    assert_eq!((&replayed["edits"], &replayed["ladders"][0]["matched"]), (&json!(4), &json!(1)), "{replayed}");
}

#[test]
fn encodings_and_marks_are_kept() {
    let place = Place::new();
    place.write("file.txt", b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n");
    assert_eq!(place.run(&with(&["--first", "\u{feff}one", "--last", "two", "--new", "\u{feff}1\n2\n3"])).code, 0);
    assert_eq!(place.bytes("file.txt"), b"\xef\xbb\xbf1\r\n2\r\n3\r\nthree\r\n");
    place.write("file.txt", b"Gr\xf6\xdfe\nPreis\nEnde\n");
    let edit = with(&["--first", "Größe", "--last", "Preis", "--new", "Länge", "--encoding", "windows-1252"]);
    assert_eq!(place.run(&edit).code, 0);
    assert_eq!(place.bytes("file.txt"), b"L\xe4nge\nEnde\n");
}
