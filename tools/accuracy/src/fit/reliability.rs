//! The reliability of the model's probabilities.

use fuzzy_adaptive::{ACCEPTED, Model};
use fuzzy_tools::table::{Table, or_dash};

use crate::fit::samples::{Outcome, Sample};

/// The least probability of each bin.
const EDGES: [f32; 6] = [0.0, 0.5, 0.8, ACCEPTED, 0.99, 0.999];

type Files = [(String, Vec<Sample>)];

/// Formats a row per file: the accepted places.
pub(super) fn landings(model: &Model, fitted: &Files, checked: &Files) -> String {
    let header =
        ["cases", "use", "right landed", "right refused", "other text landed", "wrong landed", "wrong refused"];
    let mut table = Table::new(2, &header);
    for (what, (name, samples)) in labelled(fitted, checked) {
        let mut row = vec![name.clone(), what.to_owned()];
        for (outcome, landed) in [
            (Outcome::Right, true),
            (Outcome::Right, false),
            (Outcome::OtherText, true),
            (Outcome::Wrong, true),
            (Outcome::Wrong, false),
        ] {
            let of_it = samples.iter().filter(|sample| sample.outcome == outcome);
            let count = of_it.filter(|sample| (model.probability(&sample.values) >= ACCEPTED) == landed).count();
            row.push(count.to_string());
        }
        table.row(row);
    }
    table.render()
}

/// Formats a row per file and bin: the predicted share of right places, and the real one.
pub(super) fn bins(model: &Model, fitted: &Files, checked: &Files) -> String {
    let header = ["cases", "use", "probability", "places", "said", "right place", "right text"];
    let mut table = Table::new(3, &header);
    for (what, (name, samples)) in labelled(fitted, checked) {
        for (bin, &least) in EDGES.iter().enumerate() {
            let next = EDGES.get(bin + 1).copied();
            let said: Vec<(f64, Outcome)> = samples
                .iter()
                .map(|sample| (model.probability(&sample.values), sample.outcome))
                .filter(|(p, _)| *p >= least && next.is_none_or(|next| *p < next))
                .map(|(p, outcome)| (f64::from(p), outcome))
                .collect();
            let sum: f64 = said.iter().map(|(p, _)| p).sum();
            let right_place = said.iter().filter(|(_, outcome)| *outcome != Outcome::Wrong).count();
            let right_text = said.iter().filter(|(_, outcome)| *outcome == Outcome::Right).count();
            let mut row = vec![name.clone(), what.to_owned(), format!("{least:.3} to {:.3}", next.unwrap_or(1.0))];
            row.push(said.len().to_string());
            row.extend([sum, right_place as f64, right_text as f64].map(|part| {
                or_dash((!said.is_empty()).then_some(part), |part| format!("{:.3}", part / said.len() as f64))
            }));
            table.row(row);
        }
    }
    table.render()
}

/// Returns the files with their use.
fn labelled<'f>(
    fitted: &'f Files,
    checked: &'f Files,
) -> impl Iterator<Item = (&'static str, &'f (String, Vec<Sample>))> {
    let fitted = fitted.iter().map(|file| ("fitted", file));
    fitted.chain(checked.iter().map(|file| ("checked", file)))
}
