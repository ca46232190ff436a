//! Learns the cost of each flaw of a place: logistic regression on steps, none of which may help.
//!
//! Maximises the likelihood minus [`PENALTY`] times the sum of all costs, one cost after the other, by Newton's method.
//! Right and wrong places count equally, in the numbers of the cases. Costs are never negative, and the penalty makes
//! most of them 0, so few steps remain. The same cases give the same model.
//!
//! The texts have a model of their own: each repair may spoil a text by itself, and a wrong text is shared out among its
//! repairs (expectation maximisation of a noisy or). A repair that few cases have is taken to be as accurate as an
//! average one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use fuzzy_adaptive::{ACCEPTED, FEATURES, FeatureKind, Model, Step, TextAccuracy, UNMEASURED};

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

/// The landings with an average accuracy that are added to those of each repair.
const ADDED: f64 = 50.0;

/// The rounds of the fit of the repairs: more change no digit.
const ROUNDS_OF_REPAIRS: usize = 200;

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

/// Learns a model of places from samples.
pub(super) fn places(samples: &[Sample]) -> Result<Model> {
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
    Ok(fit.model())
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
    fn model(&self) -> Model {
        let steps = std::array::from_fn::<_, FEATURES, _>(|feature| -> Cow<'static, [Step]> {
            let columns = self.columns.iter().filter(|column| column.feature == feature);
            columns.map(|column| Step { limit: column.limit, cost: two_decimals(column.cost) }).collect()
        });
        Model { perfect: two_decimals(self.perfect), plain: 1.0, repairs: Cow::default(), steps }
    }
}

/// Learns the accuracy of texts, with and without each repair, from the samples that a model accepts.
pub(super) fn with_texts(mut model: Model, samples: &[Sample]) -> Model {
    /// Stands for all that spoils a text without a repair.
    const PLAIN: &str = "";
    let landings = samples.iter().filter(|sample| model.probability(&sample.values) >= ACCEPTED);
    let landings: Vec<(Vec<&str>, bool)> =
        landings.map(|sample| ([&[PLAIN][..], &sample.repairs].concat(), sample.is_equal)).collect();
    let mut counts: BTreeMap<&'static str, f64> = BTreeMap::new();
    for name in samples.iter().flat_map(|sample| &sample.repairs).chain([&PLAIN]) {
        let number = landings.iter().filter(|(repairs, _)| repairs.contains(name)).count();
        counts.entry(name).or_insert(number as f64);
    }
    let average = 1.0 - f64::from(UNMEASURED);
    let mut spoils: BTreeMap<&str, f64> = counts.keys().map(|name| (*name, average)).collect();
    for _ in 0..ROUNDS_OF_REPAIRS {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (repairs, _) in landings.iter().filter(|(_, is_equal)| !is_equal) {
            let any = 1.0 - repairs.iter().map(|name| 1.0 - spoils[name]).product::<f64>();
            for name in repairs {
                *shares.entry(name).or_default() += spoils[name] / any;
            }
        }
        for (name, spoilt) in &mut spoils {
            *spoilt = (shares.get(name).unwrap_or(&0.0) + ADDED * average) / (counts[name] + ADDED);
        }
    }
    let right = |name: &str| single(((1.0 - spoils[name]) * 1e4).round() / 1e4);
    let measured = counts.keys().filter(|name| **name != PLAIN);
    model.repairs = measured.map(|&name| TextAccuracy { name, right: right(name) }).collect();
    model.plain = right(PLAIN);
    model
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
    use fuzzy_adaptive::{ACCEPTED, FEATURES, UNMEASURED};

    use super::{Outcome, Sample, places, with_texts};

    /// Makes samples that differ from a perfect place in two features: lead, and breaks.
    fn samples(outcome: Outcome, count: usize, lead: f32, breaks: f32) -> Vec<Sample> {
        let is_equal = outcome == Outcome::Right;
        vec![
            Sample { kind: String::new(), values: values(lead, breaks), repairs: Vec::new(), outcome, is_equal };
            count
        ]
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
        let model = places(&learnable()).unwrap();
        let [perfect, flawed, worst] =
            [(1.0, 0.0), (0.2, 0.0), (0.2, 1.0)].map(|(lead, breaks)| model.probability(&values(lead, breaks)));
        assert!(perfect >= ACCEPTED, "{model:?}");
        assert!(worst < 0.5, "{model:?}");
        assert!(perfect >= flawed && flawed > worst, "{model:?}");
        // A feature with a constant value has no information.
        for feature in [1, 2, 3, 4, 5] {
            assert!(model.steps[feature].is_empty(), "{model:?}");
        }
    }

    #[test]
    fn a_wrong_text_is_shared_out_among_its_repairs() {
        let of_texts = |repairs: &[&'static str], right: usize, other: usize| {
            let counts = [(Outcome::Right, right), (Outcome::OtherText, other)];
            let mut made = counts.map(|(outcome, count)| samples(outcome, count, 1.0, 0.0)).concat();
            for sample in &mut made {
                sample.repairs = repairs.to_vec();
            }
            made
        };
        let texts = [
            of_texts(&[], 10_000, 0),
            of_texts(&["fence"], 900, 100),
            of_texts(&["wrapped"], 10_000, 0),
            of_texts(&["fence", "wrapped"], 900, 100),
            of_texts(&["rare"], 1, 0),
        ];
        let model = with_texts(places(&learnable()).unwrap(), &texts.concat());
        let said = [&["fence"][..], &["wrapped"], &["fence", "wrapped"]].map(|repairs| model.text_accuracy(repairs));
        assert!((0.89..0.91).contains(&said[0]) && said[1] > 0.99 && (0.89..0.91).contains(&said[2]), "{model:?}");
        // Where nearly nothing was measured, a repair is an average one.
        assert!((model.accuracy("rare") - UNMEASURED).abs() < 0.001, "{model:?}");
        assert!((model.accuracy("never seen") - UNMEASURED).abs() < 1e-6, "{model:?}");
        assert!(model.text_accuracy(&[]) > 0.99, "{model:?}");
    }

    #[test]
    fn no_flaw_helps_though_the_cases_say_so() {
        let samples = [
            samples(Outcome::Right, 100, 0.2, 0.0),
            samples(Outcome::Wrong, 100, 1.0, 0.0),
            samples(Outcome::Right, 100, 1.0, 0.0),
        ]
        .concat();
        let model = places(&samples).unwrap();
        assert!(model.steps.iter().all(|steps| steps.is_empty()), "{model:?}");
    }

    #[test]
    fn right_places_alone_teach_nothing() {
        assert!(places(&samples(Outcome::Right, 10, 1.0, 0.0)).is_err());
        assert!(places(&samples(Outcome::Wrong, 10, 1.0, 0.0)).is_err());
        assert!(places(&[]).is_err());
    }
}
