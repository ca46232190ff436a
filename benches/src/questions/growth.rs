//! How does the time grow with the haystack?

use crate::scenario::Scenario;
use crate::search::{Search, drifts, ladders};
use crate::texts;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for haystack in [1_000, 10_000, 50_000, 200_000].map(texts::code) {
        for ladder in ladders() {
            scenarios.extend(
                drifts(ladder)
                    .into_iter()
                    .map(|drift| Search::drifted("growth", &haystack, 10, drift).by_ladder(ladder)),
            );
        }
    }
    scenarios
}
