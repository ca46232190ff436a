//! `escape-normalized` against its definition, tried at every offset and on every window of lines.

use fuzzy_escape_normalized::EscapeNormalized;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let escape = if c == '\\' { rest.peek().and_then(|c| escape(*c)) } else { None };
        out.push(escape.unwrap_or(c));
        if escape.is_some() {
            rest.next();
        }
    }
    out
}

fn escape(c: char) -> Option<char> {
    match c {
        'n' | '\n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '\'' | '"' | '`' | '\\' | '$' => Some(c),
        _ => None,
    }
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    if needle.is_empty() {
        return Vec::new();
    }
    let wanted = unescaped(needle);
    let starts = (0..haystack.len()).filter(|at| haystack.as_bytes()[*at..].starts_with(wanted.as_bytes()));
    let mut found: Vec<_> = starts.map(|at| (at, at + wanted.len())).collect();
    let equal = windows(haystack, wanted.split('\n').count()).into_iter().filter(|window| {
        let text = window.text(haystack);
        text != wanted && unescaped(text) == wanted
    });
    found.extend(equal.map(|window| (window.start(), window.end())));
    found
}

/// Texts of little but backslashes and what may occur after them.
const PARTS: &[&str] =
    &["\\", "\\\\", "\\n", "\\t", "\\r", "\n", "\t", "\r", "\"", "\\\"", "'", "`", "$", "\\$", "a", "d", "é"];

/// A needle of such parts, or what lines of the haystack say without their escape sequences.
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

/// Such texts, repeated so often that a search around places is given up for a scan.
fn repeated() -> impl Strategy<Value = (String, String)> {
    (escapes(), 100..300_usize)
        .prop_map(|((some, needle), times)| (some.repeat(times.min(10_000 / some.len().max(1))), needle))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 4 => escapes(), 1 => repeated()]) {
        prop_assert_eq!(spans(&EscapeNormalized, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&EscapeNormalized, &haystack, &needle);
    }
}
