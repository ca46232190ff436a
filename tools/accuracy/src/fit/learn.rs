//! Learns the cost of each flaw of a place: logistic regression on steps, none of which may help.
//!
//! Maximises the likelihood minus [`PENALTY`] times the sum of all costs, one cost after the other, by Newton's method.
//! Right and wrong places count equally, in the numbers of the cases. Costs are never negative, and the penalty makes
//! most of them 0, so few steps remain. The same cases give the same model.

use std::borrow::Cow;

use anyhow::{Result, ensure};
use fuzzy_adaptive::{ACCEPTED, FEATURES, FeatureKind, Model, Step, TextAccuracy};

use crate::fit::samples::{Outcome, Sample, single};

/// The reduction of the log-likelihood per unit of cost.
const PENALTY: f64 = 0.3;

/// A step with a lower cost is not significant.
const LEAST_COST: f64 = 0.4;

/// The greatest cost of a step: above it, the cases only show that such a place is never right.
const MOST_COST: f64 = 8.0;

/// The limits to try for every feature. They are few: a finer grid would fit single cases.
const LIMITS: [f32; 18] =
    [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0];

/// The least repair of each bin of texts. They are few: a finer grid would fit single cases.
const REPAIRS: [f32; 6] = [0.0, 0.05, 0.2, 0.4, 0.8, 1.6];

/// A step that may be part of the model.
struct Column {
    feature: usize,
    limit: f32,
    /// The samples beyond the limit.
    beyond: Vec<usize>,
    cost: f64,
}

/// A model during the fit.
struct Fit {
    perfect: f64,
    columns: Vec<Column>,
    right: Vec<f64>,
    log_odds: Vec<f64>,
}

/// Learns a model of places from samples, and of texts from these and more samples.
pub(super) fn learn(samples: &[Sample], texts: &[Sample]) -> Result<Model> {
    let judged: Vec<&Sample> = samples.iter().filter(|sample| sample.outcome != Outcome::OtherText).collect();
    let wrong = judged.iter().filter(|sample| sample.outcome == Outcome::Wrong).count();
    let right = judged.len() - wrong;
    ensure!(right > 0 && wrong > 0, "{right} right and {wrong} wrong places are not enough to learn from");
    let mut fit = Fit {
        perfect: 0.0,
        columns: columns(&judged),
        right: judged.iter().map(|sample| f64::from(u8::from(sample.outcome == Outcome::Right))).collect(),
        log_odds: vec![0.0; judged.len()],
    };
    fit.settle();
    // Its neighbours take over the effect of a removed small step.
    while let Some(least) = fit.least() {
        let column = fit.columns.remove(least);
        column.beyond.iter().for_each(|&at| fit.log_odds[at] += column.cost);
        fit.settle();
    }
    Ok(fit.model(&[samples, texts].concat()))
}

/// Returns the steps to try.
fn columns(samples: &[&Sample]) -> Vec<Column> {
    let mut columns = Vec::new();
    for (feature, described) in FeatureKind::ALL.iter().enumerate() {
        for limit in LIMITS {
            let mut beyond: Vec<usize> = (0..samples.len()).collect();
            beyond.retain(|at| described.is_beyond(samples[*at].values[feature], limit));
            if !beyond.is_empty() && beyond.len() < samples.len() {
                columns.push(Column { feature, limit, beyond, cost: 0.0 });
            }
        }
    }
    columns
}

impl Fit {
    /// Moves every cost to its optimum with the others fixed, until none moves any more.
    fn settle(&mut self) {
        const ROUNDS: usize = 1000;
        const STILL: f64 = 1e-4;
        for _ in 0..ROUNDS {
            let mut moved: f64 = 0.0;
            let (mut slope, mut bend) = (0.0, f64::MIN_POSITIVE);
            for at in 0..self.log_odds.len() {
                let p = chance(self.log_odds[at]);
                slope += self.right[at] - p;
                bend += p * (1.0 - p);
            }
            let step = (slope / bend).clamp(-1.0, 1.0);
            self.perfect += step;
            self.log_odds.iter_mut().for_each(|log_odds| *log_odds += step);
            moved = moved.max(step.abs());
            for column in &mut self.columns {
                let (mut slope, mut bend) = (-PENALTY, 1e-6);
                for &at in &column.beyond {
                    let p = chance(self.log_odds[at]);
                    slope -= self.right[at] - p;
                    bend += p * (1.0 - p);
                }
                let cost = (column.cost + (slope / bend).clamp(-1.0, 1.0)).clamp(0.0, MOST_COST);
                let step = cost - column.cost;
                if step != 0.0 {
                    column.cost = cost;
                    column.beyond.iter().for_each(|&at| self.log_odds[at] -= step);
                    moved = moved.max(step.abs());
                }
            }
            if moved < STILL {
                return;
            }
        }
    }

    /// Returns the step with the least cost, if it is not worth keeping. Steps without cost are returned first.
    fn least(&self) -> Option<usize> {
        let least = (0..self.columns.len()).min_by(|&a, &b| self.columns[a].cost.total_cmp(&self.columns[b].cost))?;
        (self.columns[least].cost < LEAST_COST).then_some(least)
    }

    /// Returns the model, with two decimals.
    fn model(&self, samples: &[Sample]) -> Model {
        let steps = std::array::from_fn::<_, FEATURES, _>(|feature| -> Cow<'static, [Step]> {
            let columns = self.columns.iter().filter(|column| column.feature == feature);
            columns.map(|column| Step { limit: column.limit, cost: two_decimals(column.cost) }).collect()
        });
        let mut model = Model { perfect: two_decimals(self.perfect), text_accuracy: Cow::default(), steps };
        let accepted = samples.iter().filter(|sample| model.probability(&sample.values) >= ACCEPTED);
        model.text_accuracy = Cow::Owned(text_accuracy(accepted));
        model
    }
}

/// Returns the share of right texts among landings by the amount of repair. The share never rises: where the cases show
/// a rise, neighbouring bins are joined.
fn text_accuracy<'s>(landings: impl Iterator<Item = &'s Sample>) -> Vec<TextAccuracy> {
    let mut counts = [(0, 0); REPAIRS.len()];
    for sample in landings {
        let at = REPAIRS.iter().rposition(|least| *least <= sample.repaired).unwrap_or_default();
        counts[at].0 += u32::from(sample.outcome == Outcome::Right);
        counts[at].1 += 1;
    }
    let mut bins: Vec<(f32, u32, u32)> = Vec::new();
    let share = |(_, right, all): &(f32, u32, u32)| f64::from(*right) / f64::from(*all);
    for (repaired, (right, all)) in REPAIRS.into_iter().zip(counts).filter(|(_, (_, all))| *all > 0) {
        bins.push((repaired, right, all));
        while let [.., before, last] = bins[..]
            && share(&before) <= share(&last)
        {
            bins.pop();
            let at = bins.len() - 1;
            bins[at] = (before.0, before.1 + last.1, before.2 + last.2);
        }
    }
    let three_decimals = |share: f64| single((share * 1000.0).round() / 1000.0);
    bins.iter().map(|bin| TextAccuracy { repaired: bin.0, right: three_decimals(share(bin)) }).collect()
}

/// Returns the probability for log-odds.
fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn two_decimals(value: f64) -> f32 {
    single((value * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use fuzzy_adaptive::{ACCEPTED, FEATURES};

    use super::{Outcome, Sample, learn};

    /// Makes samples that differ from a perfect place in two features: lead, and breaks.
    fn samples(outcome: Outcome, count: usize, lead: f32, breaks: f32) -> Vec<Sample> {
        repaired_samples(outcome, count, [lead, breaks], 0.0)
    }

    fn repaired_samples(outcome: Outcome, count: usize, [lead, breaks]: [f32; 2], repaired: f32) -> Vec<Sample> {
        vec![Sample { kind: String::new(), values: values(lead, breaks), repaired, outcome }; count]
    }

    /// Returns the values of such a place.
    fn values(lead: f32, breaks: f32) -> [f32; FEATURES] {
        [lead, 1.0, 3.0, 1.0, 0.0, 0.0, breaks]
    }

    fn learnable() -> Vec<Sample> {
        [
            samples(Outcome::Right, 900, 1.0, 0.0),
            samples(Outcome::Right, 90, 1.0, 1.0),
            samples(Outcome::Right, 90, 0.2, 0.0),
            samples(Outcome::Right, 5, 0.2, 1.0),
            samples(Outcome::Wrong, 20, 0.2, 1.0),
            samples(Outcome::Wrong, 1, 1.0, 1.0),
            samples(Outcome::OtherText, 100, 1.0, 0.0),
        ]
        .concat()
    }

    #[test]
    fn flaws_that_wrong_places_have_cost() {
        let model = learn(&learnable(), &[]).unwrap();
        let [perfect, flawed, worst] =
            [(1.0, 0.0), (0.2, 0.0), (0.2, 1.0)].map(|(lead, breaks)| model.probability(&values(lead, breaks)));
        assert!(perfect >= ACCEPTED, "{model:?}");
        assert!(worst < 0.5, "{model:?}");
        assert!(perfect >= flawed && flawed > worst, "{model:?}");
        // A feature with a constant value has no information.
        for feature in [1, 2, 3, 4, 5] {
            assert!(model.steps[feature].is_empty(), "{model:?}");
        }
        // 100 of 1,000 texts at accepted places are wrong.
        assert!((0.88..0.93).contains(&model.text_accuracy(0.0)), "{model:?}");
    }

    #[test]
    fn much_repair_makes_a_text_unlikely() {
        let of_texts = |repaired, right, other| {
            let [right, other] = [(Outcome::Right, right), (Outcome::OtherText, other)]
                .map(|(outcome, count)| repaired_samples(outcome, count, [1.0, 0.0], repaired));
            [right, other].concat()
        };
        // The bin with the smallest repair is worse than the next one, and is joined with it.
        let texts = [of_texts(0.05, 80, 20), of_texts(0.25, 100, 0), of_texts(0.5, 60, 40), of_texts(2.0, 5, 5)];
        let model = learn(&learnable(), &texts.concat()).unwrap();
        let said = [0.0, 0.06, 0.3, 0.5, 1.0, 7.0].map(|repaired| model.text_accuracy(repaired));
        assert_eq!(said[1..], [0.9, 0.9, 0.6, 0.6, 0.5], "{model:?}");
        assert!(said[0] > 0.9, "{model:?}");
    }

    #[test]
    fn no_flaw_helps_though_the_cases_say_so() {
        let samples = [
            samples(Outcome::Right, 100, 0.2, 0.0),
            samples(Outcome::Wrong, 100, 1.0, 0.0),
            samples(Outcome::Right, 100, 1.0, 0.0),
        ]
        .concat();
        let model = learn(&samples, &[]).unwrap();
        assert!(model.steps.iter().all(|steps| steps.is_empty()), "{model:?}");
    }

    #[test]
    fn right_places_alone_teach_nothing() {
        assert!(learn(&samples(Outcome::Right, 10, 1.0, 0.0), &[]).is_err());
        assert!(learn(&samples(Outcome::Wrong, 10, 1.0, 0.0), &[]).is_err());
        assert!(learn(&[], &[]).is_err());
    }
}
