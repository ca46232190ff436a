//! `escape-normalized` against its definition.

use fuzzy_escape_normalized::EscapeNormalized;
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::naive::escape_normalized::unescaped;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Texts of backslashes and the characters that may follow them.
const PARTS: &[&str] =
    &["\\", "\\\\", "\\n", "\\t", "\\r", "\n", "\t", "\r", "\"", "\\\"", "'", "`", "$", "\\$", "a", "d", "é"];

/// A needle of such parts, or some lines of the haystack without their escape sequences.
fn escapes() -> impl Strategy<Value = (String, String)> {
    let text = |most| prop::collection::vec(prop::sample::select(PARTS), 0..most).prop_map(|parts| parts.concat());
    let related = (text(14), any::<prop::sample::Index>(), 1..4_usize).prop_map(|(haystack, from, count)| {
        let lines: Vec<&str> = haystack.split('\n').collect();
        let from = from.index(lines.len());
        let needle = unescaped(&lines[from..(from + count).min(lines.len())].join("\n"));
        (haystack, needle)
    });
    prop_oneof![(text(14), text(5)), related]
}

/// Such texts, repeated so often that a search around places falls back to a scan.
fn repeated() -> impl Strategy<Value = (String, String)> {
    (escapes(), 100..300_usize)
        .prop_map(|((some, needle), times)| (some.repeat(times.min(10_000 / some.len().max(1))), needle))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn escape_normalized_is_its_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 4 => escapes(), 1 => repeated()]) {
        agrees(&EscapeNormalized, &haystack, &needle)?;
    }
}
