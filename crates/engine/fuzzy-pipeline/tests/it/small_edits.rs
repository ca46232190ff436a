//! The ladder `adaptive` on small edits that are easily made wrong: what must land to the byte, and what must not.

use std::collections::BTreeMap;
use std::fmt::Write;

use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
use serde::Deserialize;

const EDITS: &str = include_str!("../../testdata/small_edits.toml");

/// How many edits of each kind there are at the least.
const LEAST: usize = 3;

/// An edit, and what must come of it: a refusal where no text is named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    /// What is wrong with the old text, or what a merge easily makes of it.
    kind: String,
    language: String,
    file: String,
    old: String,
    new: String,
    /// The whole file afterwards.
    lands: Option<String>,
    /// The only text that may land; a refusal is no mistake.
    lands_if_at_all: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edits {
    edit: Vec<Small>,
}

fn edits() -> Vec<Small> {
    toml::from_str::<Edits>(EDITS).unwrap_or_else(|error| panic!("{error}")).edit
}

#[test]
fn every_small_edit_ends_as_it_should() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let mut report = String::new();
    for Small { kind, language, file, old, new, lands, lands_if_at_all } in &edits() {
        let edit = Edit::new(old, new);
        let answer = edit.run(&pipeline, &Document::new(file.as_str())).map(|applied| applied.output);
        let is_right = match &answer {
            Ok(output) => lands.as_ref().or(lands_if_at_all.as_ref()) == Some(output),
            Err(_) => lands.is_none(),
        };
        if !is_right {
            let found = answer.unwrap_or_else(|failure| format!("{failure}\n"));
            let _ = writeln!(
                report,
                "=== {kind}, {language}\n--- file\n{file}--- old\n{old}\n--- new\n{new}\n--- ends as\n{found}"
            );
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn every_kind_has_several_edits() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for edit in edits() {
        assert!(edit.lands.is_none() || edit.lands_if_at_all.is_none(), "{edit:?}");
        *kinds.entry(edit.kind).or_default() += 1;
    }
    for (kind, count) in kinds {
        assert!(count >= LEAST, "{kind}: {count} of {LEAST}");
    }
}
