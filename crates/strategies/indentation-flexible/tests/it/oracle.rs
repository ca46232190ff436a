//! Each variant of `indentation-flexible` against its definition.

use fuzzy_indentation_flexible::{IndentationFlexible, Stripped};
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// A needle and a haystack of lines that only differ in their indentation.
fn indented() -> impl Strategy<Value = (String, String)> {
    let lines =
        |most| prop::collection::vec("[ \t\u{3000}]{0,3}[ab]{0,1}[ ]{0,1}", 1..most).prop_map(|lines| lines.join("\n"));
    (lines(12), lines(4))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_is_its_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 2 => indented()]) {
        agrees(&IndentationFlexible, &haystack, &needle)?;
    }

    #[test]
    fn stripped_is_its_definition((haystack, needle) in texts::respaced()) {
        agrees(&Stripped, &haystack, &needle)?;
    }

    #[test]
    fn stripped_is_its_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        agrees(&Stripped, &haystack, &needle)?;
    }
}
