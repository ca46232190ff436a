//! The worked cases of this family.

use fuzzy_alignment::Alignment;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{cases, shared};

#[test]
fn every_case_is_as_worked_out() {
    cases::assert_all(include_str!("cases.toml"));
}

#[test]
fn keeps_the_contract_of_strategies() {
    for case in cases::read(include_str!("cases.toml")) {
        assert_contract(&Alignment, &case.haystack, &case.needle);
    }
    for shared::Case { haystack, needle, .. } in shared::CASES {
        assert_contract(&Alignment, haystack, needle);
    }
}
