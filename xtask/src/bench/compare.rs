//! Compares the figures of a run with saved figures.

use fuzzy_tools::table::{Table, number, time};

use super::figures::Figures;

/// Renders the scenarios that both runs contain, those that became slower first.
///
/// Times are given in multiples of M, because the speed of the machine differs between runs.
pub(crate) fn table(before: &Figures, now: &Figures) -> String {
    let mut rows = Vec::new();
    for figure in &now.all {
        if let Some(old) = before.all.iter().find(|old| old.id() == figure.id()) {
            rows.push((figure.passes() / old.passes(), old, figure));
        }
    }
    if rows.is_empty() {
        return "The two runs have no scenario in common.\n".to_owned();
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mean = (rows.iter().map(|row| row.0.ln()).sum::<f64>() / rows.len() as f64).exp();
    let mut table = Table::new(1, &["scenario", "M before", "M now", "ratio", "time before", "time now"]);
    for (ratio, old, figure) in rows {
        table.row(vec![
            figure.id(),
            number(old.passes()),
            number(figure.passes()),
            number(ratio),
            time(old.ns),
            time(figure.ns),
        ]);
    }
    format!("{}\nGeometric mean of the ratios: {}\n", table.render(), number(mean))
}
