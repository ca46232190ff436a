//! An edit as a patch of one hunk gives the same text as by its two texts, or both are refused.

use fuzzy_pipeline::{Pipeline, ladder};
use fuzzy_plan::{Limits, Options, Texts};
use fuzzy_report::{FileEdit, Operation, Report};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// The mistake in the lines of an edit.
#[derive(Clone, Copy, Debug)]
enum Slip {
    None,
    /// The line numbers of a view are before all lines.
    Numbers,
    /// All quotes have a backslash.
    Escapes,
    /// The edit was made before.
    Made,
}

/// Applies one operation to a file; returns the new text, or none if it is refused.
fn applied(file: &str, operation: &[Operation]) -> Option<String> {
    let pipeline = Pipeline::new(ladder::adaptive());
    let mut texts = Texts::default().with("a", file);
    let reports = texts.apply(&Options::new(&pipeline, Limits::default()), operation);
    let new = texts.changes().find_map(|(_, text)| text.map(str::to_owned));
    matches!(reports[..], [Report::Success(_)]).then(|| new.unwrap_or_else(|| file.to_owned()))
}

/// Returns the results of an edit, by its lines with the marks of a patch, as a patch and as two texts.
fn both(file: &str, hunk: &[(char, String)]) -> [Option<String>; 2] {
    let lines = hunk.iter().map(|(mark, line)| format!("{mark}{line}")).collect::<Vec<_>>().join("\n");
    let patch = format!("*** Begin Patch\n*** Update File: a\n@@\n{lines}\n*** End Patch\n");
    let side = |without: char| {
        let lines = hunk.iter().filter(|(mark, _)| *mark != without);
        lines.map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    };
    let edit = FileEdit::new("a".as_ref(), side('+'), side('-'));
    let patch = fuzzy_patch::parse(&patch, None).unwrap().operations();
    [applied(file, &patch), applied(file, &[edit.into()])]
}

proptest! {
    #![proptest_config(texts::config_of(256))]

    #[test]
    fn a_hunk_and_an_edit_of_the_same_lines_have_one_result(
        sizes in prop::collection::vec(0_usize..1000, 8..16),
        start in 0_usize..4,
        count in 2_usize..5,
        at in 0_usize..4,
        change in 0_usize..3,
        slip in prop::sample::select(vec![Slip::None, Slip::Numbers, Slip::Escapes, Slip::Made]),
    ) {
        let line = |at: usize, size: usize| format!("    add_{}(\"part {at}\", {size});", ["a", "b", "c", "d"][at % 4]);
        let lines: Vec<String> = sizes.iter().enumerate().map(|(at, &size)| line(at, size)).collect();
        let file = format!("fn f() {{\n{}\n}}\n", lines.join("\n"));
        let at = start + at.min(count - 1);
        let mut hunk: Vec<(char, String)> = Vec::new();
        let mut result = lines.clone();
        for (number, text) in lines.iter().enumerate().skip(start).take(count) {
            let is_changed = number == at;
            hunk.push((if is_changed && change < 2 { '-' } else { ' ' }, text.clone()));
            if is_changed && change != 1 {
                hunk.push(('+', line(number, 2000)));
            }
        }
        match change {
            0 => result[at] = line(at, 2000),
            1 => drop(result.remove(at)),
            _ => result.insert(at + 1, line(at, 2000)),
        }
        let expected = format!("fn f() {{\n{}\n}}\n", result.join("\n"));
        for (number, (_, line)) in hunk.iter_mut().enumerate() {
            match slip {
                Slip::Numbers => *line = format!("{:>6}\t{line}", start + number + 2),
                Slip::Escapes => *line = line.replace('"', "\\\""),
                Slip::None | Slip::Made => {}
            }
        }
        let file = if matches!(slip, Slip::Made) { expected.clone() } else { file };
        let [patched, edited] = both(&file, &hunk);
        prop_assert_eq!(&patched, &edited);
        if matches!(slip, Slip::None) {
            prop_assert_eq!(patched, Some(expected));
        }
    }
}

#[test]
fn lines_without_context_land_below_the_only_line_that_the_hunk_names() {
    let file = "class A:\n    x = 1\n\nclass B:\n    y = 2\n";
    let patch = |hunk: &str| {
        let patch = format!("*** Begin Patch\n*** Update File: a\n{hunk}*** End Patch\n");
        applied(file, &fuzzy_patch::parse(&patch, None).unwrap().operations())
    };
    let expected = "class A:\n    x = 1\n\nclass B:\n    z = 3\n    y = 2\n";
    assert_eq!(patch("@@ class B:\n+    z = 3\n").as_deref(), Some(expected));
    assert_eq!(patch("@@ class C:\n+    z = 3\n"), None);
    // Already there.
    assert_eq!(patch("@@ class B:\n+    y = 2\n").as_deref(), Some(file));
}
