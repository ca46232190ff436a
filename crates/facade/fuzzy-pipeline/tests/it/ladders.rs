//! The ladders that are lists of strategies, on the edits of `testdata/ladders.toml`.

use std::collections::BTreeMap;

use fuzzy_pipeline::{Document, Edit, Failure, Judgement, Pipeline, ladder};
use fuzzy_report::Code;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    file: String,
    old: String,
    new: String,
    /// Whether every place is replaced.
    #[serde(default)]
    all: bool,
    #[serde(flatten)]
    answer: Answer,
}

/// The outcome of an edit.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Answer {
    /// The strategy that found the place, and the whole new text.
    Applied { by: String, gives: String },
    /// The number of places.
    Ambiguous { places: usize },
    /// Any other failure, by its code.
    Failed { code: String },
}

/// The rows by ladder, subject and name; those of the ladder `every` hold for each one.
type Tables = BTreeMap<String, BTreeMap<String, BTreeMap<String, Row>>>;

#[test]
fn every_edit_ends_as_its_row_says() {
    let tables: Tables = toml::from_str(include_str!("../../testdata/ladders.toml")).expect("TOML");
    for name in ladder::names().filter(|name| tables.contains_key(*name)) {
        let pipeline = Pipeline::new(ladder::named(name).expect("a ladder"));
        for (subject, rows) in tables[name].iter().chain(&tables["every"]) {
            for (row, Row { file, old, new, all, answer: expected }) in rows {
                let edit = Edit::new(old, new).with_replace_all(*all);
                assert_eq!(&answer(&pipeline, file, edit), expected, "{name}, {subject}: {row}");
            }
        }
    }
}

/// Makes an edit; every byte outside the replaced places must still be the file's.
fn answer(pipeline: &Pipeline, file: &str, edit: Edit<'_>) -> Answer {
    let document = Document::new(file);
    let attempt = edit.attempt(pipeline, &document);
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
            Answer::Applied { by: applied.found.strategy.to_owned(), gives: applied.output }
        }
        Err(Failure::Ambiguous { .. }) => Answer::Ambiguous { places: count(&judgement, file) },
        Err(failure) => Answer::Failed { code: Code::from(&failure).as_str().to_owned() },
    }
}

/// Returns the number of places of an ambiguous needle, each of which must lie in the file.
fn count(judgement: &Judgement<'_>, file: &str) -> usize {
    let places = judgement.places();
    assert_eq!(places.spans.len(), places.count.min(fuzzy_pipeline::report::REPORTED));
    assert!(places.spans.iter().all(|span| file.get(span.range()).is_some()));
    places.count
}
