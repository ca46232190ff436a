//! The contract of strategies, on the worked cases and on those of all strategies.

use fuzzy_alignment::Alignment;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{cases, shared};

#[test]
fn keeps_the_contract_of_strategies() {
    for case in cases::read(include_str!("../cases.toml"))["alignment"].values() {
        assert_contract(&Alignment, &case.haystack, &case.needle);
    }
    for (_, haystack, needle) in shared::CASES {
        assert_contract(&Alignment, haystack, needle);
    }
}
