//! A patch written in any format is read as the same patch; so is a diff of two texts by git's rules.

use fuzzy_patch::{Action, Edit, Format, FormatError, Hint, Operation, Patch, format, parse};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Lines that look like the marks of some format, and plain ones.
const LINES: &[&str] = &[
    "a",
    "b",
    "    indented",
    "\ttab",
    "",
    " ",
    "-",
    "+",
    "x\r",
    "=======",
    "=====",
    "========",
    "<<<<<<< SEARCH",
    "<<<<< ORIGINAL",
    ">>>>>>> REPLACE",
    ">>>>>>>",
    "------- SEARCH",
    "+++++++ REPLACE",
    ":start_line:3",
    "-------",
    "@@ -1,2 +1,2 @@",
    "@@",
    "-- a/x",
    "++ b/x",
    "--- a/x",
    "+++ b/x",
    "-- ",
    "- ",
    "2.39.1",
    "diff --git a/x b/x",
    "*** Begin Patch",
    "*** End Patch",
    "*** Update File: x",
    "*** End of File",
    "\\ No newline at end of file",
    "```",
    "~~~",
    "`f`.rs",
    "src/a.rs",
    "ü \u{1f600}",
];

fn text(least: usize) -> impl Strategy<Value = String> {
    (prop::collection::vec(prop::sample::select(LINES), least..6), prop::bool::weighted(0.9)).prop_map(
        |(lines, ended)| {
            let mut text = lines.join("\n");
            if ended && !lines.is_empty() {
                text.push('\n');
            }
            text
        },
    )
}

fn hint() -> impl Strategy<Value = Hint> {
    let anchors = prop::collection::vec(prop::sample::select(vec!["class A", "def f(a, b):", "fn x() {"]), 0..3);
    let some = (prop::option::of(1_usize..2000), anchors, any::<bool>()).prop_map(|(line, anchors, at_end)| Hint {
        line,
        anchors: anchors.into_iter().map(str::to_owned).collect(),
        at_end,
        old_lines: None,
    });
    prop_oneof![2 => Just(Hint::default()), 1 => some]
}

fn edit() -> impl Strategy<Value = Edit> {
    (text(0), text(0), hint()).prop_map(|(old, new, hint)| Edit { old, new, hint, ..Edit::default() })
}

fn name() -> impl Strategy<Value = String> {
    let names =
        ["a.rs", "src/b.py", "Makefile", "a/b.txt", "with blank.md", "naïve\"q.txt", "b/a", "x 2024-01-01 10:00"];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

fn operation() -> impl Strategy<Value = Operation> {
    let blob = prop::option::weighted(0.2, Just("0123abc".to_owned()));
    let update = (prop::collection::vec(edit(), 0..4), prop::option::weighted(0.2, name()), blob)
        .prop_map(|(edits, to, blob)| Action::Update { edits, to, blob });
    let action = prop_oneof![
        4 => update,
        1 => text(0).prop_map(|text| Action::Create { text }),
        1 => prop::option::of(text(1)).prop_map(|text| Action::Delete { text }),
    ];
    let executable = prop::option::weighted(0.2, any::<bool>());
    (name(), action, executable).prop_map(|(file, action, executable)| Operation { file, line: 0, action, executable })
}

/// Makes an operation without modes.
fn operation_on(file: &str, action: Action) -> Operation {
    Operation { file: file.to_owned(), line: 0, action, executable: None }
}

/// Returns an edit without the line information that only some formats have.
fn plain(edit: Edit) -> Edit {
    Edit { line: 0, marks: Vec::new(), hint: Hint { old_lines: None, ..edit.hint }, ..edit }
}

/// Returns the operations of `patch` without line numbers, one per edit, so that joined neighbours compare equal.
fn parts(patch: &Patch) -> Vec<Operation> {
    let mut parts = Vec::new();
    for Operation { file, action, executable, .. } in patch.operations.clone() {
        let part = |action, executable| Operation { file: file.clone(), line: 0, action, executable };
        match action {
            Action::Update { edits, to: None, blob: None } if executable.is_none() => {
                let edits = edits.into_iter().map(|edit| vec![plain(edit)]);
                parts.extend(edits.map(|edits| part(Action::Update { edits, to: None, blob: None }, None)));
            }
            Action::Update { edits, to, blob } => {
                let edits = edits.into_iter().map(plain).collect();
                parts.push(part(Action::Update { edits, to, blob }, executable));
            }
            // A missing executable bit is the default, and only a diff of git writes it.
            action => parts.push(part(action, executable.filter(|executable| *executable))),
        }
    }
    parts
}

proptest! {
    #![proptest_config(texts::config_of(2048))]

    #[test]
    fn reads_its_own_output(operations in prop::collection::vec(operation(), 1..4), index in 0..3_usize) {
        let patch = Patch { operations };
        match format(&patch, Format::ALL[index]) {
            Ok(text) => prop_assert_eq!(parts(&parse(&text, None).unwrap()), parts(&patch), "{}", text),
            Err(FormatError::Inexpressible { .. } | FormatError::LooksLikeMarks { .. }) => {}
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    /// Every format can express an edit of whole lines without hints, with any lines.
    #[test]
    fn writes_every_edit_of_lines(old in text(1), new in text(0)) {
        prop_assume!(!old.trim().is_empty() && old.ends_with('\n') && (new.is_empty() || new.ends_with('\n')));
        let edit = Edit { old, new, ..Edit::default() };
        let action = Action::Update { edits: vec![edit], to: None, blob: None };
        let patch = Patch { operations: vec![operation_on("src/a.rs", action)] };
        for kind in Format::ALL {
            match format(&patch, kind) {
                Ok(text) => prop_assert_eq!(parts(&parse(&text, None).unwrap()), parts(&patch)),
                Err(FormatError::LooksLikeMarks { .. }) => {
                    let Action::Update { edits, .. } = &patch.operations[0].action else { unreachable!() };
                    prop_assert!(looks_like_marks(&edits[0], kind), "{kind:?} {:?}", edits[0]);
                }
                Err(error) => prop_assert!(false, "{kind:?}: {error}"),
            }
        }
    }

    /// The hunks of a diff of two texts, applied at their line numbers, turn the first text into the second.
    #[test]
    fn agrees_with_a_diff(old in text(0), new in text(0), radius in 0..3_usize) {
        // That library treats a lone `\r` as a line ending.
        prop_assume!(old != new && !old.ends_with('\r') && !new.ends_with('\r'));
        let diff = similar::TextDiff::from_lines(old.as_str(), new.as_str());
        let mut unified = diff.unified_diff();
        let text = unified.context_radius(radius).header("a/x.txt", "b/x.txt").to_string();
        // Such removed and added lines read as the names of another file.
        prop_assume!(!text.contains("\n--- a/x\n+++ b/x\n@@"));
        // A library for diffs does not know the end of a mail; git has the same problem with such a line.
        prop_assume!(!text.contains("\n-- \n+2") && !text.contains("-- \n2"));
        let patch = parse(&text, None).unwrap();
        let [Operation { action: Action::Update { edits, .. }, .. }] = &patch.operations[..] else {
            panic!("one file: {text}")
        };
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let mut made = String::new();
        let mut at = 0;
        for edit in edits {
            let first = edit.hint.line.unwrap() - 1;
            made.extend(lines[at..first].iter().copied());
            let count = edit.old.split_inclusive('\n').count();
            prop_assert_eq!(lines[first..first + count].concat(), edit.old.clone(), "{}", text);
            made.push_str(&edit.new);
            at = first + count;
        }
        made.extend(lines[at..].iter().copied());
        prop_assert_eq!(made, new, "{}", text);
    }
}

/// Returns whether this is one of the few texts that a format cannot distinguish from its marks.
fn looks_like_marks(edit: &Edit, format: Format) -> bool {
    match format {
        Format::SearchReplace => edit.old.starts_with(":start_line:3\n-------\n"),
        // Removed and added lines that look like the names of the next file.
        Format::Unified => edit.old.contains("-- a/x\n") && edit.new.contains("++ b/x\n"),
        Format::Envelope => false,
    }
}

#[test]
fn chooses_longer_markers_where_the_text_has_them() {
    let action = Action::Update {
        edits: vec![Edit { old: "=======\n".to_owned(), new: ">>>>>>>> REPLACE\n".to_owned(), ..Edit::default() }],
        to: None,
        blob: None,
    };
    let patch = Patch { operations: vec![operation_on("a.md", action)] };
    let text = format(&patch, Format::SearchReplace).unwrap();
    assert_eq!(text, "a.md\n<<<<<<<<<< SEARCH\n=======\n==========\n>>>>>>>> REPLACE\n>>>>>>>>>> REPLACE\n");
}

#[test]
fn names_the_part_that_a_format_cannot_express() {
    let patch = parse("*** Delete File: a.md\n", None).unwrap();
    let error = format(&patch, Format::SearchReplace).unwrap_err();
    assert_eq!(error.to_string(), "operation 0: SearchReplace cannot express the deletion of a file");
}
