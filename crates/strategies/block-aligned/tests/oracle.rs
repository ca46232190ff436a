//! The rung against its definition, tried on every window.

use fuzzy_block_aligned::BlockAligned;
use fuzzy_core::{Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{spans, texts, windows};
use proptest::prelude::*;

fn indentation(line: &str) -> Vec<char> {
    line.chars().take_while(|c| blank::is_blank(*c)).collect()
}

/// Moves `line` as `from` has to be moved to become `to`: what both begin with is left aside, then what `from` has
/// beyond that is taken off the end of `to`, and what the line has beyond it is put there.
fn moved(line: &str, from: &[char], to: &[char]) -> Option<String> {
    let own = indentation(line);
    let shared = own.iter().zip(from).take_while(|(a, b)| a == b).count();
    let (taken, put) = (&from[shared..], &own[shared..]);
    let kept = to.strip_suffix(taken)?;
    let rest: String = line.chars().skip(own.len()).collect();
    Some(kept.iter().chain(put).collect::<String>() + &rest)
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = needle.strip_suffix('\n').unwrap_or(needle).split('\n').collect();
    let is_inked = |line: &&str| !line.chars().all(blank::is_blank);
    let Some(first) = lines.iter().position(is_inked) else { return Vec::new() };
    let is_place = |span: &Span| {
        let place: Vec<&str> = span.text(haystack).split('\n').collect();
        let (from, to) = (indentation(lines[first]), indentation(place[first]));
        lines.iter().zip(&place).all(|(line, there)| {
            let line = if is_inked(line) { moved(line, &from, &to) } else { Some(String::new()) };
            line.is_some_and(|line| line.trim_end_matches(blank::is_blank) == there.trim_end_matches(blank::is_blank))
        })
    };
    windows(haystack, lines.len()).into_iter().filter(is_place).map(|span| (span.start(), span.end())).collect()
}

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
    fn equals_the_definition((haystack, needle) in prop_oneof![
        3 => moved_block(), 2 => texts::pair(), 1 => texts::respaced(), 1 => texts::repeated(),
    ]) {
        prop_assert_eq!(spans(&BlockAligned, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&BlockAligned, &haystack, &needle);
    }
}
