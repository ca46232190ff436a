//! What the requests took.

use std::time::Duration;

use fuzzy_tools::table::{Table, number};

use crate::agent::Tally;

/// Renders how long each route took, in milliseconds.
pub(crate) fn table(tally: &Tally) -> String {
    let mut table = Table::new(1, &["route", "requests", "median, ms", "p99, ms", "longest, ms"]);
    for (route, times) in &tally.times {
        let mut times = times.clone();
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        let ms = |time: Duration| number(time.as_secs_f64() * 1e3);
        table.row(vec![(*route).to_owned(), times.len().to_string(), ms(at(50)), ms(at(99)), ms(at(100))]);
    }
    table.render()
}
