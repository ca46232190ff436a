//! The growth of the time with the needle.

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
            // Comparing a thousand lines with every place costs more than a query may; it is refused then.
            let may_be_refused = lines == 1_000 && measures(ladder);
            let search = |drift| {
                let search = Search::drifted("needle", &haystack, lines, drift).named(&format!("{lines} "));
                Search { may_be_refused, ..search }
            };
            scenarios.extend(drifts(ladder).into_iter().map(|drift| search(drift).by_ladder(ladder)));
            if lines > 2 {
                let mut middle = search(Drift::Middle);
                middle.class = Class::NearMiss;
                // Most ladders accept a block with one changed line, some do not; the answer does not matter here.
                middle.expected = Expected::Stable;
                scenarios.push(middle.by_ladder(ladder));
            }
        }
    }
    scenarios
}
