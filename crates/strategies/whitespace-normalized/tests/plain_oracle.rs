//! `whitespace-normalized` against its definition, tried on every line and every window of lines.

use fuzzy_core::blank::is_blank;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use fuzzy_whitespace_normalized::WhitespaceNormalized;
use proptest::prelude::*;

fn words(text: &str) -> Vec<&str> {
    text.split(is_blank).filter(|word| !word.is_empty()).collect()
}

/// Returns the length of the text at the start of `text` that is `words` with blanks between them.
fn prefix(text: &str, words: &[&str]) -> Option<usize> {
    let mut rest = text;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            let behind = rest.trim_start_matches(is_blank);
            if behind.len() == rest.len() {
                return None;
            }
            rest = behind;
        }
        rest = rest.strip_prefix(word)?;
    }
    Some(text.len() - rest.len())
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    if needle.is_empty() {
        return Vec::new();
    }
    let wanted = words(needle);
    let mut found = Vec::new();
    for line in windows(haystack, 1) {
        let text = line.text(haystack);
        if words(text) == wanted {
            found.push((line.start(), line.end()));
        } else if wanted.is_empty() {
            found.extend([(line.start(), line.start()), (line.end(), line.end())]);
        } else if words(text).join(" ").contains(&wanted.join(" ")) {
            let place = text.char_indices().find_map(|(at, _)| prefix(&text[at..], &wanted).map(|length| (at, length)));
            found.extend(place.map(|(at, length)| (line.start() + at, line.start() + at + length)));
        }
    }
    let lines = needle.split('\n').count();
    if lines > 1 {
        let equal = windows(haystack, lines).into_iter().filter(|window| words(window.text(haystack)) == wanted);
        found.extend(equal.map(|window| (window.start(), window.end())));
    }
    found
}

/// Texts in which many places nearly match and matches overlap.
fn repetitive() -> impl Strategy<Value = (String, String)> {
    ("([ab]{1,2}[ \n\u{3000}]{1,2}){0,12}", "[ \n]{0,1}([ab]{1,2}[ \n]{1,2}){0,3}[ab]{0,2}")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 3 => texts::respaced(), 1 => texts::repeated(), 3 => repetitive()]) {
        prop_assert_eq!(spans(&WhitespaceNormalized, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&WhitespaceNormalized, &haystack, &needle);
    }
}
