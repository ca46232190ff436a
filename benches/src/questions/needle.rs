//! How does the time grow with the needle?

use crate::drift::Drift;
use crate::scenario::{Class, Expected, Scenario};
use crate::search::{Search, drifts, ladders, measures};
use crate::texts;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let haystack = texts::code(50_000);
    let mut scenarios = Vec::new();
    for lines in [1, 10, 100, 1_000] {
        for ladder in ladders() {
            // Measuring a thousand lines against every place costs more than a query may; it is then refused.
            let may_be_refused = lines == 1_000 && measures(ladder);
            let search = |drift| {
                let search = Search::drifted("needle", &haystack, lines, drift).named(&format!("{lines} "));
                Search { may_be_refused, ..search }
            };
            scenarios.extend(drifts(ladder).into_iter().map(|drift| search(drift).by_ladder(ladder)));
            if lines > 2 {
                let mut middle = search(Drift::Middle);
                middle.class = Class::NearMiss;
                // Most ladders take a block that differs in one line, some may not; neither is the question here.
                middle.expected = Expected::Stable;
                scenarios.push(middle.by_ladder(ladder));
            }
        }
    }
    scenarios
}
