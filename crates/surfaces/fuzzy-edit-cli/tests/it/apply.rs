//! `apply` on one file: the written bytes, the kept bytes, the report.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::Place;
use serde_json::json;

fn apply<'a>(old: &'a str, new: &'a str) -> Vec<&'a str> {
    vec!["apply", "file.txt", "--old", old, "--new", new]
}

#[test]
fn replaces_the_text_and_reports_the_place() {
    let place = Place::with("one\ntwo\nthree\n");
    let answer = place.run(&apply("two", "2"));
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(answer.out, "applied: `file.txt` line 2 (exact)\n");
    assert_eq!(place.text("file.txt"), "one\n2\nthree\n");
    assert_eq!(place.names(), ["file.txt"]);
}

#[test]
fn a_needle_with_drifted_blanks_lands_and_is_noted() {
    let place = Place::with("def f():\n    result  +=  price * count\n    return result\n");
    let answer = place.run(&apply("result += price * count", "result += price"));
    assert_eq!(answer.code, 0, "{answer:?}");
    // The edit keeps the spelling of the unchanged part.
    assert_eq!(place.text("file.txt"), "def f():\n    result  +=  price\n    return result\n");
    let differs = "after `result` the file has 2 spaces, the old text 1 space";
    assert_eq!(answer.out, format!("applied: `file.txt` line 2 (alignment)\n{differs}\n"));
}

#[test]
fn every_byte_outside_the_place_is_kept() {
    let before = "\u{feff}a\r\nlone\rcr \t\r\n\n  let x = 1;  \r\n\u{a0}\u{2028}";
    let after = "\u{85}z\n\r\r\nlast, without a newline \u{1f600}";
    let place = Place::with(format!("{before}needle();{after}"));
    assert_eq!(place.run(&apply("needle();", "x")).code, 0);
    assert_eq!(place.text("file.txt"), format!("{before}x{after}"));
}

#[test]
fn new_text_gets_the_line_endings_of_the_old() {
    let place = Place::with("a\r\nb\r\nc\r\nd\n");
    assert_eq!(place.run(&apply("a\nb", "1\n2\n3")).code, 0);
    assert_eq!(place.text("file.txt"), "1\r\n2\r\n3\r\nc\r\nd\n");
}

#[test]
fn a_byte_order_mark_in_the_needle_does_no_harm() {
    let place = Place::with("\u{feff}one two");
    assert_eq!(place.run(&apply("\u{feff}one", "\u{feff}1")).code, 0);
    assert_eq!(place.text("file.txt"), "\u{feff}1 two");
    assert_eq!(place.run(&apply("\u{feff}1", "2")).code, 0);
    assert_eq!(place.text("file.txt"), "\u{feff}2 two");
}

#[test]
fn the_mode_is_kept_and_a_link_stays_one() {
    let place = Place::with("one");
    fs::set_permissions(place.path("file.txt"), Permissions::from_mode(0o751)).unwrap();
    symlink("file.txt", place.path("link")).unwrap();
    assert_eq!(place.run(&["apply", "link", "--old", "one", "--new", "two"]).code, 0);
    assert_eq!(place.text("file.txt"), "two");
    assert_eq!(fs::metadata(place.path("file.txt")).unwrap().permissions().mode() & 0o7777, 0o751);
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    assert_eq!(place.names(), ["file.txt", "link"]);
}

#[test]
fn a_dry_run_reports_the_same_and_writes_nothing() {
    let place = Place::with("one\ntwo\n");
    let before = place.fingerprint("file.txt");
    let answer = place.run(&[&apply("two", "2")[..], &["--dry-run"]].concat());
    assert_eq!(answer.code, 0);
    assert_eq!(answer.out, "would apply: `file.txt` line 2 (exact)\n");
    let dry = place.run(&[&apply("two", "2")[..], &["--dry-run", "--json"]].concat()).json();
    assert_eq!(place.fingerprint("file.txt"), before);

    let mut wet = place.run(&[&apply("two", "2")[..], &["--json"]].concat()).json();
    assert_eq!((dry["status"].as_str(), wet["status"].as_str()), (Some("dry_run"), Some("applied")));
    assert_ne!(dry["file_hash"], wet["file_hash"]);
    for field in ["status", "file_hash"] {
        wet[field] = dry[field].clone();
    }
    assert_eq!(dry, wet);
}

#[test]
fn the_report_has_every_field() {
    let place = Place::with("    one\n    two\n");
    let answer = place.run(&[&apply("two", "2")[..], &["--json"]].concat());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let expected = json!({
        "status": "applied",
        "file_path": "file.txt",
        "strategy": "exact",
        "similarity": 1.0,
        "confidence": 1.0,
        "occurrences": 1,
        "changed": true,
        "lines_before": [2, 2],
        "lines_after": [2, 2],
        "diff": "--- file.txt\n+++ file.txt\n@@ -1,2 +1,2 @@\n     one\n-    two\n+    2\n",
        "note": null,
        // The SHA-256 of "    one\n    2\n", by sha256sum.
        "file_hash": "5e9a11537eedc692f47c3cee600d0ab9357035eef7ad35bf75a0fca2f89a0a51",
        "encoding": "UTF-8",
        "encoding_detected": false,
    });
    assert_eq!(answer.json(), expected);
}

#[test]
fn a_diff_is_printed_for_other_programs_or_trimmed() {
    for (form, diff) in [
        ("--diff", "--- a/file.txt\n+++ b/file.txt\n@@ -1,2 +1,2 @@\n     one\n-    two\n+    2\n"),
        ("--diff=trimmed", "--- file.txt\n+++ file.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"),
    ] {
        let answer = Place::with("    one\n    two\n").run(&[&apply("two", "2")[..], &[form]].concat());
        assert!(answer.out.ends_with(&format!("\n{diff}")), "{form}: {}", answer.out);
    }
}

/// An edit that is refused with a proposal: the file has another value.
const CONFLICT: [&str; 6] =
    ["apply", "file.txt", "--old", "timeout = 20\nretries = 5", "--new", "timeout = 60\nretries = 5"];

#[test]
fn a_proposal_is_applied_on_request() {
    let place = Place::with("timeout = 30\nretries = 5\n");
    assert_eq!(place.run(&CONFLICT).code, 1);
    let answer = place.run(&[&CONFLICT[..], &["--accept"]].concat());
    assert_eq!((answer.code, place.text("file.txt").as_str()), (0, "timeout = 60\nretries = 5\n"), "{}", answer.err);
    assert!(answer.err.starts_with("proposal:\n  @@ -1,2 +1,2 @@\n  -timeout = 30\n"), "{}", answer.err);
    // Without a proposal, the option changes nothing.
    let place = Place::with("one\ntwo\none\n");
    let answer = place.run(&[&apply("one", "1")[..], &["--accept"]].concat());
    assert_eq!((answer.code, place.text("file.txt").as_str()), (1, "one\ntwo\none\n"), "{}", answer.err);
    assert!(!answer.err.contains("proposal"), "{}", answer.err);
}

#[cfg(feature = "full")]
#[test]
fn a_person_reads_the_options_that_help() {
    use crate::checkpoint::terminal::type_to;
    let at_a_terminal = |place: &Place, arguments: &[&str]| type_to(place.command(arguments), "").1;
    let place = Place::with("one\ntwo\none\n");
    let screen = at_a_terminal(&place, &apply("one", "1"));
    assert!(screen.contains("Select a place with --line 1 or --line 3, or --all to edit all of them."), "{screen}");
    let screen = at_a_terminal(&place, &[&apply("one", "1")[..], &["--line", "3"]].concat());
    assert!(screen.ends_with("fuzzy-edit: to undo this: fuzzy-edit undo\n"), "{screen}");
    assert_eq!(place.text("file.txt"), "one\ntwo\n1\n");
    let screen = at_a_terminal(&Place::with("timeout = 30\nretries = 5\n"), &CONFLICT);
    assert!(screen.contains(" If the proposal is the intended edit, add --accept.\n"), "{screen}");
    // Programs and models read other words.
    let errors = place.run(&CONFLICT).err;
    assert!(!errors.contains("--accept"), "{errors}");
}

#[test]
fn all_replaces_every_place() {
    let place = Place::with("x = x;\n\nx\n");
    let answer = place.run(&[&apply("x", "y")[..], &["--all", "--count", "3"]].concat());
    assert_eq!(answer.out, "applied: `file.txt` lines 1-3, 3 places (exact)\n");
    assert_eq!(place.text("file.txt"), "y = y;\n\ny\n");
}

#[test]
fn texts_are_read_from_files_unchanged() {
    let place = Place::with("a\n@b\nc\n");
    place.write("old.txt", "@b\n");
    place.write("new.txt", "\u{feff}-\n-\n");
    assert_eq!(place.run(&apply("@old.txt", "@new.txt")).code, 0);
    assert_eq!(place.text("file.txt"), "a\n-\n-\nc\n");
}

#[test]
fn texts_may_look_like_options() {
    let place = Place::with("run --old -x\n");
    assert_eq!(place.run(&apply("--old -x", "--new")).code, 0);
    assert_eq!(place.text("file.txt"), "run --new\n");
}

#[test]
fn a_text_may_be_deleted() {
    let place = Place::with("a\nb\nc\n");
    assert_eq!(place.run(&apply("b\n", "")).code, 0);
    assert_eq!(place.text("file.txt"), "a\nc\n");
}

#[test]
fn dollars_are_pasted_as_they_are() {
    let place = Place::with("a");
    assert_eq!(place.run(&apply("a", "$& $1 $$ \\1")).code, 0);
    assert_eq!(place.text("file.txt"), "$& $1 $$ \\1");
}

#[test]
fn the_ladder_decides() {
    let place = Place::with("fn a() {\n    one();\n}\n");
    let edit = apply("  fn a() {\n one();\n}", "b");
    let strict = place.run(&[&edit[..], &["--ladder", "conservative", "--dry-run", "--json"]].concat()).json();
    let loose = place.run(&[&edit[..], &["--ladder", "full", "--dry-run", "--json"]].concat()).json();
    assert_eq!(strict["strategy"], "indentation-flexible/stripped");
    assert_eq!(loose["strategy"], "line-trimmed");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::with("one");
    let mut child = place.command(&apply("one", "two")).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.text("file.txt"), "two");
}

#[test]
fn an_edit_succeeds_even_if_its_report_cannot_be_written() {
    let place = Place::with("one");
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("skipped: there is no /dev/full");
        return;
    };
    let run = |arguments: &[&str]| place.command(arguments).stdout(full.try_clone().unwrap()).output().unwrap();
    let answer = run(&apply("one", "two"));
    assert_eq!((answer.status.code(), place.text("file.txt").as_str()), (Some(0), "two"));
    assert!(answer.stderr.starts_with(b"fuzzy-edit: io: standard output: "));
    // A question has no other result than its answer.
    assert_eq!(run(&["locate", "file.txt", "--old", "two"]).status.code(), Some(2));
    assert_eq!(run(&["batch"]).status.code(), Some(0));
}

#[test]
fn every_operation_writes_the_line_breaks_of_a_file_without_a_last_one() {
    for (options, expected) in [
        (&["--old", "b", "--new", "b\nc"][..], "a\r\nb\r\nc"),
        (&["--after", "b", "--new", "c"], "a\r\nb\r\nc"),
        (&["--before", "b", "--new", "c\nd"], "a\r\nc\r\nd\r\nb"),
        (&["--first", "a", "--last", "b", "--new", "c\nd"], "c\r\nd"),
    ] {
        let place = Place::with("a\r\nb");
        let answer = place.run(&[&["apply", "file.txt"], options].concat());
        assert_eq!((answer.code, place.text("file.txt").as_str()), (0, expected), "{options:?}: {}", answer.err);
    }
}
