//! Each variant of `trimmed-boundary` against its definition.

use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use fuzzy_trimmed_boundary::{Text, TrimmedBoundary};
use proptest::prelude::*;

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_is_its_definition((haystack, needle) in prop_oneof![texts::pair(), texts::respaced()]) {
        agrees(&TrimmedBoundary, &haystack, &needle)?;
    }

    #[test]
    fn text_is_its_definition((haystack, needle) in prop_oneof![texts::respaced(), texts::pair()]) {
        agrees(&Text, &haystack, &needle)?;
    }
}
