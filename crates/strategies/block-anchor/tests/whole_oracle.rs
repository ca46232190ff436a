//! `block-anchor/whole` against its definition, tried on every pair of lines.

use fuzzy_block_anchor::Whole;
use fuzzy_core::{Candidate, Similarity, Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::naive::utf16_distance;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

fn trim(line: &str) -> &str {
    line.trim_matches(blank::is_blank)
}

fn by_definition(haystack: &str, needle: &str) -> Vec<Candidate> {
    let text = needle.strip_suffix('\n').unwrap_or(needle);
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() < 3 {
        return Vec::new();
    }
    let there = windows(haystack, 1);
    let mut blocks = Vec::new();
    for (at, opening) in there.iter().enumerate() {
        for closing in there.iter().skip(at + 2) {
            let is_first = trim(opening.text(haystack)) == trim(lines[0]);
            if is_first && trim(closing.text(haystack)) == trim(lines[lines.len() - 1]) {
                let block = Span::new(opening.start(), closing.end());
                let length = |text: &str| text.encode_utf16().count();
                let longer = length(block.text(haystack)).max(length(text));
                let distance = utf16_distance(text, block.text(haystack));
                blocks.push(Candidate::new(block, Similarity::of_distance(distance, longer)));
            }
        }
    }
    let least = if blocks.len() == 1 { 0.0 } else { 0.3 };
    let Some(best) = blocks.iter().map(|block| block.similarity).max() else { return Vec::new() };
    blocks.retain(|block| block.similarity == best && best.get() >= least);
    blocks
}

/// More than one machine word of characters.
const LONG: &str = "a line that is longer than the sixty-four characters of a machine word";

/// Generates blocks with few kinds of anchors and of inner lines, characters of two code units among them.
fn blocks() -> impl Strategy<Value = (String, String)> {
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
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => blocks(), 1 => texts::mistyped(), 1 => texts::pair()]) {
        prop_assert_eq!(candidates(&Whole, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Whole, &haystack, &needle);
    }
}
