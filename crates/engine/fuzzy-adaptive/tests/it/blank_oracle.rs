//! A naive search finds every place that differs from a needle only in blanks. An edit lands in one of these places,
//! and in none if two of them are equal.

use std::ops::Range;

use crate::support::decide;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Repeated lines with few distinct words, as in real files.
const LINES: &[&str] = &[
    "def total(self):",
    "return total",
    "total += price * count",
    "total += price",
    "if self.closed:",
    "if self.closed and count:",
    "raise ValueError(count)",
    "for line in lines:",
    "}",
    "else:",
    "",
    "é = \"ü\"",
];

const INDENTS: &[&str] = &["", "    ", "        ", "\t", "\t\t"];

fn file() -> impl Strategy<Value = Vec<String>> {
    let line = (prop::sample::select(INDENTS), prop::sample::select(LINES));
    prop::collection::vec(line.prop_map(|(indent, line)| format!("{indent}{line}")), 1..30)
}

/// Writes a line with other blanks, but with blanks where it had some.
fn drifted(line: &str, kind: usize) -> String {
    match kind {
        0 => line.to_owned(),
        1 => line.trim().to_owned(),
        2 => format!("  {line} "),
        3 => line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("  "),
        _ => line.replace('\t', "    "),
    }
}

/// Returns the words of some lines.
fn words(lines: &[impl AsRef<str>]) -> Vec<Vec<&str>> {
    lines.iter().map(|line| line.as_ref().split_whitespace().collect()).collect()
}

/// Finds the places that have the needle's words on each line, in bytes of the file.
fn places(file: &[String], needle: &[String]) -> Vec<Range<usize>> {
    let start_of = |line: usize| file[..line].iter().map(|line| line.len() + 1).sum::<usize>();
    let last = (file.len() + 1).saturating_sub(needle.len());
    let is_there = |at: &usize| words(&file[*at..*at + needle.len()]) == words(needle);
    (0..last).filter(is_there).map(|at| start_of(at)..start_of(at + needle.len())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..texts::config() })]

    #[test]
    fn lands_on_the_same_words_or_nowhere(
        file in file(),
        first in any::<prop::sample::Index>(),
        length in 1..8_usize,
        kinds in prop::collection::vec(0..5_usize, 8),
        changed in any::<prop::sample::Index>(),
    ) {
        let first = first.index(file.len());
        let block = &file[first..(first + length).min(file.len())];
        let needle: Vec<String> = block.iter().zip(kinds).map(|(line, kind)| drifted(line, kind)).collect();
        // Blank lines at an end have no certain counterpart in the file.
        let is_blank = |line: Option<&String>| line.is_some_and(|line| line.trim().is_empty());
        prop_assume!(!is_blank(needle.first()) && !is_blank(needle.last()));
        // An exact place, perhaps inside longer lines, has priority.
        prop_assume!(!file.join("\n").contains(&needle.join("\n")));
        let mut replacement = needle.clone();
        replacement[changed.index(needle.len())] = "something = new".to_owned();

        let text = file.join("\n") + "\n";
        let old = needle.join("\n");
        if let Ok(applied) = decide(&text, &old, &replacement.join("\n"), false).applied {
            let output = applied.output;
            let places = places(&file, &needle);
            // Everything around the place is as it was.
            let is_there = |place: &&Range<usize>| {
                let (before, after) = (&text[..place.start], &text[place.end..]);
                output.len() >= before.len() + after.len() && output.starts_with(before) && output.ends_with(after)
            };
            let landed: Vec<_> = places.iter().filter(is_there).collect();
            prop_assert!(!landed.is_empty(), "{:?} in {:?}: {:?}", old, text, applied.replaced);
            let is_alone = |place: &&Range<usize>| {
                places.iter().filter(|other| text[(*other).clone()] == text[(*place).clone()]).count() == 1
            };
            prop_assert!(landed.iter().any(is_alone), "{:?} in {:?}: {:?}", old, text, applied.replaced);
        }
    }
}
