//! `block-aligned` against its definition.

use fuzzy_block_aligned::BlockAligned;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Generates lines in a few indentations, and a needle of the same lines moved.
fn moved_block() -> impl Strategy<Value = (String, String)> {
    let indent = prop::sample::select(&["", " ", "  ", "\t", "\t ", " \t", "\u{3000}", "\u{3000} "][..]);
    let ink = prop::sample::select(&["a", "a", "b", "}", ""][..]);
    let end = prop::sample::select(&["", "", " ", "\r"][..]);
    let lines = prop::collection::vec((indent.clone(), ink, end), 1..9);
    (lines, 0..9_usize, 0..9_usize, indent.clone(), indent, any::<bool>()).prop_map(
        |(lines, from, to, off, on, closed)| {
            let haystack: Vec<String> = lines.iter().map(|(indent, ink, end)| format!("{indent}{ink}{end}")).collect();
            let (from, to) = (from.min(to).min(lines.len() - 1), from.max(to).min(lines.len() - 1));
            let needle: Vec<String> =
                haystack[from..=to].iter().map(|line| on.to_owned() + line.strip_prefix(off).unwrap_or(line)).collect();
            (haystack.join("\n"), needle.join("\n") + if closed { "\n" } else { "" })
        },
    )
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn block_aligned_is_its_definition((haystack, needle) in prop_oneof![
        3 => moved_block(), 2 => texts::pair(), 1 => texts::respaced(), 1 => texts::repeated(),
    ]) {
        agrees(&BlockAligned, &haystack, &needle)?;
    }
}
