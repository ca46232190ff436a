//! What the requests took.

use fuzzy_tools::table::{Table, number};
use fuzzy_tools::times::{milliseconds, percentile};

use crate::agent::Tally;

/// Renders how long each route took, in milliseconds.
pub(crate) fn table(tally: &Tally) -> String {
    let mut table = Table::new(1, &["route", "requests", "median, ms", "p99, ms", "longest, ms"]);
    for (route, times) in &tally.times {
        let mut times = times.clone();
        times.sort_unstable();
        let mut row = vec![(*route).to_owned(), times.len().to_string()];
        row.extend([50, 99, 100].map(|percent| number(milliseconds(percentile(&times, percent)))));
        table.row(row);
    }
    table.render()
}
