//! Every failure has its own code, message and next step, and leaves the file unchanged.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::Place;
use serde_json::{Value, json};

/// A function that makes the place, and the arguments after `apply`.
struct Case {
    place: Place,
    arguments: Vec<&'static str>,
}

impl Case {
    fn new(bytes: impl AsRef<[u8]>, old: &'static str, new: &'static str) -> Self {
        Self { place: Place::with(bytes), arguments: vec!["file.txt", "--old", old, "--new", new] }
    }

    fn with(mut self, options: &[&'static str]) -> Self {
        self.arguments.extend_from_slice(options);
        self
    }

    fn prepared(self, prepare: impl FnOnce(&Place)) -> Self {
        prepare(&self.place);
        self
    }

    /// Checks both formats of the failure and that no file changed; returns the report.
    fn fails(&self, exit: i32, code: &str, message: &str) -> Value {
        let before = (self.place.fingerprint("file.txt"), self.place.names());
        let arguments = [&["apply"][..], &self.arguments[..]].concat();
        let text = self.place.run(&arguments);
        assert_eq!(text.code, exit, "{text:?}");
        assert_eq!(text.out, "");
        assert!(text.err.starts_with(&format!("fuzzy-edit: {code}: ")), "{}", text.err);
        assert!(text.err.contains(message), "{}", text.err);
        let answer = self.place.run(&[&arguments[..], &["--json"]].concat());
        assert_eq!(answer.err.lines().count(), 1, "{}", answer.err);
        // The text shows the nearest lines below the message.
        assert_eq!(answer.code, exit);
        assert!(text.err.starts_with(&answer.err), "{}", text.err);
        let report = answer.json();
        let is_present = |field: &Value| field.as_str().is_some_and(|diff| !diff.is_empty());
        assert_eq!(text.err.contains(" (-) and line"), is_present(&report["nearest"]["diff"]), "{}", text.err);
        assert_eq!((report["status"].as_str(), report["code"].as_str()), (Some("failed"), Some(code)));
        let next_step = report["next_step"].as_str().unwrap();
        assert!(next_step.ends_with('.') && answer.err.ends_with(&format!("{next_step}\n")), "{}", text.err);
        assert!(report["message"].as_str().is_some_and(|text| !text.is_empty()));
        for field in ["nearest", "ambiguous_at", "count", "tried", "file_path", "proposal"] {
            assert!(report.get(field).is_some(), "{field}");
        }
        assert_eq!((self.place.fingerprint("file.txt"), self.place.names()), before, "{code}");
        report
    }
}

#[test]
fn empty_old() {
    Case::new("a", "", "b").fails(1, "empty_old", "the old text is empty");
    Case::new("\u{feff}a", "\u{feff}", "b").fails(1, "empty_old", "the old text is empty");
}

#[test]
fn empty_files_are_written_and_made() {
    let place = Place::with("");
    for (file, old, new) in
        [("file.txt", "", "first\n"), ("file.txt", "first\n", ""), ("__init__.py", "", ""), ("file.txt", "", "again\n")]
    {
        let text = place.run(&["apply", file, "--old", old, "--new", new]);
        assert_eq!((text.code, text.err.as_str()), (0, ""), "{text:?}");
        assert_eq!(fs::read_to_string(place.path(file)).unwrap(), new);
    }
}

#[test]
fn a_refusal_has_the_reason_of_its_rule_and_the_lines() {
    for (file, old, new, rule, message, next_step) in [
        (
            "build:\n  runs-on: linux\n  steps: 3\n",
            "  run-on: linux",
            "  run-on: macos",
            "single-line",
            "one line alone must be nearly equal to the old text: line 2",
            "Read line 2 of the file and copy the old text from there exactly.",
        ),
        (
            "server = make_server(config)\nserver.listen(port)\nlog.info(\"ready\")\n",
            "server = make_server(config, pool)\nserver.listen(port)\nlog.info(\"ready\")",
            "server = build_server(config, pool)\nserver.listen(port)\nlog.info(\"ready\")",
            "lost-word",
            "the file lacks a word that the edit keeps on a changed line: lines 1-3",
            "Read lines 1-3 of the file and copy the old text from there exactly.",
        ),
    ] {
        let report = Case::new(file, old, new).fails(1, "refused", message);
        assert_eq!(report["rule"], rule, "{report}");
        assert!(report["next_step"].as_str().unwrap().starts_with(next_step), "{report}");
    }
}

#[test]
fn a_line_elsewhere_makes_the_old_text_ambiguous() {
    let file = "import sys\nimport warnings\n\nimport pandas as pd\nfrom pandas import NA\n";
    let old = "import pandas as pd\nimport warnings";
    let case = Case::new(file, old, "import pandas as pd\nimport warnings\nfrom warnings import warn");
    let apart = "the lines of the old text are in two blocks of the file: line 1 is at 4, line 2 at 2";
    let report = case.fails(1, "ambiguous", apart);
    assert_eq!((&report["rule"], &report["count"]), (&json!("line-elsewhere"), &json!(2)), "{report}");
    assert!(report["next_step"].as_str().unwrap().contains("from one block alone"), "{report}");
}

#[test]
fn identical() {
    Case::new("a", "a", "a").fails(1, "identical", "the new text is the same as the old one");
    Case::new("a", "", "").fails(1, "identical", "the new text is the same as the old one");
    let endings = Case::new("a\r\nb", "a\nb", "a\r\nb").with(&["--ladder", "conservative"]);
    endings.fails(1, "identical", "the new text is the same");
}

#[test]
fn not_found_names_the_nearest_lines() {
    let case = Case::new("one\nlet total = 1;\nthree\n", "let totla = 1;", "x").with(&["--ladder", "conservative"]);
    let report = case.fails(1, "not_found", "most like it: line 2; the file has `total`, not `totla`");
    let diff = "-let totla = 1;\n+let total = 1;\n";
    assert_eq!(report["nearest"], json!({"lines": [2, 2], "similarity": 0.857_142_857_142_857_2, "diff": diff}));
    assert_eq!(report["next_step"], "Read line 2 of the file and copy the old text from there exactly.");
    let ladder = ["exact", "whitespace-normalized/inline", "indentation-flexible/stripped", "trimmed-boundary/text"];
    assert_eq!(report["tried"], json!(ladder));
    assert_eq!((&report["ambiguous_at"], &report["count"]), (&json!([]), &json!(0)));
}

#[test]
fn not_found_in_an_empty_file() {
    let report = Case::new("", "a", "b").fails(1, "not_found", "the file is empty");
    assert_eq!(report["nearest"], Value::Null);
}

#[test]
fn only_exact_places_are_replaced_everywhere() {
    let case = Case::new("a  b\na  b\n", "a b", "c").with(&["--all", "--ladder", "conservative"]);
    assert_eq!(case.fails(1, "not_found", "was not found")["tried"], json!(["exact"]));
}

#[test]
fn ambiguous_names_every_place() {
    let report = Case::new("}\nx\n}\ny\n}\n", "}", "{").fails(1, "ambiguous", "3 places: line 1, line 3, line 5");
    assert_eq!(report["ambiguous_at"], json!([[1, 1], [3, 3], [5, 5]]));
    assert_eq!(report["count"], 3);
    assert!(report["next_step"].as_str().unwrap().contains("replace all places"));
    assert_eq!(report["nearest"], json!({"lines": [1, 1], "similarity": 1.0, "diff": ""}));

    let many = "}\n".repeat(1000);
    let report = Case::new(many, "}", "{").fails(1, "ambiguous", "1000 places");
    assert_eq!(report["ambiguous_at"].as_array().unwrap().len(), 100);
    assert_eq!(report["count"], 1000);

    let report = Case::new("+++", "++", "b").fails(1, "ambiguous", "2 places");
    assert_eq!(report["count"], 2);
}

#[test]
fn all_does_not_apply_to_inexact_places() {
    let report = Case::new("a  b\na   b\n", "a b", "c").fails(1, "ambiguous", "2 places");
    assert!(!report["next_step"].as_str().unwrap().contains("replace all places"));
}

#[test]
fn count_mismatch() {
    let case = Case::new("x\nx\n", "x", "y").with(&["--all", "--count", "3"]);
    let report = case.fails(1, "count_mismatch", "2 places, not in 3");
    assert_eq!((&report["count"], &report["ambiguous_at"]), (&json!(2), &json!([[1, 1], [2, 2]])));
}

#[test]
fn refused_by_hard_links() {
    let case = Case::new("a", "a", "b")
        .prepared(|place| fs::hard_link(place.path("file.txt"), place.path("other.txt")).unwrap());
    case.fails(1, "refused", "one of 2 hard links");
}

#[test]
fn missing() {
    let remove = |place: &Place| fs::remove_file(place.path("file.txt")).unwrap();
    Case::new("", "a", "b").prepared(remove).fails(2, "missing", "`file.txt` does not exist");
    let dangle = |place: &Place| {
        remove(place);
        symlink("nowhere", place.path("file.txt")).unwrap();
    };
    Case::new("", "a", "b").prepared(dangle).fails(2, "missing", "`file.txt` does not exist");
}

#[test]
fn not_a_file() {
    let directory = |place: &Place| {
        fs::remove_file(place.path("file.txt")).unwrap();
        fs::create_dir(place.path("file.txt")).unwrap();
    };
    Case::new("", "a", "b").prepared(directory).fails(2, "not_a_file", "`file.txt` is a directory");
    // Opening a named pipe blocks until a writer opens it.
    let pipe = |place: &Place| {
        fs::remove_file(place.path("file.txt")).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o644);
        rustix::fs::mkfifoat(rustix::fs::CWD, place.path("file.txt"), mode).unwrap();
    };
    Case::new("", "a", "b").prepared(pipe).fails(2, "not_a_file", "`file.txt` is a pipe");
}

#[test]
fn binary() {
    Case::new(b"a\0b", "a", "c").fails(2, "binary", "NUL byte at offset 1");
}

#[test]
fn encoding() {
    Case::new(b"a\ncaf\xe9\x01", "a", "b").fails(2, "encoding", "line 2 has a wrong byte at offset 5");
    Case::new(b"a \x1b$BF|K\\8l\x1b(B", "a", "b").fails(2, "encoding", "encoded as ISO-2022-JP");
    Case::new(b"\xff\xfe\0\0a\0\0\0", "a", "b").fails(2, "encoding", "encoded as UTF-32");
    let latin = Case::new(b"a\ncaf \xe9", "caf", "\u{20ac}").with(&["--encoding", "ISO-8859-2"]);
    latin.fails(2, "encoding", "encoded as ISO-8859-2, which has no '\u{20ac}' (U+20AC), as on line 2");
    Case::new(b"a \xd0\xd2", "a", "\u{448}").fails(2, "encoding", "too few characters to be sure how '\u{448}'");
    Case::new(b"a \xff", "a", "\u{fffd}").with(&["--encoding", "utf-8"]).fails(2, "encoding", "it is not clear which");
    Case::new(b"a\x82\nb", "\nb", "\u{ff71}").with(&["--encoding", "shift_jis"]).fails(
        2,
        "encoding",
        "would form other characters",
    );
}

#[test]
fn permission() {
    let protect = |place: &Place| fs::set_permissions(place.path("file.txt"), Permissions::from_mode(0o444)).unwrap();
    Case::new("a", "a", "b").prepared(protect).fails(2, "permission", "`file.txt` is read-only");
    // A dry run must fail where the edit would.
    Case::new("a", "a", "b").prepared(protect).with(&["--dry-run"]).fails(2, "permission", "`file.txt` is read-only");
}

#[test]
fn too_large() {
    let huge = |place: &Place| File::create(place.path("file.txt")).unwrap().set_len((32 << 20) + 1).unwrap();
    Case::new("", "a", "b").prepared(huge).fails(2, "too_large", "larger than the limit of 33554432 bytes");
    Case::new("abc", "a", "b").with(&["--max-bytes", "2"]).fails(2, "too_large", "larger than the limit of 2 bytes");
    let grows = Case::new("aa", "a", "bbbb").with(&["--all", "--max-bytes", "4"]);
    grows.fails(2, "too_large", "the new text would be larger than the limit of 4 bytes");
}

#[test]
fn timeout() {
    let text = "some line of text\n".repeat(100_000);
    let case = Case::new(text, "absent  text", "b").with(&["--timeout-ms", "0"]);
    case.fails(2, "timeout", "longer than the time limit");
}

#[test]
fn io() {
    let endless = |place: &Place| {
        fs::remove_file(place.path("file.txt")).unwrap();
        symlink("file.txt", place.path("file.txt")).unwrap();
    };
    Case::new("", "a", "b").prepared(endless).fails(2, "io", "`file.txt`: ");
}

#[test]
fn bad_input() {
    let known = "choose one of: conservative, opencode, full, full-guarded, boocode, reference, ";
    Case::new("a", "a", "b").with(&["--ladder", "rope"]).fails(2, "bad_input", "no ladder named `rope` is linked");
    Case::new("a", "a", "b").with(&["--ladder", "rope"]).fails(2, "bad_input", known);
    Case::new("a", "a", "b").with(&["--encoding", "morse"]).fails(2, "bad_input", "there is no encoding `morse`");
    Case::new("a", "a", "b").with(&["--encoding", "iso-2022-jp"]).fails(2, "bad_input", "in one place alone");
    Case::new("a", "@nothing", "b").fails(2, "bad_input", "--old @FILE: `nothing` does not exist");
    Case::new("a", "a", "@").fails(2, "bad_input", "--new @FILE: `` does not exist");
    Case::new("a", "@.", "b").fails(2, "bad_input", "--old @FILE: `.` is a directory");
}

#[test]
fn a_malformed_command_line_is_bad_input() {
    let place = Place::with("a");
    for arguments in [&["apply", "--jsn"][..], &["replace"], &[], &["apply", "file.txt", "--old"], &["locate"]] {
        let answer = place.run(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments:?}");
        assert!(answer.err.starts_with("fuzzy-edit: bad_input: "), "{}", answer.err);
        assert!(answer.err.contains("--help"), "{}", answer.err);
    }
    let answer = place.run(&["apply", "--json", "--old", "a"]);
    let report = answer.json();
    assert_eq!((answer.code, report["code"].as_str()), (2, Some("bad_input")));
    assert!(report["message"].as_str().unwrap().contains("--new <TEXT|@FILE|->"), "{report}");
}
