//! The slips that the engine undoes: every slip has a folder `tests/slips/NAME` with `cases.toml`, and a snapshot of
//! their results.
//!
//! `[[lands]]` has edits that land, and end otherwise if the slip is not undone; `[[untouched]]` edits that look alike,
//! and land in the same way without it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_adaptive::{Without, mechanisms};
use fuzzy_core::{Document, Edit, Ladder, Pipeline};
use fuzzy_testkit::{assert_snapshot, snapshot};
use serde::Deserialize;

use crate::drawing::{Case, draw_all};
use crate::support::pipeline;

/// The cases of a slip.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    lands: Vec<Case>,
    untouched: Vec<Case>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slips")
}

fn names() -> impl Iterator<Item = &'static str> {
    mechanisms().filter(|mechanism| mechanism.phase.undoes_slips()).map(|slip| slip.name)
}

fn cases(slip: &str) -> Cases {
    let path = root().join(slip).join("cases.toml");
    let toml = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&toml).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the file after an edit, if it lands while a slip is not undone.
fn without(slip: &'static str, case: &Case) -> Option<String> {
    let decider = Box::leak(Box::new(Without(Box::leak(Box::new([slip])))));
    let pipeline = Pipeline::new(Ladder::new("adaptive", decider, Vec::new()));
    Edit::new(&case.needle, &case.new).run(&pipeline, &Document::new(case.file.as_str())).ok().map(|it| it.output)
}

#[test]
fn every_slip_has_a_folder_and_every_folder_a_slip() {
    let entries = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders: BTreeSet<String> = entries.collect();
    assert_eq!(folders, names().map(str::to_owned).collect());
}

#[test]
fn every_mechanism_has_a_name_of_its_own() {
    let all: Vec<&str> = mechanisms().map(|it| it.name).chain(fuzzy_adaptive::rules().map(|it| it.name)).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

#[test]
fn reports_name_the_undone_slip() {
    for slip in names() {
        for Case { name, file, needle, new, .. } in cases(slip).lands {
            let (pipeline, document) = (pipeline(), Document::new(file.as_str()));
            let attempt = Edit::new(&needle, &new).attempt(&pipeline, &document);
            let judgement = attempt.decide();
            let exact = judgement.apply().is_ok_and(|applied| applied.found.strategy == "exact");
            let undone = judgement.side_by_side().map(|sides| sides.undone).unwrap_or_default();
            // The match of an exact old text names its adjustment.
            assert!(exact || undone.contains(&slip), "{slip}: {name}: {undone:?}");
        }
    }
}

#[test]
fn edits_with_a_slip_need_its_mechanism_and_others_do_not() {
    for slip in names() {
        let Cases { lands, untouched } = cases(slip);
        assert!(!lands.is_empty() && !untouched.is_empty(), "{slip} needs cases of both kinds");
        let mut settings = snapshot::settings();
        settings.set_snapshot_path(root().join(slip));
        let mut outcomes = Vec::new();
        for (cases, is_needed) in [(lands, true), (untouched, false)] {
            for (case, outcome) in cases.into_iter().map(Case::drawn) {
                let found = outcome.applied.as_ref().ok().map(|applied| applied.output.clone());
                let is_expected = found.is_some() && (found != without(slip, &case)) == is_needed;
                assert!(is_expected, "{slip}: {}\n\n{}", case.name, outcome.drawing);
                outcomes.push((case, outcome));
            }
        }
        settings.bind(|| assert_snapshot!("cases", draw_all(&outcomes)));
    }
}
