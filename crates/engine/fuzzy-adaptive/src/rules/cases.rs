//! The cases of every rule: edits that it refuses, and near misses that land.

/// Defines the cases of rules by the files of their tests.
macro_rules! cases {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../tests/rules/", $name, "/cases.toml")))),*]
    };
}

/// The name and the cases of each rule.
const CASES: &[(&str, &str)] = cases![
    "changed-forgotten-line",
    "changed-since",
    "commented-out",
    "deleted-word-absent",
    "different-value",
    "elided-old-text",
    "equal-place",
    "forgotten-indentation",
    "forgotten-line-beside",
    "insertion-point",
    "law-delta",
    "law-depth",
    "law-duplicates",
    "law-ends",
    "law-lines",
    "law-marks",
    "law-shape",
    "law-words",
    "line-elsewhere",
    "lost-characters",
    "lost-neighbours",
    "lost-word",
    "low-score",
    "mixed-escapes",
    "no-change",
    "not-found",
    "not-mergeable",
    "open-marks",
    "other-block",
    "other-block-end",
    "other-name",
    "overlapping-places",
    "placeholder",
    "several-places",
    "sibling-word",
    "single-line",
    "top-level",
    "torn-line",
    "torn-word",
    "unfounded",
    "unknown-end",
    "unknown-word-deleted",
];

/// Returns the cases of a rule as TOML: tables `refused` and `lands`, each with `name`, `file`, `needle` and `new`, some
/// with `base` or `replace_all`; `unreachable` is the reason why there is no refused one.
#[must_use]
pub fn cases(rule: &str) -> Option<&'static str> {
    CASES.iter().find(|(name, _)| *name == rule).map(|(_, cases)| *cases)
}
