//! The cost of text outside ASCII.

use crate::drift::Drift;
use crate::scenario::Scenario;
use crate::search::{Search, drifts, ladders};
use crate::texts;

/// Ladders with a strategy that treats curly quotes as straight ones.
const TYPEWRITERS: &[&str] = &["boocode"];

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let haystack = texts::unicode(10_000);
    let mut scenarios = Vec::new();
    for ladder in ladders() {
        let mut drifts = drifts(ladder);
        if TYPEWRITERS.contains(&ladder) {
            drifts.push(Drift::Typewriter);
        }
        scenarios
            .extend(drifts.into_iter().map(|drift| Search::drifted("unicode", &haystack, 10, drift).by_ladder(ladder)));
    }
    scenarios
}
