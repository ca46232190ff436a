//! Hunks of patches: whole lines, and the effect of hints.

use std::fs;

use fuzzy_edit::{Editor, Report, Root, State, Workspace};
use fuzzy_pipeline::{Ladder, Pipeline, ladder};
use fuzzy_plan::Texts;
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{self, Alone};

/// Applies a patch to the file `a.txt`, on the disk and in memory; returns the file and the code of the first failure.
fn patched(ladder: Ladder, text: &str, patch: &str) -> (String, Option<&'static str>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    fs::write(&file, text).unwrap();
    let root = Root::open(folder.path()).unwrap();
    let workspace = Workspace::default().within(root).with_state(State::at(support::STATE));
    let editor = Editor::new(workspace, Pipeline::new(ladder));
    let patch = fuzzy_patch::parse(patch, Some("a.txt")).unwrap();
    let operations = patch.operations();
    let code = code_of(&editor.applied(&operations));
    let after = fs::read_to_string(file).unwrap();

    let mut texts = Texts::default().with("a.txt", text);
    assert_eq!(code_of(&texts.apply(&editor.options(), &operations)), code);
    let in_memory = texts.changes().next().and_then(|(_, text)| text);
    assert_eq!(in_memory.unwrap_or(text), after);
    (after, code)
}

/// Returns the code of the first failure.
fn code_of(reports: &[Report]) -> Option<&'static str> {
    reports.iter().find_map(|report| match report {
        Report::Failure(failure) => Some(failure.code.as_str()),
        Report::Success(_) => None,
    })
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
fn a_hint_is_ignored_if_the_text_occurs_once_or_nowhere() {
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
    // The output of `git hash-object` for "one
    // two
    // ".
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
        assert_eq!(at(blob, line), ("one\ntwo\n".to_owned(), Some("empty_old")), "{blob} {line}");
    }
}

/// A changelog, with the entries of another version below.
const LIST: &str = "# News\n\n### Fixed\n\n* the first (#1)\n* the second (#2)\n\n## 1.0\n\n* all of it (#0)\n";

#[test]
fn an_entry_is_added_to_a_list_that_lacks_its_neighbour() {
    let patch = " * the first (#1)\n * the second (#2)\n * the third (#3)\n+* the fourth (#4)\n \n ## 1.0\n \n";
    let after = LIST.replace("(#2)\n", "(#2)\n* the fourth (#4)\n");
    // No empty line is added, and a second application changes nothing.
    for text in [LIST, &after] {
        let landed = patched(ladder::adaptive(), text, &format!("@@ -6,6 +6,7 @@\n{patch}"));
        assert_eq!(landed, (after.clone(), None));
    }
    let without = |mark: &str| {
        let lines = patch.split_inclusive('\n').filter(|line| !line.starts_with(mark));
        lines.map(|line| &line[1..]).collect::<String>()
    };
    let block = format!("<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n", without("+"), without("-"));
    assert_eq!(patched(ladder::adaptive(), LIST, &block), (after, None));
    // A strict ladder requires all context lines.
    assert_eq!(patched(ladder::conservative(), LIST, &format!("@@ @@\n{patch}")).0, LIST);
}

#[test]
fn lines_beyond_the_neighbours_of_a_change_may_be_missing() {
    let text = "intro\n\nalpha = 1\nbeta = 2\n\nend\n";
    let after = text.replace("beta = 2", "beta = 3");
    let patch = "@@ @@\n another intro\n \n alpha = 1\n-beta = 2\n+beta = 3\n \n the very end of it all\n";
    assert_eq!(patched(ladder::adaptive(), text, patch), (after.clone(), None));
    assert_eq!(patched(ladder::adaptive(), &after, patch), (after, None));
}

#[test]
fn no_line_is_added_beside_an_uncertain_place() {
    let refused = |text: &str, patch: &str| {
        let (after, code) = patched(ladder::adaptive(), text, &format!("@@ @@\n{patch}"));
        assert_eq!(after, text, "{patch}");
        assert!(code.is_some(), "{patch}");
    };
    // The remaining context occurs twice, once with no unique line.
    let twice = format!("{LIST}\n* the first (#1)\n* the second (#2)\n\n## 1.0\n");
    refused(&twice, " * the first (#1)\n * the second (#2)\n * the third (#3)\n+* the fourth (#4)\n \n ## 1.0\n");
    refused("}\n\n{\n}\n{\n", " the start\n }\n \n+more();\n {\n the end\n");
    // The line that opens the block is missing, and its lines occur in another block.
    let other = "def other():\n    setup_all()\n    return total\n";
    let other_block =
        " def total(values, start):\n     \"\"\"Adds up what was given.\"\"\"\n     seen.update(values)\n";
    refused(other, &format!("{other_block}     setup_all()\n+    check(values)\n     return total\n"));
    // No context above the change remains.
    refused("end of the list\n\n", " * the third (#3)\n+* the fourth (#4)\n end of the list\n \n");
}

/// A file of different lines and some frequent ones.
fn file_lines() -> impl Strategy<Value = Vec<String>> {
    let line = (0..400_usize, 0..8_usize).prop_map(|(number, kind)| match kind {
        0 => String::new(),
        1 => "}".to_owned(),
        _ => format!("{}call_number_{number}();", "    ".repeat(kind % 3)),
    });
    prop::collection::vec(line, 8..40)
}

/// Returns a diff of one hunk with up to three lines of context, as git writes it; `left_out` omits one of these.
fn diff_of(lines: &[String], at: usize, gone: usize, new: &[String], left_out: Option<usize>) -> String {
    let (start, end) = (at.saturating_sub(3), (at + gone + 3).min(lines.len()));
    let count = end - start;
    let mut body: Vec<(char, &str)> = lines[start..at].iter().map(|line| (' ', line.as_str())).collect();
    body.extend(lines[at..at + gone].iter().map(|line| ('-', line.as_str())));
    body.extend(new.iter().map(|line| ('+', line.as_str())));
    body.extend(lines[at + gone..end].iter().map(|line| (' ', line.as_str())));
    if let Some(index) = left_out {
        let kept: Vec<usize> = (0..body.len()).filter(|at| body[*at].0 == ' ').collect();
        if kept.len() > 1 {
            body.remove(kept[index % kept.len()]);
        }
    }
    let body = body.iter().fold(String::new(), |text, (mark, line)| text + &format!("{mark}{line}\n"));
    let new_count = count - gone + new.len();
    format!("--- a/a.txt\n+++ b/a.txt\n@@ -{},{count} +{},{new_count} @@\n{body}", start + 1, start + 1)
}

fn joined(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

proptest! {
    #![proptest_config(texts::config_of(256))]

    /// A hunk with correct line numbers lands there, in any file.
    #[test]
    fn a_right_hunk_lands(
        lines in file_lines(),
        at in any::<prop::sample::Index>(),
        gone in 0..3_usize,
        count in 1..4_usize,
    ) {
        let at = at.index(lines.len() - 3);
        let new: Vec<String> = (0..count).map(|number| format!("    fresh_{number}();")).collect();
        let mut after = lines.clone();
        after.splice(at..at + gone, new.iter().cloned());
        let patch = diff_of(&lines, at, gone, &new, None);
        let (made, code) = patched(ladder::adaptive(), &joined(&lines), &patch);
        prop_assert_eq!((made, code), (joined(&after), None), "{}", &patch);
        // A second application changes nothing.
        let (again, code) = patched(ladder::adaptive(), &joined(&after), &patch);
        prop_assert_eq!((again, code), (joined(&after), None), "{}", patch);
    }

    /// A hunk without one of its context lines lands at the same place or is rejected: no other line moves or
    /// disappears.
    #[test]
    fn a_hunk_that_leaves_out_a_line_lands_or_is_refused(
        lines in file_lines(),
        at in any::<prop::sample::Index>(),
        gone in 0..3_usize,
        left_out in 0..6_usize,
    ) {
        let at = at.index(lines.len() - 3);
        let new = vec!["    fresh();".to_owned()];
        let mut after = lines.clone();
        after.splice(at..at + gone, new.iter().cloned());
        let patch = diff_of(&lines, at, gone, &new, Some(left_out));
        let (made, code) = patched(ladder::adaptive(), &joined(&lines), &patch);
        let expected = if code.is_none() { joined(&after) } else { joined(&lines) };
        prop_assert_eq!(made, expected, "{:?} {}", code, patch);
    }
}
