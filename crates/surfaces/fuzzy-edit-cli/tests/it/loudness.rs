//! `--quiet` and `--verbose`.

use crate::support::Place;

const OLD: &str = "    b = 1\n    c = 2";
const TEXT: &str = "def a():\n\tb = 1\n\tc = 2\n";

#[test]
fn quiet_edits_print_problems_and_what_is_asked_for() {
    let place = Place::with(TEXT);
    let edit = ["apply", "file.txt", "--old", OLD, "--new", "    b = 3\n    c = 2", "--dry-run"];
    let run = |more: &[&str]| place.run(&[&edit[..], more].concat());
    assert!(run(&[]).out.contains("would apply") && run(&["-q"]).out.is_empty(), "{:?}", run(&["-q"]));
    assert_eq!(run(&["--quiet", "--json"]).json()["status"], "dry_run");
    let diff = run(&["-q", "--diff"]).out;
    assert!(diff.starts_with("--- a/file.txt\n") && diff.contains("+\tb = 3\n"), "{diff}");
    let refused = place.run(&["apply", "file.txt", "--old", "nowhere", "--new", "x", "-q"]);
    assert!(refused.code == 1 && refused.err.contains("not_found"), "{refused:?}");
    // An answer to a question is what is asked for.
    assert!(place.run(&["-q", "locate", "file.txt", "--old", OLD]).out.contains("lines 2-3"));
    assert_eq!(place.run(&[&edit[..6], &["-q"]].concat()).code, 0);
    let undone = place.run(&["undo", "-q"]);
    assert_eq!((undone.code, undone.out.as_str(), place.text("file.txt").as_str()), (0, "", TEXT));
}

#[test]
fn verbose_runs_say_how_they_decide_in_words() {
    let place = Place::with(TEXT);
    let found = place.run(&["locate", "file.txt", "--old", OLD, "-v"]);
    let line = found.err.lines().next().unwrap();
    assert!(line.starts_with("fuzzy-edit: decided: strategy alignment, similarity 1.000, "), "{line}");
    assert!(line.contains(" (ladder adaptive text bytes 23 old bytes 19"), "{line}");
    let refused = place.run(&["apply", "file.txt", "--old", "nowhere()", "--new", "x", "--verbose"]);
    assert!(refused.err.contains("rule not-found"), "{}", refused.err);
    let plain = place.run(&["locate", "file.txt", "--old", OLD]);
    assert_eq!(plain.err, "");
    // The variable of programs in Rust wins, with its own format.
    let mut command = place.command(&["locate", "file.txt", "--old", OLD, "-v"]);
    let output = command.env("RUST_LOG", "fuzzy_core=debug").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("strategy=\"alignment\""), "{err}");
}
