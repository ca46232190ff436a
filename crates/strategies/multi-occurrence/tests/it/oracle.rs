//! `multi-occurrence` against its definition.

use fuzzy_multi_occurrence::MultiOccurrence;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn multi_occurrence_is_its_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::repetitive()]) {
        agrees(&MultiOccurrence, &haystack, &needle)?;
    }
}
