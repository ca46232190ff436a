//! `block-anchor` and `block-anchor/guarded` against their definition, tried on every line.

use fuzzy_block_anchor::BlockAnchor;
use fuzzy_core::{Candidate, Similarity, Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{candidates, texts, windows};
use proptest::prelude::*;

struct Rule {
    alone: f64,
    several: f64,
    keeps_length: bool,
}

const PLAIN: Rule = Rule { alone: 0.0, several: 0.3, keeps_length: false };
const GUARDED: Rule = Rule { alone: 0.65, several: 0.65, keeps_length: true };

fn by_definition(haystack: &str, needle: &str, rule: &Rule) -> Option<Candidate> {
    let mut wanted: Vec<&str> = needle.split('\n').map(|line| line.trim_matches(blank::is_blank)).collect();
    if wanted.len() < 3 {
        return None;
    }
    if needle.ends_with('\n') {
        wanted.pop();
    }
    let spans = windows(haystack, 1);
    let lines: Vec<&str> = spans.iter().map(|line| line.text(haystack).trim_matches(blank::is_blank)).collect();
    let mut blocks = Vec::new();
    for first in (0..lines.len()).filter(|first| lines[*first] == wanted[0]) {
        if let Some(last) = (first + 2..lines.len()).find(|last| lines[*last] == wanted[wanted.len() - 1]) {
            let difference = (last - first + 1).abs_diff(wanted.len());
            if !rule.keeps_length || difference <= (wanted.len() / 4).max(1) {
                blocks.push((first, last));
            }
        }
    }
    let candidate = |(first, last): (usize, usize), score| {
        Candidate::new(Span::new(spans[first].start(), spans[last].end()), Similarity::new(score))
    };
    let score = |(first, last): (usize, usize), is_alone: bool| {
        let pairs = (wanted.len() - 2).min(last - first - 1);
        let (mut sum, n) = (0.0, pairs as f64);
        for at in 1..=pairs {
            let term = likeness(lines[first + at], wanted[at]);
            sum += if is_alone { term / n } else { term };
        }
        if pairs == 0 { 1.0 } else { sum / if is_alone { 1.0 } else { n } }
    };
    if let [only] = blocks[..] {
        return Some(score(only, true)).filter(|score| *score >= rule.alone).map(|score| candidate(only, score));
    }
    let mut best = None;
    let mut highest = -1.0;
    for block in blocks {
        let score = score(block, false);
        if score > highest {
            highest = score;
            best = Some(candidate(block, score));
        }
    }
    best.filter(|_| highest >= rule.several)
}

/// What a pair of lines counts: 1 less the share of the longer one that has to be edited; 0 if both are blank.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<u16>, Vec<u16>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
    let longer = a.len().max(b.len());
    if longer == 0 { 0.0 } else { 1.0 - distance(&a, &b) as f64 / longer as f64 }
}

fn distance(a: &[u16], b: &[u16]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn lines(most: usize) -> impl Strategy<Value = String> {
    let line = prop_oneof!["[xy]{0,4}", "[ ]{0,1}[ab]", "[é\u{1f600}x]{0,3}"];
    prop::collection::vec(line, 0..most).prop_map(|lines| lines.iter().map(|line| line.clone() + "\n").collect())
}

/// Texts of so few different anchors that most needles have several blocks, with inner lines more and less alike.
fn blocks() -> impl Strategy<Value = (String, String)> {
    let end = prop::sample::select(&["b\n", "b\n", "  b\r\n", ""][..]);
    let block = (lines(5), end).prop_map(|(inner, end)| format!("a\n{inner}{end}"));
    let needle =
        (lines(6), prop::sample::select(&["b", "b\n"][..])).prop_map(|(inner, end)| format!(" a\n{inner}{end}"));
    (prop::collection::vec(block, 0..8).prop_map(|blocks| blocks.concat()), needle)
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in prop_oneof![2 => texts::pair(), 1 => texts::repeated(), 4 => blocks()]) {
        for (strategy, rule) in [(BlockAnchor::PLAIN, PLAIN), (BlockAnchor::GUARDED, GUARDED)] {
            let expected: Vec<_> = by_definition(&haystack, &needle, &rule).into_iter().collect();
            prop_assert_eq!(candidates(&strategy, &haystack, &needle), expected);
            assert_contract(&strategy, &haystack, &needle);
        }
    }
}
