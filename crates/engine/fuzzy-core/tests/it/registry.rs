//! The order and the names of a registry, whatever order the linker gave.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Ladder, LadderError, Policy, Query, Registration, Registry, Strategy};
use fuzzy_testkit::texts;
use proptest::prelude::{Just, Strategy as _, prop_assert_eq, proptest};

#[derive(Debug)]
struct Named(&'static str);

impl Strategy for Named {
    fn name(&self) -> &'static str {
        self.0
    }

    fn candidates(&self, _: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

static STRATEGIES: [Named; 4] = [Named("b"), Named("a"), Named("c"), Named("d")];

fn entries() -> Vec<Registration> {
    STRATEGIES.iter().zip([20, 20, 10, 30]).map(|(strategy, priority)| Registration::new(strategy, priority)).collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn any_order_of_registration_gives_the_same_ladder(entries in Just(entries()).prop_shuffle()) {
        let registry = Registry::new(entries);
        let ladder = Ladder::of_all("all", &Policy::Refuse, &registry)?;
        let names: Vec<_> = ladder.strategies().iter().map(|strategy| strategy.name()).collect();
        prop_assert_eq!(names, ["c", "a", "b", "d"]);
    }
}

#[test]
fn a_duplicate_name_fails_only_the_ladders_that_list_it() {
    let registry = Registry::new(entries().into_iter().chain([Registration::new(&Named("a"), 90)]));
    let error = LadderError::Duplicate { name: "a".to_owned() };
    assert_eq!(Ladder::of_names("x", &Policy::Refuse, &registry, &["c", "a"]).err(), Some(error.clone()));
    assert_eq!(Ladder::of_all("all", &Policy::Refuse, &registry).err(), Some(error));
    assert!(Ladder::of_names("x", &Policy::Refuse, &registry, &["c", "b"]).is_ok());
}

#[test]
fn a_missing_name_is_named() {
    let error = Ladder::of_names("x", &Policy::Refuse, &Registry::new(entries()), &["z"]).unwrap_err();
    assert_eq!(error.to_string(), "no strategy named `z` is linked; enable the cargo feature that brings it");
}
