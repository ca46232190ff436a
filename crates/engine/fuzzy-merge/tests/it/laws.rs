//! The merge keeps the laws of the audit, or has a finding; that of words is kept by the audit alone.

use fuzzy_audit::{Broken, Equivalences, Landing, Law, audit};
use fuzzy_merge::{Kind, merge, take};
use fuzzy_testkit::small_edits::{Slipped, slipped};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Returns the law that the merge of an edit breaks, if it has no finding.
fn broken(edit: &Slipped) -> Option<Broken> {
    let file = edit.file();
    let region = edit.before.len()..edit.before.len() + edit.place.len();
    let merged = merge(&file, region, &edit.needle, &edit.new).ok()?;
    if !merged.findings.is_empty() {
        return None;
    }
    let place = &file[merged.span.clone()];
    let landing = Landing { place, needle: &edit.needle, new: &edit.new, result: &merged.text, ..Landing::default() };
    audit(&landing, Equivalences::between(place, &edit.needle)).err()
}

/// Fails where the merge breaks a law.
fn keeps(law: Law, edit: &Slipped) -> Result<(), TestCaseError> {
    match broken(edit) {
        Some(broken) if broken.law == law => Err(TestCaseError::fail(broken.to_string())),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn once(edit in slipped()) {
        keeps(Law::Duplicates, &edit)?;
    }

    #[test]
    fn delta(edit in slipped()) {
        keeps(Law::Delta, &edit)?;
    }

    #[test]
    fn shape(edit in slipped()) {
        keeps(Law::Shape, &edit)?;
    }

    #[test]
    fn depth(edit in slipped()) {
        keeps(Law::Depth, &edit)?;
    }

    #[test]
    fn a_conflict_has_whole_lines_of_the_file_and_of_the_merged_text(edit in slipped()) {
        let file = edit.file();
        let region = edit.before.len()..edit.before.len() + edit.place.len();
        let Ok(merged) = merge(&file, region.clone(), &edit.needle, &edit.new) else { return Ok(()) };
        let Ok(Some(taken)) = take(&file, region, &edit.needle, &edit.new) else { return Ok(()) };
        prop_assert!(merged.findings.iter().any(|finding| finding.rule.kind == Kind::Conflict));
        prop_assert_eq!(&taken.merged.span, &merged.span);
        let merged_lines: Vec<&str> = taken.merged.text.lines().collect();
        for conflict in &taken.conflicts {
            let (start, end) = (conflict.lines.start(), conflict.lines.end());
            prop_assert!(merged.span.start <= start && end <= merged.span.end, "{:?}", conflict);
            prop_assert!(start == 0 || file[..start].ends_with('\n') || start == end, "{:?}", conflict);
            prop_assert!(file[end..].is_empty() || file[end..].starts_with(['\r', '\n']) || start == end, "{:?}", conflict);
            prop_assert!(file.get(conflict.file.range()).is_some(), "{:?}", conflict);
            let lines: Vec<&str> = conflict.taken.lines().collect();
            prop_assert!(lines.is_empty() || merged_lines.windows(lines.len()).any(|window| window == lines), "{:?}", taken);
        }
    }

    #[test]
    fn ends(edit in slipped()) {
        keeps(Law::Ends, &edit)?;
    }
}
