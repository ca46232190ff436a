//! `levenshtein` against its definition.

use fuzzy_levenshtein::Levenshtein;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn levenshtein_is_its_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        agrees(&Levenshtein, &haystack, &needle)?;
    }
}
