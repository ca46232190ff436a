//! The growth of the time with the haystack.

use crate::scenario::Scenario;
use crate::search::{Search, drifts, ladders};
use crate::texts;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    [1_000, 10_000, 50_000, 200_000].into_iter().flat_map(of_lines).collect()
}

/// Makes the scenarios with a haystack of `lines` lines.
#[must_use]
pub fn of_lines(lines: usize) -> Vec<Scenario> {
    let haystack = texts::code(lines);
    let mut scenarios = Vec::new();
    for ladder in ladders() {
        scenarios.extend(
            drifts(ladder).into_iter().map(|drift| Search::drifted("growth", &haystack, 10, drift).by_ladder(ladder)),
        );
    }
    scenarios
}
