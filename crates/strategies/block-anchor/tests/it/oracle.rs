//! Each variant of `block-anchor` against its definition.

use fuzzy_block_anchor::{BlockAnchor, Whole};
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn lines(most: usize) -> impl Strategy<Value = String> {
    let line = prop_oneof!["[xy]{0,4}", "[ ]{0,1}[ab]", "[é\u{1f600}x]{0,3}"];
    prop::collection::vec(line, 0..most).prop_map(|lines| lines.iter().map(|line| line.clone() + "\n").collect())
}

/// Texts with so few different anchors that most needles have several blocks, with more and less similar inner lines.
fn anchored() -> impl Strategy<Value = (String, String)> {
    let end = prop::sample::select(&["b\n", "b\n", "  b\r\n", ""][..]);
    let block = (lines(5), end).prop_map(|(inner, end)| format!("a\n{inner}{end}"));
    let needle =
        (lines(6), prop::sample::select(&["b", "b\n"][..])).prop_map(|(inner, end)| format!(" a\n{inner}{end}"));
    (prop::collection::vec(block, 0..8).prop_map(|blocks| blocks.concat()), needle)
}

/// More characters than a machine word has bits.
const LONG: &str = "a line that is longer than the sixty-four characters of a machine word";

/// Generates blocks with few kinds of anchors and inner lines, including characters of two code units.
fn braced() -> impl Strategy<Value = (String, String)> {
    let line = prop::sample::select(
        &["{", "{", "}", "\t}", " {", "", "a", "b", "ab cd ef", "\u{1f600}", "\u{1f601}\u{1f600}", "é", LONG][..],
    );
    let end = prop::sample::select(&["", "\n", "\n\n"][..]);
    let haystack = (prop::collection::vec(line.clone(), 0..14), 1..4_usize);
    (haystack, prop::collection::vec(line, 0..6), end, any::<bool>()).prop_map(
        |((lines, times), inner, end, braces)| {
            let haystack = vec![lines.join("\n"); times];
            let inner = inner.join("\n");
            let needle = if braces { format!("{{\n{inner}\n}}") } else { inner };
            (haystack.join("\n"), needle + end)
        },
    )
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_and_guarded_are_their_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 4 => anchored()]) {
        agrees(&BlockAnchor::PLAIN, &haystack, &needle)?;
        agrees(&BlockAnchor::GUARDED, &haystack, &needle)?;
    }

    #[test]
    fn whole_is_its_definition((haystack, needle) in prop_oneof![3 => braced(), 1 => texts::mistyped(), 1 => texts::pair()]) {
        agrees(&Whole, &haystack, &needle)?;
    }
}
