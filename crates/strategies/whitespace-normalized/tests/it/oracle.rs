//! Each variant of `whitespace-normalized` against its definition.

use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use fuzzy_whitespace_normalized::{Collapsed, Inline, WhitespaceNormalized};
use proptest::prelude::*;

/// Texts with many near matches and overlapping matches.
fn repetitive() -> impl Strategy<Value = (String, String)> {
    ("([ab]{1,2}[ \n\u{3000}]{1,2}){0,12}", "[ \n]{0,1}([ab]{1,2}[ \n]{1,2}){0,3}[ab]{0,2}")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_is_its_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 3 => texts::respaced(), 1 => texts::repeated(), 3 => repetitive()]) {
        agrees(&WhitespaceNormalized, &haystack, &needle)?;
    }

    #[test]
    fn inline_is_its_definition((haystack, needle) in texts::respaced()) {
        agrees(&Inline, &haystack, &needle)?;
    }

    #[test]
    fn inline_is_its_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        agrees(&Inline, &haystack, &needle)?;
    }

    #[test]
    fn collapsed_is_its_definition((haystack, needle) in texts::respaced()) {
        agrees(&Collapsed, &haystack, &needle)?;
    }

    #[test]
    fn collapsed_is_its_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        agrees(&Collapsed, &haystack, &needle)?;
    }
}
