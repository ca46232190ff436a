//! Learns the accuracy of texts: each repair may spoil a text by itself, and a wrong text is shared out among its repairs
//! (expectation maximisation of a noisy or).
//!
//! A repair that few cases have is taken to be as accurate as an average one. The same cases give the same model.

use std::collections::BTreeMap;

use fuzzy_adaptive::{Model, TextAccuracy, UNMEASURED};

use crate::fit::samples::Sample;

/// The landings with an average accuracy that are added to those of each repair.
const ADDED: f64 = 50.0;

/// The rounds of the fit of the repairs: more change no digit.
const ROUNDS_OF_REPAIRS: usize = 200;

/// Learns the accuracy of texts, with and without each repair, from accepted samples.
pub(super) fn texts(samples: &[Sample]) -> Model {
    /// Stands for all that spoils a text without a repair.
    const PLAIN: &str = "";
    let landings = samples.iter().filter(|sample| sample.is_accepted);
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
    let repairs = measured.map(|&name| TextAccuracy { name, right: right(name) }).collect();
    Model { plain: right(PLAIN), repairs }
}

/// Returns a number in the engine's precision; the lost digits do not matter.
#[expect(clippy::cast_possible_truncation)]
const fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use fuzzy_adaptive::UNMEASURED;

    use super::{Sample, texts};

    #[test]
    fn a_wrong_text_is_shared_out_among_its_repairs() {
        let of_texts = |repairs: &[&'static str], right: usize, other: usize| {
            let sample = |is_equal| Sample { repairs: repairs.to_vec(), is_accepted: true, is_equal };
            [vec![sample(true); right], vec![sample(false); other]].concat()
        };
        let samples = [
            of_texts(&[], 10_000, 0),
            of_texts(&["fence"], 900, 100),
            of_texts(&["wrapped"], 10_000, 0),
            of_texts(&["fence", "wrapped"], 900, 100),
            of_texts(&["rare"], 1, 0),
            vec![Sample { repairs: vec!["wrapped"], is_accepted: false, is_equal: false }; 1000],
        ];
        let model = texts(&samples.concat());
        let said = [&["fence"][..], &["wrapped"], &["fence", "wrapped"]].map(|repairs| model.text_accuracy(repairs));
        assert!((0.89..0.91).contains(&said[0]) && said[1] > 0.99 && (0.89..0.91).contains(&said[2]), "{model:?}");
        // Where nearly nothing was measured, a repair is an average one.
        assert!((model.accuracy("rare") - UNMEASURED).abs() < 0.001, "{model:?}");
        assert!((model.accuracy("never seen") - UNMEASURED).abs() < 1e-6, "{model:?}");
        assert!(model.text_accuracy(&[]) > 0.99, "{model:?}");
    }
}
