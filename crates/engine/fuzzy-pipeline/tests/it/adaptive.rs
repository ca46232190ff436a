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
    include_str!("../../testdata/adaptive/negatives.toml"),
];

/// Everything that goes wrong with a needle but may still land.
const DRIFTS: &[&str] = &[
    // Indentation.
    "base_removed",
    "base_shifted",
    "tabs_to_spaces",
    "spaces_to_tabs",
    "first_line_indent",
    "rest_dedented",
    "flattened",
    "indent_width",
    "one_line_indent",
    // Blanks and line endings.
    "trailing_blanks_added",
    "trailing_blanks_in_file",
    "leading_blank_line",
    "trailing_blank_line",
    "blank_line_dropped",
    "blank_line_added",
    "inner_blanks",
    "crlf_file",
    "crlf_needle",
    // Characters.
    "typographic_needle",
    "typographic_file",
    "entities",
    "entities_in_file",
    "over_escaped_quotes",
    "over_escaped_newlines",
    "over_escaped_backslashes",
    "under_escaped",
    "semicolons_and_commas",
    "quote_style",
    "letter_case",
    "typos",
    // What tools and chats leave behind.
    "line_numbers_both",
    "line_numbers_in_needle",
    "line_numbers_not_first",
    "separators_left_over",
    "fence",
    // Lines.
    "elision",
    "cut_last_line",
    "partial_first_line",
    "wrapped_line",
    "joined_lines",
    "identifier_changed",
    "missing_line",
    "extra_line",
    "missing_block",
    "extra_block",
    "line_rewritten",
    "comment_paraphrased",
    "comment_dropped",
    "lines_reordered",
    "stale_neighbour",
    "duplicate_by_context",
    // Needles that occur in the file as they are, and what is asked of the edit.
    "exact",
    "substring",
    "underindented_exact",
    "replace_all",
    "deletion",
    "pair",
];

/// What must never change the file.
const NEGATIVES: &[&str] = &["other_file", "since_deleted", "already_applied", "ambiguous", "sibling", "bad_request"];

/// Kinds that a list of cases has to have, and how many cases there are at the least.
const LEAST: usize = 300;
const LEAST_OF_A_KIND: usize = 3;

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
    for kind in DRIFTS {
        let (lands, refused) = kinds.remove(kind).unwrap_or_default();
        assert!(lands >= 1 && refused >= 1, "{kind}: {lands} land and {refused} are refused");
        assert!(lands + refused >= LEAST_OF_A_KIND, "{kind} has {} cases", lands + refused);
    }
    for kind in NEGATIVES {
        let (_, refused) = kinds.remove(kind).unwrap_or_default();
        assert!(refused >= LEAST_OF_A_KIND, "{kind}: {refused} are refused");
    }
    assert!(kinds.is_empty(), "these are no kinds: {:?}", kinds.keys());
    assert!(cases.len() >= LEAST, "{} cases of {LEAST}", cases.len());
}
