//! The model of a place's probability: the fitted one, and any other.

use std::borrow::Cow;

use fuzzy_adaptive::{ACCEPTED, FEATURES, FeatureKind, Model, Step, TextAccuracy};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// A place without a flaw.
fn flawless() -> [f32; FEATURES] {
    std::array::from_fn(|at| if FeatureKind::ALL[at].more_is_better { 1000.0 } else { 0.0 })
}

fn values() -> impl Strategy<Value = [f32; FEATURES]> {
    prop::array::uniform7(prop_oneof![0.0_f32..1.2, 0.0_f32..40.0])
}

/// Makes models with any steps of a fit.
fn models() -> impl Strategy<Value = Model> {
    let step = (0.0_f32..20.0, 0.0_f32..8.0).prop_map(|(limit, cost)| Step { limit, cost });
    let steps = prop::collection::vec(step, 0..4).prop_map(Cow::Owned);
    let accuracy = (0.0_f32..=1.0).prop_map(|right| TextAccuracy { name: "fence", right });
    let repairs = prop::collection::vec(accuracy, 0..2).prop_map(Cow::Owned);
    let parts = (-5.0_f32..25.0, 0.0_f32..=1.0, repairs, prop::array::uniform7(steps));
    parts.prop_map(|(perfect, plain, repairs, steps)| Model { perfect, plain, repairs, steps })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..texts::config() })]

    #[test]
    fn a_probability_lies_between_0_and_1(model in models(), values in values()) {
        for model in [model, Model::FITTED] {
            prop_assert!((0.0..=1.0).contains(&model.probability(&values)));
        }
    }

    #[test]
    fn no_flaw_helps(model in models(), values in values(), at in 0..FEATURES, other in 0.0_f32..40.0) {
        let mut changed = values;
        changed[at] = other;
        let (better, worse) =
            if (other > values[at]) == FeatureKind::ALL[at].more_is_better { (changed, values) } else { (values, changed) };
        for model in [model, Model::FITTED] {
            prop_assert!(model.probability(&better) >= model.probability(&worse));
        }
    }

    #[test]
    fn no_repair_makes_a_text_more_certain(model in models(), repairs in prop::collection::vec("fence|gutter|x", 0..4)) {
        let repairs: Vec<&str> = repairs.iter().map(String::as_str).collect();
        for model in [model, Model::FITTED] {
            for end in 0..repairs.len() {
                prop_assert!(model.text_accuracy(&repairs[..=end]) <= model.text_accuracy(&repairs[..end]));
            }
        }
    }

    #[test]
    fn contributions_add_up(model in models(), values in values()) {
        let adds = model.contributions(&values);
        prop_assert!(adds.iter().all(|adds| *adds <= 0.0));
        let log_odds = model.perfect + adds.iter().sum::<f32>();
        let probability = model.probability(&values);
        prop_assert!((probability - 1.0 / (1.0 + (-log_odds).exp())).abs() < 1e-6);
    }
}

#[test]
fn the_fitted_model_separates_good_places_from_bad_ones() {
    let model = Model::FITTED;
    assert!(model.probability(&flawless()) >= ACCEPTED);
    let worst = std::array::from_fn(|at| if FeatureKind::ALL[at].more_is_better { 0.0 } else { 1000.0 });
    assert!(model.probability(&worst) < 0.01);
    assert!(model.plain > 0.99);
    assert!(model.repairs.iter().all(|repair| (0.9..1.0).contains(&repair.right)));
    for (kind, steps) in FeatureKind::ALL.iter().zip(&model.steps) {
        assert!(steps.iter().all(|step| step.cost > 0.0), "{}", kind.name);
        assert!(steps.windows(2).all(|steps| steps[0].limit < steps[1].limit), "{}", kind.name);
    }
}

#[test]
fn a_step_costs_only_beyond_its_limit() {
    let mut steps: [Cow<'static, [Step]>; FEATURES] = Default::default();
    for steps in &mut steps {
        *steps = Cow::Owned(vec![Step { limit: 0.5, cost: 2.0 }]);
    }
    let model = Model { perfect: 5.0, plain: 1.0, repairs: Cow::default(), steps };
    let at_limit = [0.5; FEATURES];
    assert!(model.contributions(&at_limit).iter().all(|adds| adds.abs() < 1e-6));
    for (at, kind) in FeatureKind::ALL.iter().enumerate() {
        let mut values = at_limit;
        values[at] = if kind.more_is_better { 0.499 } else { 0.501 };
        assert!((model.contributions(&values)[at] + 2.0).abs() < 1e-6, "{}", kind.name);
        values[at] = if kind.more_is_better { 0.501 } else { 0.499 };
        assert!(model.contributions(&values)[at].abs() < 1e-6, "{}", kind.name);
    }
}
