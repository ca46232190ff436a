//! Each variant of `line-trimmed` against its definition.

use fuzzy_line_trimmed::{Ends, LineTrimmed, Unicode};
use fuzzy_testkit::naive::agrees;
use fuzzy_testkit::naive::line_trimmed::written;
use fuzzy_testkit::texts;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Characters of the table and their replacements; characters that compose, and characters that prevent composition.
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

/// Generates lines of such characters, and a needle of the haystack's with some of them in other spellings.
fn respelled() -> impl Strategy<Value = (String, String)> {
    let chars = prop_oneof![2 => Just(CHARS), 1 => Just(&["a", "ab", "K", ";", "'", " ", "\t"][..])];
    let text = chars.prop_flat_map(|chars| {
        let line = prop::collection::vec(prop::sample::select(chars), 0..5).prop_map(|chars| chars.concat());
        prop::collection::vec(line, 1..6)
    });
    let respell = |text: &str, how: usize| match how % 6 {
        0 => text.to_owned(),
        1 => written(text),
        2 => text.nfc().collect(),
        3 => text.nfd().collect(),
        4 => text.replace('\'', "’").replace('a', "\u{200b}a").replace('K', "\u{212a}"),
        _ => text.replace(' ', "\u{a0}").replace('-', "—").replace("...", "…"),
    };
    (text, 0..6_usize, 0..6_usize, prop::collection::vec(0..6_usize, 6), 0..3_usize, 0..3_usize).prop_map(
        move |(lines, from, to, how, before, after)| {
            let (from, to) = (from.min(to).min(lines.len() - 1), from.max(to).min(lines.len() - 1));
            let needle: Vec<String> =
                lines[from..=to].iter().zip(&how).map(|(line, how)| respell(line, *how)).collect();
            (lines.join("\n"), "\n".repeat(before) + &needle.join("\n") + &" \n".repeat(after))
        },
    )
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn plain_is_its_definition((haystack, needle) in prop_oneof![3 => texts::pair(), 1 => texts::respaced(), 1 => texts::repeated()]) {
        agrees(&LineTrimmed, &haystack, &needle)?;
    }

    #[test]
    fn ends_is_its_definition((haystack, needle) in prop_oneof![texts::pair(), texts::respaced()]) {
        agrees(&Ends, &haystack, &needle)?;
    }

    #[test]
    fn ends_is_its_definition_where_lines_repeat((haystack, needle) in texts::repeated()) {
        agrees(&Ends, &haystack, &needle)?;
    }

    #[test]
    fn unicode_is_its_definition((haystack, needle) in prop_oneof![3 => respelled(), 1 => texts::pair(), 1 => texts::respaced()]) {
        agrees(&Unicode, &haystack, &needle)?;
    }
}
