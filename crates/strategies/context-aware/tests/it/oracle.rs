//! `context-aware` against its definition.

use fuzzy_context_aware::ContextAware;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Texts with so few different lines that anchors, near misses and overlapping blocks are frequent.
fn blocks() -> impl Strategy<Value = (String, String)> {
    ("([ ]{0,1}[abc]{0,1}\n){0,16}[abc]{0,1}", "([abc]{0,1}\n){0,7}[abc]{0,1}")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn context_aware_is_its_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 3 => blocks()]) {
        agrees(&ContextAware, &haystack, &needle)?;
    }
}
