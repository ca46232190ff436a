//! Tables of edits through a ladder's public door, and what must come of them.

use fuzzy_pipeline::{Document, Edit, Failure, Judgement, Ladder, Pipeline};
use fuzzy_report::Code;

/// What must come of an edit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The strategy that found the place, and the whole new text.
    Applied(&'static str, String),
    /// How many places there are.
    Ambiguous(usize),
    /// Any other failure, by its code.
    Failed(&'static str),
}

/// Makes the answer of an edit that was applied.
pub(crate) fn applied(strategy: &'static str, output: &str) -> Answer {
    Answer::Applied(strategy, output.to_owned())
}

/// One line of a table: what it shows, the file, the needle, the replacement, and what must come of it.
pub(crate) type Row<'t> = (&'t str, &'t str, &'t str, &'t str, Answer);

/// Asserts each row, without `replace_all` and with line endings fitted.
pub(crate) fn assert_rows(ladder: &Ladder, rows: &[Row<'_>]) {
    assert_each(ladder, rows, false);
}

/// Asserts each row with `replace_all`.
pub(crate) fn assert_replace_all(ladder: &Ladder, rows: &[Row<'_>]) {
    assert_each(ladder, rows, true);
}

/// Asserts that an edit without sense is refused before anything is looked for.
pub(crate) fn assert_errors_come_in_order(ladder: &Ladder) {
    let rows = [
        ("nothing for nothing", "a b", "", "", Answer::Failed("identical")),
        ("identical, absent", "a b", "z", "z", Answer::Failed("identical")),
        ("identical, present", "a b", "a", "a", Answer::Failed("identical")),
        ("nothing to look for", "a b", "", "x", Answer::Failed("empty_old")),
        ("absent", "a b", "zzz", "x", Answer::Failed("not_found")),
    ];
    assert_each(ladder, &rows, false);
    assert_each(ladder, &rows, true);
}

fn assert_each(ladder: &Ladder, rows: &[Row<'_>], replace_all: bool) {
    for (name, file, needle, replacement, expected) in rows {
        let edit = Edit::new(needle, replacement).with_replace_all(replace_all);
        assert_eq!(&answer(ladder, file, edit), expected, "{name}: {needle:?} in {file:?}, all: {replace_all}");
    }
}

/// Makes an edit; every byte outside the replaced places must still be the file's.
fn answer(ladder: &Ladder, file: &str, edit: Edit<'_>) -> Answer {
    let pipeline = Pipeline::new(ladder.clone());
    let document = Document::new(file);
    let attempt = edit.attempt(&pipeline, &document);
    let judgement = attempt.decide();
    match judgement.apply() {
        Ok(applied) => {
            let (mut old, mut new) = (0, 0);
            for replaced in &applied.replaced {
                assert_eq!(file[old..replaced.before.start()], applied.output[new..replaced.after.start()]);
                (old, new) = (replaced.before.end(), replaced.after.end());
            }
            assert_eq!(file[old..], applied.output[new..]);
            assert_eq!(applied.found, judgement.found().expect("what was applied is located"));
            Answer::Applied(applied.found.strategy, applied.output)
        }
        Err(Failure::Ambiguous { .. }) => Answer::Ambiguous(count(&judgement, file)),
        Err(failure) => Answer::Failed(Code::from(&failure).as_str()),
    }
}

/// Returns the number of places of an ambiguous needle, each of which must lie in the file.
fn count(judgement: &Judgement<'_>, file: &str) -> usize {
    let places = judgement.places();
    assert_eq!(places.spans.len(), places.count.min(fuzzy_pipeline::report::REPORTED));
    assert!(places.spans.iter().all(|span| file.get(span.range()).is_some()));
    places.count
}
