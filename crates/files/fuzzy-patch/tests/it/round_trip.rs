//! A patch written in any format is read as the same patch; so is a diff of two texts by git's rules.

use fuzzy_patch::{Change, Edit, FilePatch, Format, FormatError, Hint, Patch, format, parse};
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

fn operation() -> impl Strategy<Value = FilePatch> {
    let blob = prop::option::weighted(0.2, Just("0123abc".to_owned()));
    let update = (prop::collection::vec(edit(), 0..4), prop::option::weighted(0.2, name()), blob)
        .prop_map(|(edits, to, blob)| Change::Update { edits, to, blob });
    let change = prop_oneof![
        4 => update,
        1 => text(0).prop_map(|text| Change::Create { text }),
        1 => prop::option::of(text(1)).prop_map(|text| Change::Delete { text }),
    ];
    let executable = prop::option::weighted(0.2, any::<bool>());
    (name(), change, executable).prop_map(|(file, change, executable)| FilePatch { file, line: 0, change, executable })
}

/// Makes an part without modes.
fn operation_on(file: &str, change: Change) -> FilePatch {
    FilePatch { file: file.to_owned(), line: 0, change, executable: None }
}

/// Returns an edit without the line information that only some formats have.
fn plain(edit: Edit) -> Edit {
    Edit { line: 0, marks: Vec::new(), hint: Hint { old_lines: None, ..edit.hint }, ..edit }
}

/// Returns the parts of `patch` without line numbers, one per edit, so that joined neighbours compare equal.
fn parts(patch: &Patch) -> Vec<FilePatch> {
    let mut parts = Vec::new();
    for FilePatch { file, change, executable, .. } in patch.files.clone() {
        let part = |change, executable| FilePatch { file: file.clone(), line: 0, change, executable };
        match change {
            Change::Update { edits, to: None, blob: None } if executable.is_none() => {
                let edits = edits.into_iter().map(|edit| vec![plain(edit)]);
                parts.extend(edits.map(|edits| part(Change::Update { edits, to: None, blob: None }, None)));
            }
            Change::Update { edits, to, blob } => {
                let edits = edits.into_iter().map(plain).collect();
                parts.push(part(Change::Update { edits, to, blob }, executable));
            }
            // A missing executable bit is the default, and only a diff of git writes it.
            change => parts.push(part(change, executable.filter(|executable| *executable))),
        }
    }
    parts
}

proptest! {
    #![proptest_config(texts::config_of(2048))]

    #[test]
    fn reads_its_own_output(files in prop::collection::vec(operation(), 1..4), index in 0..3_usize) {
        let patch = Patch { files };
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
        let change = Change::Update { edits: vec![edit], to: None, blob: None };
        let patch = Patch { files: vec![operation_on("src/a.rs", change)] };
        for kind in Format::ALL {
            match format(&patch, kind) {
                Ok(text) => prop_assert_eq!(parts(&parse(&text, None).unwrap()), parts(&patch)),
                Err(FormatError::LooksLikeMarks { .. }) => {
                    let Change::Update { edits, .. } = &patch.files[0].change else { unreachable!() };
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
        let [FilePatch { change: Change::Update { edits, .. }, .. }] = &patch.files[..] else {
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
    let change = Change::Update {
        edits: vec![Edit { old: "=======\n".to_owned(), new: ">>>>>>>> REPLACE\n".to_owned(), ..Edit::default() }],
        to: None,
        blob: None,
    };
    let patch = Patch { files: vec![operation_on("a.md", change)] };
    let text = format(&patch, Format::SearchReplace).unwrap();
    assert_eq!(text, "a.md\n<<<<<<<<<< SEARCH\n=======\n==========\n>>>>>>>> REPLACE\n>>>>>>>>>> REPLACE\n");
}

#[test]
fn names_the_part_that_a_format_cannot_express() {
    let patch = parse("*** Delete File: a.md\n", None).unwrap();
    let error = format(&patch, Format::SearchReplace).unwrap_err();
    assert_eq!(error.to_string(), "part 0: SearchReplace cannot express the deletion of a file");
}
