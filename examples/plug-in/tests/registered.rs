//! The strategy joins `registered` by its priority, works there, and changes no other ladder.

use fuzzy_ignore_case::IgnoreCase;
use fuzzy_pipeline::{Document, Edit, Ladder, Pipeline, ladder, registry};
use fuzzy_testkit::{contract, spans, texts};
use proptest::prelude::*;

fn names(ladder: &Ladder) -> Vec<&'static str> {
    ladder.strategies().iter().map(|strategy| strategy.name()).collect()
}

#[test]
fn stands_in_registered_where_its_priority_puts_it() {
    fuzzy_ignore_case::link();
    let ladder = ladder::registered().unwrap();
    let names = names(&ladder);
    let at = names.iter().position(|name| *name == "ignore-case").expect("the plug-in is not registered");
    let priorities: Vec<_> = registry().entries().iter().map(fuzzy_pipeline::Registration::priority).collect();
    assert_eq!(priorities[at], 11);
    assert!(priorities[..at].iter().all(|priority| *priority <= 11), "{names:?} {priorities:?}");
    assert!(priorities[at + 1..].iter().all(|priority| *priority >= 11), "{names:?} {priorities:?}");
    assert_eq!(names[..2], ["exact", "ignore-case"]);
    assert!(names.len() > 2, "the engine's own strategies are not registered");
}

#[test]
fn is_in_no_other_ladder() {
    fuzzy_ignore_case::link();
    for name in ladder::names().filter(|name| *name != "registered") {
        let names = names(&ladder::named(name).unwrap());
        assert!(!names.contains(&"ignore-case"), "{name}: {names:?}");
    }
}

#[test]
fn wins_where_only_the_case_differs() {
    fuzzy_ignore_case::link();
    let pipeline = Pipeline::new(ladder::registered().unwrap());
    let file = Document::new("let Total = 1;\nlet tota = 2;\n");
    let edit = Edit::new("let total = 1;", "let sum = 1;");
    let applied = edit.run(&pipeline, &file).unwrap();
    assert_eq!(applied.found.strategy, "ignore-case");
    assert_eq!(applied.output, "let sum = 1;\nlet tota = 2;\n");
}

#[test]
fn refuses_other_letters_and_other_blanks() {
    assert_eq!(spans(&IgnoreCase, "aB ab", "Ab"), [(0, 2), (3, 5)]);
    assert_eq!(spans(&IgnoreCase, "É", "é"), []);
    assert_eq!(spans(&IgnoreCase, "a  b", "A B"), []);
    assert_eq!(spans(&IgnoreCase, "a", "ab"), []);
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn keeps_the_contract((haystack, needle) in texts::pair()) {
        contract::assert_contract(&IgnoreCase, &haystack, &needle);
    }
}
