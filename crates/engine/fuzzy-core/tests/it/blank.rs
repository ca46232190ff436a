//! The blank set, and trimming against the obvious definition.

use fuzzy_core::blank;
use fuzzy_testkit::texts;
use proptest::prelude::*;

#[test]
fn the_set_is_that_of_ecmascript() {
    let expected: Vec<char> = "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
         \u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}"
        .chars()
        .collect();
    let found: Vec<char> = (char::MIN..=char::MAX).filter(|c| blank::is_blank(*c)).collect();
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn trimming_equals_the_definition(text in "[ \t\n\u{a0}\u{feff}\u{85}\u{200b}aé\u{1f600}]{0,12}") {
        prop_assert_eq!(blank::trim(&text), text.trim_matches(blank::is_blank));
        prop_assert_eq!(blank::trim_start(&text), text.trim_start_matches(blank::is_blank));
        prop_assert_eq!(blank::trim_end(&text), text.trim_end_matches(blank::is_blank));
        prop_assert_eq!(blank::leading_inline(&text), text.len() - text.trim_start_matches(blank::is_inline).len());
        prop_assert_eq!(blank::trailing_inline(&text), text.len() - text.trim_end_matches(blank::is_inline).len());
        prop_assert_eq!(blank::is_blank_text(&text), text.chars().all(blank::is_blank));
    }
}
