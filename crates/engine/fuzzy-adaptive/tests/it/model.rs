//! The fitted accuracies of texts, and any other.

use std::borrow::Cow;

use fuzzy_adaptive::{Model, TextAccuracy};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Makes models with any accuracies of a fit.
fn models() -> impl Strategy<Value = Model> {
    let accuracy = (0.0_f32..=1.0).prop_map(|right| TextAccuracy { name: "fence", right });
    let repairs = prop::collection::vec(accuracy, 0..2).prop_map(Cow::Owned);
    (0.0_f32..=1.0, repairs).prop_map(|(plain, repairs)| Model { plain, repairs })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..texts::config() })]

    #[test]
    fn no_repair_makes_a_text_more_certain(model in models(), repairs in prop::collection::vec("fence|gutter|x", 0..4)) {
        let repairs: Vec<&str> = repairs.iter().map(String::as_str).collect();
        for model in [model, Model::FITTED] {
            for end in 0..repairs.len() {
                prop_assert!(model.text_accuracy(&repairs[..=end]) <= model.text_accuracy(&repairs[..end]));
            }
        }
    }
}

#[test]
fn the_fitted_accuracies_are_high() {
    assert!(Model::FITTED.text_accuracy(&[]) > 0.99);
    assert!(Model::FITTED.repairs.iter().all(|repair| (0.9..1.0).contains(&repair.right)));
}
