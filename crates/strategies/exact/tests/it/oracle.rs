//! `exact` against its definition.

use fuzzy_exact::Exact;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn exact_is_its_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::repetitive()]) {
        agrees(&Exact, &haystack, &needle)?;
    }
}
