//! `indentation-flexible` against its definition, tried on every window of lines.

use fuzzy_core::blank::is_blank;
use fuzzy_indentation_flexible::IndentationFlexible;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn dedented(text: &str) -> String {
    let is_blank_line = |line: &str| line.chars().all(is_blank);
    let indents = text
        .split('\n')
        .filter(|line| !is_blank_line(line))
        .map(|line| line.chars().take_while(|c| is_blank(*c)).count());
    let Some(shared) = indents.min() else { return text.to_owned() };
    let lines = text
        .split('\n')
        .map(|line| if is_blank_line(line) { line.to_owned() } else { line.chars().skip(shared).collect() });
    lines.collect::<Vec<_>>().join("\n")
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let windows = windows(haystack, needle.split('\n').count()).into_iter();
    let found = windows.filter(|window| !needle.is_empty() && dedented(window.text(haystack)) == dedented(needle));
    found.map(|window| (window.start(), window.end())).collect()
}

/// A needle and a haystack of lines that differ in their indentation alone.
fn indented() -> impl Strategy<Value = (String, String)> {
    let lines =
        |most| prop::collection::vec("[ \t\u{3000}]{0,3}[ab]{0,1}[ ]{0,1}", 1..most).prop_map(|lines| lines.join("\n"));
    (lines(12), lines(4))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 2 => indented()]) {
        prop_assert_eq!(spans(&IndentationFlexible, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&IndentationFlexible, &haystack, &needle);
    }
}
