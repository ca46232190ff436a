//! Whole edits that land or are made already, drawn. Those that a rule refuses are in `tests/rules`.

use fuzzy_testkit::assert_snapshot;
use serde::Deserialize;

use crate::drawing::Case;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

fn assert_all(toml: &str) {
    let cases: Cases = toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"));
    for case in cases.case {
        let outcome = case.draw();
        if let Some(rule) = outcome.rule {
            panic!("{}: refused edits belong in tests/rules/{rule}\n\n{}", case.name, outcome.drawing);
        }
        assert_snapshot!(case.snapshot(), outcome.drawing);
    }
}

#[test]
fn small_changes() {
    assert_all(include_str!("edits/small_changes.toml"));
}

#[test]
fn forgotten_lines() {
    assert_all(include_str!("edits/forgotten_lines.toml"));
}

#[test]
fn indentation() {
    assert_all(include_str!("edits/indentation.toml"));
}

#[test]
fn lines() {
    assert_all(include_str!("edits/lines.toml"));
}

#[test]
fn own_evidence() {
    assert_all(include_str!("edits/own_evidence.toml"));
}

#[test]
fn characters() {
    assert_all(include_str!("edits/characters.toml"));
}

#[test]
fn respelt() {
    assert_all(include_str!("edits/respelt.toml"));
}

#[test]
fn line_breaks() {
    assert_all(include_str!("edits/line_breaks.toml"));
}

#[test]
fn truncated() {
    assert_all(include_str!("edits/truncated.toml"));
}

#[test]
fn made_already() {
    assert_all(include_str!("edits/made_already.toml"));
}

#[test]
fn sequences() {
    assert_all(include_str!("edits/sequences.toml"));
}
