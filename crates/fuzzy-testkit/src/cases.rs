//! Worked cases of a strategy family: `tests/cases.toml`, read by the family's test and linked from `docs/ladders.md`.
//!
//! [`worked_cases!`](crate::worked_cases) makes that test.
//!
//! ```toml
//! [line-trimmed]    # the name of the strategy
//! "takes the file's indentation" = { haystack = "{\n\tfoo();\n}", needle = "  foo();", spans = [[2, 9]] }
//! ```
//!
//! A long case is a table of its own: `[line-trimmed."takes the file's indentation"]`.

use std::collections::BTreeMap;

use fuzzy_core::Registry;
use serde::Deserialize;

use crate::spans;

/// The least number of worked cases per strategy: enough to show acceptances and rejections.
pub const MIN_CASES: usize = 10;

/// A needle, a haystack, and the candidates of a strategy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The text to search.
    pub haystack: String,
    /// The text to find.
    pub needle: String,
    /// Start and end of every candidate, in bytes, in order; empty if the strategy finds none.
    pub spans: Vec<(usize, usize)>,
    /// A remark for readers.
    pub note: Option<String>,
}

/// Reads the text of a `cases.toml`: the cases by name, of each strategy.
///
/// # Panics
///
/// Panics with the position of the mistake if `toml` is not valid.
#[must_use]
pub fn read(toml: &str) -> BTreeMap<String, BTreeMap<String, Case>> {
    toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"))
}

/// Asserts that the linked strategies give the results of the cases in `toml`, and that each has at least
/// [`MIN_CASES`].
///
/// The caller must call its crate's `link`, or no strategy is registered.
///
/// # Panics
///
/// Panics if a result differs, a case names an unknown strategy, or a strategy has too few cases.
pub fn assert_all(toml: &str) {
    let cases = read(toml);
    for (strategy, cases) in &cases {
        let linked = Registry::linked().find(strategy).unwrap_or_else(|error| panic!("{error}"));
        for (name, Case { haystack, needle, spans: expected, .. }) in cases {
            assert_eq!(&spans(linked, haystack, needle), expected, "{strategy}, {name}: {needle:?} in {haystack:?}");
        }
    }
    let linked = Registry::linked().entries();
    assert!(!linked.is_empty(), "no strategy is linked");
    for name in linked.iter().map(|entry| entry.strategy().name()) {
        let count = cases.get(name).map_or(0, BTreeMap::len);
        assert!(count >= MIN_CASES, "{name} has {count} cases of {MIN_CASES}");
    }
}

/// Makes the test of a family's worked cases in the `tests/cases.toml` of its crate.
///
/// The argument is the `link` of the crate.
#[macro_export]
macro_rules! worked_cases {
    ($link:path) => {
        #[test]
        fn every_case_is_as_worked_out() {
            $link();
            $crate::cases::assert_all(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases.toml")));
        }
    };
}
