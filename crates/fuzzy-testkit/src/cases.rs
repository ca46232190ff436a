//! Worked cases of a strategy family: `tests/cases.toml`, read by the family's test and linked from `docs/ladders.md`.
//!
//! [`worked_cases!`](crate::worked_cases) makes that test.
//!
//! ```toml
//! [[case]]
//! strategy = "line-trimmed"
//! name = "takes the file's indentation"
//! haystack = "{\n\tfoo();\n}"
//! needle = "  foo();"
//! spans = [[2, 9]]    # every candidate, in order; [] where the strategy refuses
//! note = "optional: what a reader should know"
//! ```

use std::collections::HashSet;

use fuzzy_core::Registry;
use serde::Deserialize;

use crate::spans;

/// The least number of worked cases per strategy: enough to show acceptances and rejections.
pub const MIN_CASES: usize = 10;

/// A needle, a haystack, and the candidates of a strategy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the strategy.
    pub strategy: String,
    /// The name of the case, unique for its strategy.
    pub name: String,
    /// The text to search.
    pub haystack: String,
    /// The text to find.
    pub needle: String,
    /// Start and end of every candidate, in bytes, in order; empty if the strategy finds none.
    pub spans: Vec<(usize, usize)>,
    /// A remark for readers.
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// Reads the text of a `cases.toml`.
///
/// # Panics
///
/// Panics with the position of the mistake if `toml` is not valid.
#[must_use]
pub fn read(toml: &str) -> Vec<Case> {
    match toml::from_str::<File>(toml) {
        Ok(file) => file.case,
        Err(error) => panic!("{error}"),
    }
}

/// Asserts that the linked strategies give the results of the cases in `toml`, and that each has at least
/// [`MIN_CASES`].
///
/// The caller must call its crate's `link`, or no strategy is registered.
///
/// # Panics
///
/// Panics if a result differs, a case names an unknown strategy, two cases have one name, or a strategy has too few
/// cases.
pub fn assert_all(toml: &str) {
    let cases = read(toml);
    let mut names = HashSet::new();
    for case in &cases {
        let Case { strategy, name, haystack, needle, spans: expected, .. } = case;
        assert!(names.insert((strategy, name)), "two cases of {strategy} are called {name:?}");
        let found = match Registry::linked().find(strategy) {
            Ok(strategy) => spans(strategy, haystack, needle),
            Err(error) => panic!("{name}: {error}"),
        };
        assert_eq!(&found, expected, "{strategy}, {name}: {needle:?} in {haystack:?}");
    }
    let linked = Registry::linked().entries();
    assert!(!linked.is_empty(), "no strategy is linked");
    for name in linked.iter().map(|entry| entry.strategy().name()) {
        let count = cases.iter().filter(|case| case.strategy == name).count();
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
