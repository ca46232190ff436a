//! Each variant of `best-window` against its definition.

use fuzzy_best_window::{BestWindow, Boocode};
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_is_its_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        agrees(&BestWindow, &haystack, &needle)?;
    }

    #[test]
    fn boocode_is_its_definition((haystack, needle) in prop_oneof![3 => texts::mistyped(), 1 => texts::pair()]) {
        agrees(&Boocode, &haystack, &needle)?;
    }
}
