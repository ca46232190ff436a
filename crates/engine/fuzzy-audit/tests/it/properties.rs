//! Properties of every landing, right or wrong.

use fuzzy_audit::{Equivalences, Landing, Law, audit};
use fuzzy_testkit::small_edits::slipped;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Lines from few words, so that repetitions, shared lines and mixed ones are frequent.
fn block() -> impl Strategy<Value = String> {
    let word =
        prop::sample::select(&["a", "b", "let", "f(", ")", "{", "}", ",", ";", "'", "\"", "we're", "1", " "][..]);
    let line = (0..3_usize, prop::collection::vec(word, 0..6))
        .prop_map(|(depth, words)| format!("{}{}\n", "    ".repeat(depth), words.concat()));
    prop::collection::vec(line, 0..7).prop_map(|lines| lines.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![block(), texts::text(6), any::<String>()]
}

fn verdict(place: &str, needle: &str, new: &str, result: &str) -> Result<(), Law> {
    let landing = Landing { place, needle, new, result, ..Landing::default() };
    audit(&landing, Equivalences::between(place, needle)).map_err(|broken| broken.law)
}

proptest! {
    #![proptest_config(texts::config())]

    /// If the needle is the place, the new text lands.
    #[test]
    fn an_exact_needle_lands_its_new_text(place in any_text(), new in any_text()) {
        prop_assert_eq!(verdict(&place, &place, &new, &new), Ok(()));
    }

    /// An edit without a change changes nothing, whatever the needle omits or misspells.
    #[test]
    fn an_edit_without_a_change_keeps_the_place(place in any_text(), needle in any_text()) {
        prop_assert_eq!(verdict(&place, &needle, &needle, &place), Ok(()));
    }

    /// If the file already has the new text, the new text lands.
    #[test]
    fn a_new_text_equal_to_the_place_is_kept(place in any_text(), needle in any_text()) {
        prop_assert_eq!(verdict(&place, &needle, &place, &place), Ok(()));
    }

    /// No text makes it panic, and a broken law names a line of the result.
    #[test]
    fn every_landing_has_a_verdict(place in any_text(), needle in any_text(), new in any_text(), result in any_text()) {
        for equivalences in [Equivalences::default(), Equivalences { quotes: true, typography: true, escapes: true }] {
            let landing = Landing { place: &place, needle: &needle, new: &new, result: &result, ..Landing::default() };
            if let Err(broken) = audit(&landing, equivalences) {
                prop_assert!(broken.line < result.split('\n').count(), "{}", broken);
            }
        }
    }

    /// The intended result keeps every law, whatever slip the needle has.
    #[test]
    fn the_intended_result_is_never_refused(edit in slipped().prop_filter("the new text has the slip", |edit| edit.new == edit.expected)) {
        prop_assert_eq!(verdict(&edit.place, &edit.needle, &edit.new, &edit.expected), Ok(()));
    }

    /// A word of neither text always breaks a law.
    #[test]
    fn a_foreign_word_is_refused(place in block(), needle in block(), new in block(), at in any::<prop::sample::Index>()) {
        let mut lines: Vec<&str> = new.split_inclusive('\n').collect();
        lines.insert(at.index(lines.len() + 1), "foreign\n");
        prop_assert_eq!(verdict(&place, &needle, &new, &lines.concat()), Err(Law::Words));
    }
}
