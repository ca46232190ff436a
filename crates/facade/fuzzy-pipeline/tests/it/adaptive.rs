//! The ladder `adaptive` on edits written for it: every way in which needles are distorted, with near misses of each.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use fuzzy_pipeline::ladder;

use crate::labelled::{Answer, Case, mistake, read};

const FILES: &str = include_str!("../../testdata/adaptive/files.toml");
const CASES: &[&str] = &[
    include_str!("../../testdata/adaptive/indentation.toml"),
    include_str!("../../testdata/adaptive/blanks.toml"),
    include_str!("../../testdata/adaptive/characters.toml"),
    include_str!("../../testdata/adaptive/artefacts.toml"),
    include_str!("../../testdata/adaptive/lines.toml"),
    include_str!("../../testdata/adaptive/blocks.toml"),
    include_str!("../../testdata/adaptive/exact.toml"),
    include_str!("../../testdata/adaptive/pairs.toml"),
    include_str!("../../testdata/adaptive/small.toml"),
    include_str!("../../testdata/adaptive/negatives.toml"),
];

/// The kinds that need no edit that lands.
const NEGATIVES: &[&str] = &["other_file", "since_deleted", "already_applied", "ambiguous", "sibling", "bad_request"];

#[test]
fn every_edit_ends_as_it_should() {
    let pipeline = fuzzy_pipeline::Pipeline::new(ladder::adaptive());
    let cases = read(FILES, CASES);
    let mut report = String::new();
    let mut wrong = 0;
    for case in &cases {
        if let Some(mistake) = mistake(case, &pipeline) {
            wrong += 1;
            let Case { name, kind, needle, replacement, .. } = case;
            let _ =
                writeln!(report, "\n=== {kind}: {name}\n--- needle\n{needle}\n--- new\n{replacement}\n--- {mistake}");
        }
    }
    assert!(wrong == 0, "{wrong} of {} edits end otherwise:\n{report}", cases.len());
}

#[test]
fn every_kind_has_edits_that_land_and_near_misses() {
    let cases = read(FILES, CASES);
    let mut names = HashSet::new();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for case in &cases {
        assert!(names.insert(&case.name), "two cases are called {:?}", case.name);
        let (lands, refused) = kinds.entry(&case.kind).or_default();
        match case.expected {
            Answer::Lands(_) => *lands += 1,
            Answer::Refused { .. } => *refused += 1,
        }
    }
    for (kind, (lands, refused)) in kinds {
        let is_enough = lands > 0 || NEGATIVES.contains(&kind);
        assert!(is_enough && refused > 0, "{kind}: {lands} land and {refused} are refused");
    }
}
