//! The cost of each ladder, on generated and on real code.

use crate::scenario::Scenario;
use crate::search::{Search, drifts, ladders};
use crate::texts;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (name, haystack) in [("generated ", texts::code(10_000)), ("real ", texts::sources(400_000))] {
        for ladder in ladders() {
            scenarios.extend(
                drifts(ladder)
                    .into_iter()
                    .map(|drift| Search::drifted("ladders", &haystack, 10, drift).named(name).by_ladder(ladder)),
            );
        }
    }
    scenarios
}
