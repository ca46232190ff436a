//! The rules that refuse edits: every rule has a folder `tests/rules/NAME` with `cases.toml`, and a snapshot of their
//! results.
//!
//! `[[refused]]` has edits that the rule refuses, `[[lands]]` near misses: edits with a small difference, which land.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_testkit::{assert_snapshot, snapshot};
use serde::Deserialize;

use crate::drawing::{Case, draw_all};

/// The cases of a rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// The reason why no case can be refused by the rule.
    unreachable: Option<String>,
    #[serde(default)]
    refused: Vec<Case>,
    lands: Vec<Case>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules")
}

fn names() -> impl Iterator<Item = &'static str> {
    fuzzy_adaptive::rules().map(|rule| rule.name)
}

fn cases(rule: &str) -> Cases {
    let path = root().join(rule).join("cases.toml");
    let toml = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&toml).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_rule_has_a_folder_and_every_folder_a_rule() {
    let entries = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders: BTreeSet<String> = entries.collect();
    let rules: BTreeSet<String> = names().map(str::to_owned).collect();
    assert_eq!(names().count(), rules.len(), "two rules have one name");
    assert_eq!(folders, rules);
}

#[test]
fn every_rule_has_cases_of_both_kinds() {
    for rule in names() {
        let Cases { unreachable, refused, lands } = cases(rule);
        assert_ne!(
            refused.is_empty(),
            unreachable.is_none(),
            "{rule}: refused cases, or the reason why there are none"
        );
        assert!(!lands.is_empty(), "{rule}: no near miss");
    }
}

#[test]
fn refused_cases_are_refused_by_their_rule_and_near_misses_land() {
    for rule in names() {
        let Cases { refused, lands, .. } = cases(rule);
        let mut settings = snapshot::settings();
        settings.set_snapshot_path(root().join(rule));
        let mut outcomes = Vec::new();
        for (cases, must_be_refused) in [(refused, true), (lands, false)] {
            for (case, outcome) in cases.into_iter().map(Case::drawn) {
                let is_expected = if must_be_refused { outcome.rule == Some(rule) } else { outcome.applied.is_ok() };
                assert!(is_expected, "{rule}: {}\n\n{}", case.name, outcome.drawing);
                outcomes.push((case, outcome));
            }
        }
        settings.bind(|| assert_snapshot!("cases", draw_all(&outcomes)));
    }
}
