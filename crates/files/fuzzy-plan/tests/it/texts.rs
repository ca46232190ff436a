//! Operations on files in memory: all or none, each on the results of the earlier ones.

use std::sync::atomic::AtomicBool;

use fuzzy_pipeline::{Pipeline, ladder};
use fuzzy_plan::{Limits, Options, Texts};
use fuzzy_report::{Code, FileEdit, Operation, Report, Status};

/// Applies a patch; returns the reports and the changes.
fn patched(texts: &mut Texts, patch: &str) -> (Vec<Report>, Vec<(String, Option<String>)>) {
    let pipeline = Pipeline::new(ladder::adaptive());
    let operations = fuzzy_patch::parse(patch, None).unwrap().operations();
    let reports = texts.apply(&Options::new(&pipeline, Limits::default()), &operations);
    let owned = |text: &str| text.to_owned();
    (reports, texts.changes().map(|(path, text)| (path.display().to_string(), text.map(owned))).collect())
}

/// Returns the codes of the failures and the statuses of the successes.
fn words(reports: &[Report]) -> Vec<String> {
    let word = |report: &Report| match report {
        Report::Success(success) => format!("{:?}", success.status),
        Report::Failure(failure) => failure.code.to_string(),
    };
    reports.iter().map(word).collect()
}

#[test]
fn a_patch_edits_creates_removes_and_moves() {
    let mut texts = Texts::default().with("a", "one\ntwo\n").with("b", "gone\n").with("c", "kept\n");
    let patch = "*** Begin Patch\n*** Update File: a\n*** Move to: d/a\n@@\n-two\n+2\n*** Delete File: b\n\
                 *** Add File: e\n+new\n*** End Patch\n";
    let (reports, changes) = patched(&mut texts, patch);
    assert_eq!(words(&reports), ["Applied"; 4]);
    let change = |path: &str, text: Option<&str>| (path.to_owned(), text.map(str::to_owned));
    let expected = [change("a", None), change("b", None), change("d/a", Some("one\n2\n")), change("e", Some("new\n"))];
    assert_eq!(changes, expected);
}

#[test]
fn new_lines_at_an_open_end_get_the_line_ending_of_the_file() {
    for (file, patch, expected) in [
        ("1\r\n2\r\n3", "--- a/f\n+++ b/f\n@@ -2,2 +2,3 @@\n 2\n-3\n+4\n+5\n", "1\r\n2\r\n4\r\n5"),
        ("1\r\n2", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n-2\n+3\n+4\n", "3\r\n4"),
        ("1\r\n2", "*** Begin Patch\n*** Update File: f\n@@\n 1\n 2\n+3\n+4\n*** End Patch\n", "1\r\n2\r\n3\r\n4"),
        ("1\n2", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n 1\n-2\n+3\n+4\n", "1\n3\n4"),
    ] {
        let (_, changes) = patched(&mut Texts::default().with("f", file), patch);
        assert_eq!(changes, [("f".to_owned(), Some(expected.to_owned()))], "{patch}");
    }
}

#[test]
fn files_change_names_among_each_other() {
    let mut texts = Texts::default().with("a", "one\n").with("b", "two\n").with("c", "three\n");
    let moved = |from: &str, to: &str| format!("diff --git a/{from} b/{to}\nrename from {from}\nrename to {to}\n");
    let patch = moved("a", "b") + "--- a/a\n+++ b/b\n@@ -1 +1 @@\n-one\n+1\n" + &moved("b", "a") + &moved("c", "d");
    let (reports, changes) = patched(&mut texts, &patch);
    assert_eq!(words(&reports), ["Applied"; 4]);
    let change = |path: &str, text: Option<&str>| (path.to_owned(), text.map(str::to_owned));
    let expected =
        [change("a", Some("two\n")), change("b", Some("1\n")), change("c", None), change("d", Some("three\n"))];
    assert_eq!(changes, expected);
}

#[test]
fn a_cancelled_hunk_changes_nothing() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let cancelled = AtomicBool::new(true);
    let options = Options { cancelled: Some(&cancelled), ..Options::new(&pipeline, Limits::default()) };
    let patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    let mut texts = Texts::default().with("a", "one\ntwo\n");
    let reports = texts.apply(&options, &fuzzy_patch::parse(patch, None).unwrap().operations());
    assert_eq!(words(&reports), ["timeout"]);
    assert_eq!(texts.changes().count(), 0);
}

#[test]
fn lines_that_occur_as_they_are_once_have_no_other_place() {
    let mut texts = Texts::default().with("a", "first of two\nold text\n\nfirst of two\nold text \n");
    let patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n first of two\n-old text\n+new text\n";
    let (reports, changes) = patched(&mut texts, patch);
    assert_eq!(changes[0].1.as_deref(), Some("first of two\nnew text\n\nfirst of two\nold text \n"));
    let [Report::Success(success)] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(success.note, None);
}

#[test]
fn a_refused_hunk_names_its_rule() {
    let text = "size = 1\nport = 9000\nsize = 1\n";
    for (patch, code, rule) in [
        ("@@ @@\n-size = 1\n+size = 5\n", Code::Ambiguous, Some("several-places")),
        ("@@ @@\n-width of the frame\n+size = 5\n", Code::NotFound, Some("not-found")),
        ("@@ @@\n size = 1\n-port = 8080\n+port = 8081\n", Code::Conflict, Some("different-value")),
        // The rules of patches have no names.
        ("@@ @@\n+size = 5\n", Code::EmptyOld, None),
    ] {
        let mut texts = Texts::default().with("a", text);
        let (reports, _) = patched(&mut texts, &format!("--- a/a\n+++ b/a\n{patch}"));
        let [Report::Failure(failure)] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!((failure.code, failure.details.rule), (code, rule), "{patch}");
    }
}

#[test]
fn kept_and_removed_lines_may_differ_in_characters_that_look_alike() {
    let text = "import asyncio  # local import \u{2013} avoids a top\u{2011}level one\n\ndef main():\n\u{a0}   \
                say(\u{201c}it\u{2019}s done\u{201d})\n    stop()\n";
    for (patch, new) in [
        // Only the changed part of the line.
        (
            "--- a/a.txt\n+++ b/a.txt\n@@\n-import asyncio  # local import - avoids a top-level one\n+import asyncio  # new - one\n",
            text.replace("local import \u{2013} avoids a top\u{2011}level one", "new - one"),
        ),
        // The added line is as given, and the context line is unchanged.
        (
            "--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@\n     say(\"it's done\")\n-    stop()\n+    stop(\"now\")\n",
            text.replace("stop()", "stop(\"now\")"),
        ),
        // A changed line keeps the file's quotes, like an edit of the same texts.
        (
            "*** Begin Patch\n*** Update File: a.txt\n@@ def main():\n-    say(\"it's done\")\n+    say(\"it's over\")\n     \
             stop()\n*** End Patch\n",
            text.replace("done", "over"),
        ),
        (
            "a.txt\n<<<<<<< SEARCH\n    say(\"it's done\")\n    stop()\n=======\n    say(\"it's done\")\n    stop(\"now\")\n\
             >>>>>>> REPLACE\n",
            text.replace("stop()", "stop(\"now\")"),
        ),
    ] {
        let (reports, changes) = patched(&mut Texts::default().with("a.txt", text), patch);
        assert_eq!(words(&reports), ["Applied"], "{patch}: {reports:?}");
        assert_eq!(changes, [("a.txt".to_owned(), Some(new))], "{patch}");
    }
}

#[test]
fn empty_files_are_written_and_made() {
    let block = |old: &str, new: &str| format!("a.txt\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n");
    let added = |lines: &str| format!("*** Begin Patch\n*** Add File: a.txt\n{lines}*** End Patch\n");
    for (before, patch, word, after) in [
        (None, block("", ""), "Applied", Some("")),
        (None, added(""), "Applied", Some("")),
        (Some(""), block("", "one\n"), "Applied", Some("one\n")),
        (Some(""), added("+one\n"), "Applied", Some("one\n")),
        (Some(""), block("", ""), "AlreadyApplied", None),
        (Some("one\n"), block("one\n", ""), "Applied", Some("")),
        (Some("one\n"), block("", "two\n"), "exists", None),
        (Some("\n"), block("", "two\n"), "exists", None),
    ] {
        let mut texts = before.map_or_else(Texts::default, |text| Texts::default().with("a.txt", text));
        let (reports, changes) = patched(&mut texts, &patch);
        assert_eq!(words(&reports), [word], "{before:?} {patch}: {reports:?}");
        let expected: Vec<_> = after.map(|text| ("a.txt".to_owned(), Some(text.to_owned()))).into_iter().collect();
        assert_eq!(changes, expected, "{before:?} {patch}");
    }
}

#[test]
fn texts_have_no_modes_but_report_the_requested_ones() {
    let mut texts = Texts::default().with("a", "one\n").with("b", "two\n");
    let mode = "old mode 100644\nnew mode 100755\n";
    let patch = format!(
        "diff --git a/a b/c\n{mode}rename from a\nrename to c\ndiff --git a/b b/b\n{mode}--- a/b\n+++ b/b\n@@ -1 +1 \
         @@\n-two\n+2\n"
    );
    let (reports, changes) = patched(&mut texts, &patch);
    assert_eq!(words(&reports), ["Applied"; 4]);
    assert_eq!(changes.len(), 3);
    assert_eq!(texts.modes().collect::<Vec<_>>(), [("b".as_ref(), true), ("c".as_ref(), true)]);
    let Report::Success(success) = &reports[1] else { panic!("{reports:?}") };
    assert_eq!(success.diff, "diff --git c c\nold mode 100644\nnew mode 100755\n");
    assert!(success.note.as_deref().is_some_and(|note| note.contains("a text in memory has no mode")), "{success:?}");
}

#[test]
fn one_that_fails_keeps_all_from_being_made() {
    let mut texts = Texts::default().with("a", "one\ntwo\n");
    let (reports, changes) =
        patched(&mut texts, "--- a/a\n+++ b/a\n@@ -2 +2 @@\n-two\n+2\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n");
    assert_eq!(words(&reports), ["NotWritten", "missing"]);
    assert_eq!(changes, []);
    // Nothing is left that a second attempt could match.
    let (reports, _) = patched(&mut texts, "--- a/a\n+++ b/a\n@@ -2 +2 @@\n-two\n+2\n");
    assert_eq!(words(&reports), ["Applied"]);
}

#[test]
fn a_byte_order_mark_remains_first() {
    let mut texts = Texts::default().with("a", "\u{feff}one\r\ntwo\r\n");
    let (_, changes) = patched(&mut texts, "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+1\n");
    assert_eq!(changes, [("a".to_owned(), Some("\u{feff}1\r\ntwo\r\n".to_owned()))]);
}

#[test]
fn a_text_that_is_too_large_is_not_made() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let limits = Limits { max_bytes: 8, ..Limits::default() };
    let mut texts = Texts::default().with("a", "one two");
    let create = Operation::Create { path: "b".into(), text: "123456789".to_owned(), executable: None };
    for operation in [FileEdit::new("a".as_ref(), "two", "three").into(), create] {
        let reports = texts.apply(&Options::new(&pipeline, limits), &[operation]);
        let Report::Failure(failure) = &reports[0] else { panic!("{reports:?}") };
        assert_eq!(failure.code, Code::TooLarge);
        assert_eq!(texts.changes().count(), 0);
    }
}

#[test]
fn later_operations_see_the_results_of_earlier_ones() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let options = Options::new(&pipeline, Limits::default());
    let path = "a".as_ref();
    let mut texts = Texts::default().with("a", "one\n");
    let edits = [FileEdit::new(path, "one", "two").into(), FileEdit::new(path, "two", "three").into()];
    let reports = texts.apply(&options, &edits);
    assert!(reports.iter().all(|report| matches!(report, Report::Success(done) if done.status == Status::Applied)));
    assert_eq!(texts.changes().collect::<Vec<_>>(), [(path, Some("three\n"))]);
}
