//! Plans: several edits succeed or fail together, a dry run reports the same as writing, and only the replaced places
//! change.

use std::fs;
use std::path::Path;
use std::time::Duration;

use fuzzy_edit::{Code, FileEdit, Limits, ListReport, Report, Session, State, Status, Workspace};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{Alone, Files, editor, failure, success};

#[test]
fn later_edits_see_the_results_of_earlier_ones() {
    let files = Files::new(&[("a", "one\ntwo\n")]);
    let edits = [files.edit("a", "one", "three\nfour"), files.edit("a", "four\ntwo", "five")];
    let reports = editor().applied(&edits);
    assert_eq!(files.text("a"), "three\nfive\n");
    assert_eq!(success(&reports[1]).lines_before.to_string(), "lines 2-3");
    assert_eq!(success(&reports[1]).lines_after.to_string(), "line 2");
    // The hash of the file on disk is the same for both.
    assert_eq!(success(&reports[0]).file_hash, success(&reports[1]).file_hash);
}

#[test]
#[cfg(unix)]
fn two_names_of_one_file_are_one_file() {
    let files = Files::new(&[("a", "one two")]);
    std::os::unix::fs::symlink("a", files.path("link")).unwrap();
    let dotted = files.path("./a");
    let edits = [files.edit("a", "one", "1"), files.edit("link", "two", "2"), FileEdit::new(&dotted, "1 2", "12")];
    let reports = editor().applied(&edits);
    assert!(reports.iter().all(|report| matches!(report, Report::Success(_))), "{reports:?}");
    assert_eq!(files.text("a"), "12");
}

#[test]
fn one_failure_and_nothing_is_written() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    let edits = [files.edit("a", "one", "1"), files.edit("b", "three", "3"), files.edit("b", "two", "2")];
    let reports = editor().applied(&edits);
    assert_eq!((files.text("a"), files.text("b")), ("one".to_owned(), "two".to_owned()));
    assert_eq!(success(&reports[0]).status, Status::NotWritten);
    assert_eq!(failure(&reports[1]).code, Code::NotFound);
    assert_eq!(success(&reports[2]).status, Status::NotWritten);
    let list = ListReport::from(reports);
    assert!(matches!(list, ListReport::Failure { failure, .. } if failure.code == Code::NotFound));
}

#[test]
fn a_file_that_cannot_be_read_fails_its_edits_only() {
    let files = Files::new(&[("a", "one")]);
    let edits = [files.edit("missing", "x", "y"), files.edit("a", "one", "1")];
    let reports = editor().applied(&edits);
    assert_eq!(failure(&reports[0]).code, Code::Missing);
    assert_eq!(success(&reports[1]).status, Status::NotWritten);
    assert_eq!(files.text("a"), "one");
}

#[test]
fn a_file_that_changed_after_the_plan_stops_all() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    let (editor, edits) = (editor(), [files.edit("a", "one", "1").into(), files.edit("b", "two", "2").into()]);
    let plan = editor.plan(&Session::default(), &edits);
    fs::write(files.path("b"), "2wo").unwrap();
    let reports = plan.write(&mut Session::default());
    assert_eq!(success(&reports[0]).status, Status::NotWritten);
    assert_eq!(failure(&reports[1]).code, Code::Stale);
    assert_eq!((files.text("a"), files.text("b")), ("one".to_owned(), "2wo".to_owned()));
}

#[test]
#[cfg(unix)]
fn an_edit_that_changes_nothing_leaves_the_file_alone() {
    let files = Files::new(&[("a", "a b\n")]);
    let inode = |files: &Files| std::os::unix::fs::MetadataExt::ino(&fs::metadata(files.path("a")).unwrap());
    let before = inode(&files);
    let reports = editor().applied(&[files.edit("a", "a  b", "a b")]);
    assert_eq!(success(&reports[0]).status, Status::Applied);
    assert!(!success(&reports[0]).changed);
    assert_eq!(success(&reports[0]).diff, "");
    assert_eq!(inode(&files), before);
}

#[test]
fn every_place_is_replaced_if_there_are_as_many_as_expected() {
    let files = Files::new(&[("a", "x = x + x;\n\nx\n")]);
    let all = |count| editor().applied(&[files.edit("a", "x", "yy").everywhere(count)]);
    let reports = all(Some(3));
    let failure = failure(&reports[0]);
    assert_eq!((failure.code, failure.details.count), (Code::CountMismatch, 4));
    assert_eq!(failure.details.ambiguous_at.len(), 4);
    assert_eq!(files.text("a"), "x = x + x;\n\nx\n");

    let reports = all(Some(4));
    assert_eq!(files.text("a"), "yy = yy + yy;\n\nyy\n");
    assert_eq!(success(&reports[0]).occurrences, 4);
    assert_eq!(success(&reports[0]).lines_before.to_string(), "lines 1-3");
}

#[test]
fn a_result_beyond_the_limit_is_never_made() {
    // Few enough to be found in time on a busy machine.
    const PLACES: usize = 1 << 18;
    let files = Files::new(&[("a", &"a".repeat(PLACES))]);
    let huge = "b".repeat(1 << 20);
    // A quarter of a terabyte.
    let reports = editor().applied(&[files.edit("a", "a", &huge).everywhere(None)]);
    assert_eq!(failure(&reports[0]).code, Code::TooLarge);
    let reports = editor().applied(&[files.edit("a", "a", "bb").everywhere(None)]);
    assert_eq!(success(&reports[0]).occurrences, PLACES);
    assert_eq!(files.text("a").len(), 2 * PLACES);
}

#[test]
fn requests_are_read_strictly() {
    let read = |json: &str| serde_json::from_str::<FileEdit>(json);
    let edit = read(r#"{"file_path":"a","old_string":"b","new_string":"c","replace_all":true}"#).unwrap();
    assert_eq!(edit, FileEdit::new(Path::new("a"), "b", "c").everywhere(None));
    assert!(read(r#"{"file_path":"a","old_string":"b"}"#).is_err());
    // A misspelt option must not be ignored.
    assert!(read(r#"{"file_path":"a","old_string":"b","new_string":"c","expect_hash":"d"}"#).is_err());
    let edit = read(r#"{"file_path":"a","old_string":"b","new_string":"c","expected_hash":"d"}"#).unwrap();
    assert_eq!(edit, FileEdit::new(Path::new("a"), "b", "c").expecting("d"));
}

proptest! {
    #![proptest_config(texts::config_of(64))]

    #[test]
    fn only_the_place_changes_and_a_dry_run_says_so(
        mark in "\u{feff}?",
        before in "[ab\t é\r\n\u{feff}]{0,30}",
        after in "[ab\t é\r\n]{0,30}",
        new in "[xy\u{2003} ]{0,5}",
    ) {
        let text = format!("{mark}{before}NEEDLE{after}");
        let files = Files::new(&[("a", &text)]);
        let edit = [files.edit("a", "NEEDLE", &new)];
        let dry = editor().shown(&edit);
        prop_assert_eq!(files.text("a"), text);
        let wet = editor().applied(&edit);
        prop_assert_eq!(files.text("a"), format!("{mark}{before}{new}{after}"));
        let (dry, wet) = (success(&dry[0]), success(&wet[0]));
        prop_assert_eq!((dry.status, wet.status), (Status::DryRun, Status::Applied));
        prop_assert_eq!(&dry.diff, &wet.diff);
        prop_assert_eq!((dry.strategy, dry.lines_before, dry.lines_after), (wet.strategy, wet.lines_before, wet.lines_after));
    }

    #[test]
    fn a_list_of_edits_equals_its_edits_one_by_one(
        text in "[ab \n]{5,40}",
        edits in prop::collection::vec(("[ab \n]{1,4}", "[abx\n]{0,3}"), 1..4),
    ) {
        let together = Files::new(&[("a", &text)]);
        let alone = Files::new(&[("a", &text)]);
        let list: Vec<FileEdit> = edits.iter().map(|(old, new)| together.edit("a", old, new)).collect();
        let reports = editor().applied(&list);
        let mut sound = true;
        for ((old, new), report) in edits.iter().zip(&reports) {
            let single = editor().applied(&[alone.edit("a", old, new)]);
            match (&single[0], report) {
                (Report::Success(one), Report::Success(other)) => prop_assert_eq!(&one.lines_after, &other.lines_after),
                (Report::Failure(one), Report::Failure(other)) => {
                    prop_assert_eq!(one.code, other.code);
                    sound = false;
                }
                _ => prop_assert!(false, "{:?} {:?}", single, report),
            }
        }
        prop_assert_eq!(together.text("a"), if sound { alone.text("a") } else { text });
    }
}

#[test]
fn a_request_that_takes_too_long_ends() {
    let files = Files::new(&[("a", "one\ntwo\nthree\n")]);
    let limits = Limits { timeout: Duration::ZERO, ..Limits::default() };
    let state = State::at(files.path("state"));
    let editor = editor().with_workspace(Workspace::new(limits).with_state(state));
    let reports = editor.applied(&[files.edit("a", "one", "1"), files.edit("a", "two", "2")]);
    // The first edit has a time limit of its own, which an exact match does not reach.
    assert_eq!(success(&reports[0]).status, Status::NotWritten);
    assert_eq!(failure(&reports[1]).code, Code::Timeout);
    assert!(failure(&reports[1]).message.contains("the operations before it (1)"), "{}", failure(&reports[1]));
    assert_eq!(files.text("a"), "one\ntwo\nthree\n");
}
