//! Known shortcomings: edits in `tests/failing/cases.toml` that end otherwise than a careful reader would have them.
//!
//! A case has two results: `today`, and the ideal one. It stays there until both are the same.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use serde::Deserialize;

use crate::drawing::{Case, Outcome};

const CASES: &str = include_str!("../failing/cases.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Shortcoming>,
}

/// An edit, and both results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shortcoming {
    name: String,
    file: String,
    needle: String,
    new: String,
    today: End,
    /// The whole file as a careful reader would have it. Without it, the edit should be refused.
    expected: Option<String>,
}

/// How an edit ends.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum End {
    /// The rule that refuses it.
    RefusedBy(String),
    /// The whole file afterwards.
    Lands(String),
}

impl End {
    fn of(outcome: &Outcome) -> Self {
        match &outcome.applied {
            Ok(applied) => Self::Lands(applied.output.clone()),
            Err(failure) => Self::RefusedBy(outcome.rule.map_or_else(|| failure.to_string(), str::to_owned)),
        }
    }

    fn is_ideal(&self, expected: Option<&str>) -> bool {
        match self {
            Self::RefusedBy(_) => expected.is_none(),
            Self::Lands(file) => expected == Some(file),
        }
    }
}

/// The lines of `cases.toml` that say it.
impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::RefusedBy(rule) => write!(f, "today.refused_by = {rule:?}"),
            Self::Lands(file) => write!(f, "today.lands = '''\n{file}'''"),
        }
    }
}

fn cases() -> Vec<Shortcoming> {
    toml::from_str::<Cases>(CASES).unwrap_or_else(|error| panic!("tests/failing/cases.toml: {error}")).case
}

#[test]
fn every_shortcoming_has_a_name_of_its_own_and_is_one() {
    let cases = cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    for Shortcoming { name, today, expected, .. } in &cases {
        assert!(!today.is_ideal(expected.as_deref()), "{name}: `today` is ideal already");
    }
}

#[test]
fn shortcomings_end_as_they_do_today() {
    let mut report = String::new();
    for Shortcoming { name, file, needle, new, today, expected } in cases() {
        let edit = Case { name, file, needle, new, replace_all: false, base: None };
        let outcome = edit.draw();
        let end = End::of(&outcome);
        let what_to_do = match &end {
            end if *end == today => continue,
            End::Lands(_) if end.is_ideal(expected.as_deref()) => {
                "lands as a careful reader would have it: move the case to tests/it/edits, without `today` and `expected`"
                    .to_owned()
            }
            End::RefusedBy(rule) if expected.is_none() => {
                format!("is refused, as it should be: move the case to `refused` of tests/rules/{rule}/cases.toml")
            }
            end => format!(
                "ends otherwise than `today` says, and still not ideally: if it is nearer to the ideal result, write \
                 this into the case; if not, the change makes it worse\n{end}"
            ),
        };
        report.extend(["=== ", &edit.name, " ", &what_to_do, "\n\n", &outcome.drawing, "\n"]);
    }
    assert!(report.is_empty(), "\n{report}");
}
