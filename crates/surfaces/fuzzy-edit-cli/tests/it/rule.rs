//! `rule`: every rule is listed, and explained by its cases.

use crate::support::Place;

#[test]
fn every_listed_rule_is_explained_by_a_refusal_and_a_near_miss() {
    let place = Place::new();
    let list = place.run(&["rule"]);
    let names: Vec<&str> = list.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(list.code == 0 && names.contains(&"different-value") && names.contains(&"law-lines"), "{list:?}");
    for name in names {
        let answer = place.run(&["rule", name]);
        assert_eq!(answer.code, 0, "{answer:?}");
        assert!(answer.out.starts_with(&format!("{name} refuses an edit because ")), "{}", answer.out);
        let (before, lands) = answer.out.split_once("\nLands: ").expect("a near miss");
        assert!(lands.contains("  the file changes:\n"), "{name}: {lands}");
        let refused = before.split_once("\nRefused: ");
        assert!(
            refused.is_some_and(|(_, refused)| !refused.contains("the file changes"))
                || before.contains("no small case"),
            "{name}: {before}"
        );
    }
}

#[test]
fn a_rule_is_explained_as_a_person_reads_it() {
    let answer = Place::new().run(&["rule", "torn-word"]);
    fuzzy_testkit::assert_snapshot!("rule", answer.out);
}

#[test]
fn a_misspelt_name_gets_the_right_one() {
    let answer = Place::new().run(&["rule", "torn-wrd"]);
    assert!(answer.code == 2 && answer.err.contains("'torn-word'"), "{answer:?}");
}
