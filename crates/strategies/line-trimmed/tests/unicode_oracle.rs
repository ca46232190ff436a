//! `line-trimmed/unicode` against its definition, tried on every window.

use fuzzy_core::{Span, blank};
use fuzzy_line_trimmed::Unicode;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// The table as a list, one row a character.
fn written(c: char) -> String {
    let rows: [(&str, &str); 6] = [
        ("\u{2018}\u{2019}\u{201a}\u{201b}\u{2032}", "'"),
        ("\u{201c}\u{201d}\u{201e}\u{201f}\u{2033}", "\""),
        ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}", "-"),
        ("\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}", ""),
        ("\u{2026}", "..."),
        ("\t\r ", "same"),
    ];
    match rows.iter().find(|(row, _)| row.contains(c)) {
        Some((_, "same")) => c.to_string(),
        Some((_, written)) => (*written).to_owned(),
        None if blank::is_blank(c) => " ".to_owned(),
        None => c.to_string(),
    }
}

/// Lines without their `\n`, in one spelling, without the blanks at their ends.
fn normal(line: &str) -> String {
    let line: String = line.chars().map(written).collect::<String>().nfc().collect();
    line.trim_end_matches(blank::is_blank).to_owned()
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let normals: Vec<String> = needle.split('\n').map(normal).collect();
    let Some(first) = normals.iter().position(|line| !line.is_empty()) else { return Vec::new() };
    let last = normals.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
    let needle = &normals[first..=last];
    let is_place = |span: &Span| span.text(haystack).split('\n').map(normal).eq(needle.iter().cloned());
    windows(haystack, needle.len()).into_iter().filter(is_place).map(|span| (span.start(), span.end())).collect()
}

/// Characters that become others, and those that they become; what composes, and what keeps it from composing.
const CHARS: &[&str] = &[
    "'",
    "’",
    "′",
    "\"",
    "“",
    "-",
    "–",
    "−",
    "...",
    "…",
    ".",
    " ",
    "\u{a0}",
    "\u{b}",
    "\u{2028}",
    "\t",
    "\r",
    "\u{200b}",
    "\u{feff}",
    "e",
    "é",
    "e\u{301}",
    "\u{301}",
    "e\u{200d}\u{301}",
    "K",
    "\u{212a}",
    ";",
    "\u{37e}",
    "`",
    "\u{1fef}",
    "a",
    "ab",
    "(",
    "\u{2000}",
    "\u{1e9b}\u{323}",
    "q\u{323}\u{307}",
    "q\u{307}\u{323}",
];

/// Generates lines of such characters, and a needle made of the haystack's with some of them written otherwise.
fn respelled() -> impl Strategy<Value = (String, String)> {
    let chars = prop_oneof![2 => Just(CHARS), 1 => Just(&["a", "ab", "K", ";", "'", " ", "\t"][..])];
    let text = chars.prop_flat_map(|chars| {
        let line = prop::collection::vec(prop::sample::select(chars), 0..5).prop_map(|chars| chars.concat());
        prop::collection::vec(line, 1..6)
    });
    let respell = |text: &str, how: usize| match how % 6 {
        0 => text.to_owned(),
        1 => text.chars().map(written).collect(),
        2 => text.nfc().collect(),
        3 => text.nfd().collect(),
        4 => text.replace('\'', "’").replace('a', "\u{200b}a").replace('K', "\u{212a}"),
        _ => text.replace(' ', "\u{a0}").replace('-', "—").replace("...", "…"),
    };
    (text, 0..6_usize, 0..6_usize, prop::collection::vec(0..6_usize, 6), 0..3_usize, 0..3_usize).prop_map(
        move |(lines, from, to, how, before, behind)| {
            let (from, to) = (from.min(to).min(lines.len() - 1), from.max(to).min(lines.len() - 1));
            let needle: Vec<String> =
                lines[from..=to].iter().zip(&how).map(|(line, how)| respell(line, *how)).collect();
            (lines.join("\n"), "\n".repeat(before) + &needle.join("\n") + &" \n".repeat(behind))
        },
    )
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![3 => respelled(), 1 => texts::pair(), 1 => texts::respaced()]) {
        prop_assert_eq!(spans(&Unicode, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Unicode, &haystack, &needle);
    }
}
