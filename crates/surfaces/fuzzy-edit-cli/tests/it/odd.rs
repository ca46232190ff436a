//! Unusual input: the command terminates, reports the problem, and changes nothing.

use std::fs;
use std::process::Stdio;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::Place;

/// Makes a place with `file.txt` and a named pipe without a writer.
fn with_pipe() -> Place {
    let place = Place::with("one\n");
    mknodat(CWD, place.path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    place
}

#[test]
fn no_verb_waits_for_the_other_end_of_a_pipe() {
    let place = with_pipe();
    let edit = ["--old", "one", "--new", "two"];
    for (arguments, code) in [
        (&["apply", "pipe", "--old", "one", "--new", "two"][..], "not_a_file"),
        (&["apply", "file.txt", "--old", "@pipe", "--new", "two"], "bad_input"),
        (&["apply", "--input", "pipe"], "bad_input"),
        (&["locate", "pipe", "--old", "one"], "not_a_file"),
        (&["explain", "pipe", "--old", "one"], "not_a_file"),
        (&["patch", "pipe"], "bad_input"),
        (&["replay", "pipe"], "bad_input"),
        (&["replay", "/dev/zero"], "bad_input"),
    ] {
        let answer = place.run(arguments);
        assert_eq!(answer.code, 2, "{arguments:?}: {answer:?}");
        assert!(answer.err.starts_with(&format!("fuzzy-edit: {code}: ")), "{arguments:?}: {answer:?}");
    }
    let answer = place.run(&[&["apply", "file.txt"][..], &edit, &["--log", "pipe"]].concat());
    assert!(answer.err.starts_with("fuzzy-edit: bad_input: --log: `pipe`: "), "{answer:?}");
    assert_eq!(place.text("file.txt"), "one\n");
}

#[test]
fn a_root_that_is_a_file_is_reported_as_such() {
    let answer = Place::with("one\n").run(&["undo", "--root", "file.txt"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.starts_with("fuzzy-edit: bad_input: --root: `file.txt`: Not a directory"), "{answer:?}");
}

#[test]
fn a_report_that_cannot_be_printed_fails_unless_the_edit_was_written() {
    let place = Place::with("one\n");
    for (verb, more, code) in
        [("locate", None, 2), ("explain", None, 2), ("apply", Some("--dry-run"), 2), ("apply", None, 0)]
    {
        let mut command = place.command(&[verb, "file.txt", "--old", "one", "--new", "two"]);
        command.args(more);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdin(Stdio::null()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{verb}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("fuzzy-edit: io: standard output: "), "{output:?}");
    }
    // The edit is written although its report cannot be printed.
    assert_eq!(place.text("file.txt"), "two\n");
}

#[test]
fn a_patch_of_a_hundred_thousand_hunks_ends() {
    const HUNKS: usize = 100_000;
    let lines = (0..HUNKS).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
    let place = Place::with(&lines);
    let hunk = |line: usize| format!("@@ -{0} +{0} @@\n-line {line}\n+row {line}\n", line + 1);
    let hunks = (0..HUNKS).map(hunk).collect::<Vec<_>>().concat();
    let patch = format!("--- a/file.txt\n+++ b/file.txt\n{hunks}");
    // The limit of the whole is that of thirty searches. Each search here takes a tenth of its limit.
    let answer = place.run_with(&["patch", "--timeout-ms", "200"], patch.as_bytes());
    assert_eq!(answer.code, 2, "{}", answer.err);
    let messages = answer.err.lines().collect::<Vec<_>>();
    assert!(answer.err.contains(": timeout: ") && answer.err.contains("Send fewer edits at a time"), "{}", answer.err);
    assert!(messages.len() < 30 && messages[messages.len() - 1].ends_with("so nothing was written"), "{}", answer.err);
    assert_eq!(place.text("file.txt"), lines);
}

#[test]
fn a_batch_of_more_files_than_may_be_open_is_written() {
    let place = Place::new();
    let names = (0..1500).map(|number| format!("{number}.txt"));
    let block = |name: String| format!("{name}\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n");
    let patch = names.clone().map(block).collect::<Vec<_>>().concat();
    place.write("patch", patch);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -S -n 256; exec \"$0\" patch patch", env!("CARGO_BIN_EXE_fuzzy-edit")]);
    let output = shell.current_dir(place.path("")).env("XDG_STATE_HOME", place.state()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(names.clone().all(|name| place.text(&name) == "new\n"));
}
