//! Whole edits that land or are made already, drawn. Those that a rule refuses are in `tests/rules`.

use fuzzy_testkit::assert_snapshot;
use serde::Deserialize;

use crate::drawing::{Case, draw_all};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// Draws the cases of a file in one snapshot, which has the name of the file.
fn assert_all(name: &str, toml: &str) {
    let cases: Cases = toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"));
    let outcomes: Vec<_> = cases.case.into_iter().map(Case::drawn).collect();
    for (case, outcome) in &outcomes {
        if let Some(rule) = outcome.rule {
            panic!("{}: refused edits belong in tests/rules/{rule}\n\n{}", case.name, outcome.drawing);
        }
    }
    assert_snapshot!(name, draw_all(&outcomes));
}

macro_rules! edits {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                assert_all(stringify!($name), include_str!(concat!("edits/", stringify!($name), ".toml")));
            }
        )*
    };
}

edits!(
    small,
    small_changes,
    forgotten_lines,
    indentation,
    lines,
    own_evidence,
    characters,
    respelt,
    line_breaks,
    truncated,
    made_already,
    sequences,
);
