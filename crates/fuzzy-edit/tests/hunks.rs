//! Hunks of patches: whole lines, and what a hint may and may not do.

mod support;

use std::fs;

use fuzzy_edit::{Editor, Limits, Report, Root, State, operations_of};
use fuzzy_pipeline::{Ladder, LadderError, Pipeline, ladder};

/// Carries a patch out on one file, `a.txt`; returns the file and the code of the first failure.
fn patched(ladder: Result<Ladder, LadderError>, text: &str, patch: &str) -> (String, Option<&'static str>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    fs::write(&file, text).unwrap();
    let root = Root::open(folder.path()).unwrap();
    let editor = Editor::new(Pipeline::new(ladder.unwrap()), Limits::default()).within(root);
    let editor = editor.with_state(State::at(support::STATE));
    let patch = fuzzy_patch::parse(patch, Some("a.txt")).unwrap();
    let reports = editor.plan_operations(&operations_of(&patch)).write();
    let code = reports.iter().find_map(|report| match report {
        Report::Failure(failure) => Some(failure.code.as_str()),
        Report::Success(_) => None,
    });
    (fs::read_to_string(file).unwrap(), code)
}

const TWICE: &str = "size = 1\nsize = 2\nsize = 1\n";

#[test]
fn a_line_number_chooses_between_equal_places() {
    for ladder in [ladder::conservative, ladder::adaptive] {
        let at = |line: usize| patched(ladder(), TWICE, &format!("@@ -{line} +{line} @@\n-size = 1\n+size = 5\n"));
        assert_eq!(at(1), ("size = 5\nsize = 2\nsize = 1\n".to_owned(), None));
        assert_eq!(at(3), ("size = 1\nsize = 2\nsize = 5\n".to_owned(), None));
        assert_eq!(at(2), (TWICE.to_owned(), Some("ambiguous")));
    }
}

#[test]
fn a_hint_is_not_heard_where_the_text_stands_once_or_nowhere() {
    for ladder in [ladder::conservative, ladder::adaptive] {
        let patch = "@@ -1 +1 @@ size = 1\n-size = 2\n+size = 5\n";
        assert_eq!(patched(ladder(), TWICE, patch), ("size = 1\nsize = 5\nsize = 1\n".to_owned(), None));
        let patch = "@@ -1 +1 @@\n-width of the frame\n+size = 5\n";
        assert_eq!(patched(ladder(), TWICE, patch), (TWICE.to_owned(), Some("not_found")));
    }
}

#[test]
fn lines_inside_of_lines_are_refused() {
    for ladder in [ladder::conservative, ladder::adaptive] {
        for (text, old) in [("max = 1\n", "x = 1"), ("let x = 1; // one\n", "x = 1;"), ("ab\nc\n", "b\nc")] {
            let patch = format!("@@ @@\n-{}\n+y\n", old.replace('\n', "\n-"));
            let (after, code) = patched(ladder(), text, &patch);
            assert_eq!(after, text);
            assert!(code.is_some(), "{text:?}");
        }
    }
}

#[test]
fn lines_that_two_hunks_keep_are_no_overlap() {
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let patch = "@@ @@\n one\n-two\n+zwei\n three\n@@ @@\n  three\n-four\n+vier\n five\n";
    assert_eq!(patched(ladder::adaptive(), text, patch), ("one\nzwei\nthree\nvier\nfive\n".to_owned(), None));
}

#[test]
fn lines_without_a_neighbour_go_where_the_blob_proves_the_numbers() {
    // Made by `git hash-object` of "one\ntwo\n".
    let patch = |blob: &str, line: usize| {
        format!(
            "diff --git a/a.txt b/a.txt\nindex {blob}..0000001 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -{line},0 +{},1 @@\n+new\n",
            line + 1
        )
    };
    let at = |blob: &str, line: usize| patched(ladder::conservative(), "one\ntwo\n", &patch(blob, line));
    assert_eq!(at("814f4a4", 0), ("new\none\ntwo\n".to_owned(), None));
    assert_eq!(at("814f4a422927b82f5f8a43f8fab6d3839e3983f2", 2), ("one\ntwo\nnew\n".to_owned(), None));
    for (blob, line) in [("814f4a4", 3), ("814f4a5", 1), ("814f4a", 1), ("0000000", 1)] {
        assert_eq!(at(blob, line), ("one\ntwo\n".to_owned(), Some("empty_needle")), "{blob} {line}");
    }
}
