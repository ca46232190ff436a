//! Every fast path against a plain one: the whole table, and Sellers' table for matches
//! that may start anywhere.

use std::ops::ControlFlow;

use fuzzy_testkit::naive::distance::{scalar_distance as levenshtein, units};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use super::{
    Pattern, scalar_distance, scalar_distance_within, scalar_len, utf16_distance, utf16_distance_within, utf16_len,
};

/// Least distance of the pattern to any text that ends after each character (Sellers, 1980).
fn sellers(pattern: &str, text: &str) -> Vec<usize> {
    let pattern: Vec<char> = pattern.chars().collect();
    let mut column: Vec<usize> = (0..=pattern.len()).collect();
    let mut ends = vec![pattern.len()];
    for char in text.chars() {
        let mut diagonal = column[0];
        for (row, &wanted) in pattern.iter().enumerate() {
            let here = (diagonal + usize::from(wanted != char)).min(column[row] + 1).min(column[row + 1] + 1);
            diagonal = std::mem::replace(&mut column[row + 1], here);
        }
        ends.push(column[pattern.len()]);
    }
    ends
}

/// Byte offsets of all char boundaries, the end included.
fn boundaries(text: &str) -> Vec<usize> {
    (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect()
}

fn least_ending_at(pattern: &str, text: &str, stops: &[usize], limit: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let flow = Pattern::new(pattern).least_ending_at(text, stops.iter().copied(), limit, |stop, distance| {
        found.push((stop, distance));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    found
}

fn distances_at(pattern: &str, text: &str, stops: &[usize], limit: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let flow = Pattern::new(pattern).distances_at(text, stops.iter().copied(), limit, |stop, distance| {
        found.push((stop, distance));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    found
}

/// Text of one of four kinds: few ASCII letters, code-like ASCII, up to U+FFFF, anything.
fn text(len: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop_oneof![
        text_of(&['a', 'b'], len.clone()),
        text_of(&['a', 'e', 'i', 't', 'x', '_', '(', ')', ' ', ' ', '\n', ';'], len.clone()),
        text_of(&['a', 'b', 'é', 'è', '\u{a0}', '漢', '字', '\u{ffff}'], len.clone()),
        text_of(&['a', 'é', '漢', '😀', '😁', '\u{1f9ff}', '\u{f600}', '\u{10ffff}'], len),
    ]
}

/// Text of these characters alone.
fn text_of(chars: &'static [char], len: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(chars), len).prop_map(|chars| chars.into_iter().collect())
}

/// Lengths around the multiples of the word size.
fn near_words() -> impl Strategy<Value = String> {
    prop_oneof![text(0..12), text(60..68), text(120..136), text(188..260)]
}

/// A copy of `text` with some characters replaced, removed or doubled.
fn edited(text: &str, edits: &[(prop::sample::Index, u8)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, kind) in edits {
        if chars.is_empty() {
            break;
        }
        let at = at.index(chars.len());
        match kind % 4 {
            0 => chars[at] = 'a',
            1 => chars[at] = '😀',
            2 => drop(chars.remove(at)),
            _ => chars.insert(at, chars[at]),
        }
    }
    chars.into_iter().collect()
}

fn edits(most: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    proptest::collection::vec(any::<(prop::sample::Index, u8)>(), 0..most)
}

/// Two texts, related or not.
fn pair() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        (near_words(), near_words()),
        (near_words(), edits(60)).prop_map(|(a, edits)| {
            let b = edited(&a, &edits);
            (a, b)
        }),
    ]
}

/// Limits around a distance, and far from it.
fn limits(distance: usize) -> impl Iterator<Item = usize> {
    let near = distance.saturating_sub(2)..distance + 3;
    near.chain([0, distance / 2, distance * 2, usize::MAX])
}

fn within(distances: &[(usize, usize)], limit: usize) -> Vec<(usize, usize)> {
    distances.iter().copied().filter(|&(_, distance)| distance <= limit).collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn lengths_equal_the_plain_counts((a, _) in pair()) {
        prop_assert_eq!(utf16_len(&a), a.encode_utf16().count());
        prop_assert_eq!(scalar_len(&a), a.chars().count());
    }

    #[test]
    fn two_texts_agree_with_the_oracle((a, b) in pair()) {
        let distance = levenshtein(&units(&a), &units(&b));
        prop_assert_eq!(utf16_distance(&a, &b), distance);
        for limit in limits(distance) {
            let expected = Some(distance).filter(|_| distance <= limit);
            prop_assert_eq!(utf16_distance_within(&a, &b, limit), expected, "limit {}", limit);
        }

        let distance = levenshtein(&a, &b);
        prop_assert_eq!(scalar_distance(&a, &b), distance);
        for limit in limits(distance) {
            let expected = Some(distance).filter(|_| distance <= limit);
            prop_assert_eq!(scalar_distance_within(&a, &b, limit), expected, "limit {}", limit);
        }
    }

    #[test]
    fn prefixes_agree_with_the_oracle((pattern, text) in pair(), tail in text(0..80)) {
        let text = text + &tail;
        let stops: Vec<usize> = boundaries(&text).into_iter().rev().step_by(7).collect();
        let stops: Vec<usize> = stops.into_iter().rev().collect();
        let all: Vec<(usize, usize)> =
            stops.iter().map(|&stop| (stop, levenshtein(&pattern, &text[..stop]))).collect();
        let best = all.iter().map(|&(_, distance)| distance).min().unwrap_or(0);
        for limit in limits(best) {
            let found = distances_at(&pattern, &text, &stops, limit);
            prop_assert_eq!(found, within(&all, limit), "limit {}", limit);
        }
    }

    #[test]
    fn free_starts_agree_with_every_start(pattern in text(0..9), text in text(0..14)) {
        let stops = boundaries(&text);
        let all: Vec<(usize, usize)> = stops
            .iter()
            .map(|&stop| {
                let starts = stops.iter().take_while(|&&start| start <= stop);
                let each = starts.map(|&start| levenshtein(&pattern, &text[start..stop]));
                (stop, each.min().unwrap_or(0))
            })
            .collect();
        for limit in 0..=pattern.chars().count() {
            let found = least_ending_at(&pattern, &text, &stops, limit);
            prop_assert_eq!(found, within(&all, limit), "limit {}", limit);
        }
    }

    #[test]
    fn free_starts_agree_with_the_table(
        pattern in near_words(),
        between in proptest::collection::vec((text(0..700), edits(90)), 1..6),
    ) {
        let text: String =
            between.iter().flat_map(|(text, edits)| [text.clone(), edited(&pattern, edits)]).collect();
        let stops = boundaries(&text);
        let all: Vec<(usize, usize)> =
            stops.iter().copied().zip(sellers(&pattern, &text)).collect();
        let best = all.iter().map(|&(_, distance)| distance).min().unwrap_or(0);
        for limit in limits(best) {
            let found = least_ending_at(&pattern, &text, &stops, limit);
            prop_assert_eq!(found, within(&all, limit), "limit {}", limit);
        }
    }
}

/// Text that no period repeats, ASCII but for every `rare`th character.
fn long_text(len: usize, rare: usize) -> String {
    let mut state = 1_u64;
    (0..len)
        .map(|at| {
            if at % rare == rare - 1 {
                return '漢';
            }
            // The linear congruential generator of Knuth's MMIX.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + ((state >> 33) % 6) as u8)
        })
        .collect()
}

#[test]
fn segments_and_lanes_join_without_a_gap() {
    for rare in [usize::MAX, 9_973, 3] {
        let text = long_text(150_000, rare);
        let stops = boundaries(&text);
        for (from, len) in [(70_000, 30), (131_000, 200)] {
            let pattern: String = text.chars().skip(from).take(len).collect();
            let all: Vec<(usize, usize)> = stops.iter().copied().zip(sellers(&pattern, &text)).collect();
            for limit in [len / 5, len / 2] {
                assert_eq!(least_ending_at(&pattern, &text, &stops, limit), within(&all, limit));
            }
        }
    }
}

#[test]
fn a_long_pattern_in_a_shorter_text_is_one_lane() {
    let text = long_text(3_000, 50);
    let pattern: String = text.chars().skip(500).take(2_000).collect();
    let stops = boundaries(&text);
    let all: Vec<(usize, usize)> = stops.iter().copied().zip(sellers(&pattern, &text)).collect();
    for limit in [0, 300, 2_000] {
        assert_eq!(least_ending_at(&pattern, &text, &stops, limit), within(&all, limit));
    }
}

#[test]
fn stops_that_are_not_boundaries_in_order_are_skipped() {
    let stops = [3, 1, 2, 3, 5, 6, 99];
    let text = "aéab";
    assert_eq!(text.len(), 5);
    assert_eq!(least_ending_at("éa", text, &stops, 2), [(3, 1), (3, 1), (5, 1)]);
    assert_eq!(distances_at("aéab", text, &stops, 2), [(3, 2), (3, 2), (5, 0)]);
    assert_eq!(distances_at("", text, &stops, 9), [(3, 2), (3, 2), (5, 4)]);
    assert_eq!(least_ending_at("", text, &stops, 9), [(3, 0), (3, 0), (5, 0)]);
}

#[test]
fn a_visitor_stops_the_search() {
    let pattern = Pattern::new("ab");
    for global in [false, true] {
        let mut visits = 0;
        let visit = |_, _| {
            visits += 1;
            ControlFlow::Break(())
        };
        let flow = if global {
            pattern.distances_at("abab", 0..=4, 9, visit)
        } else {
            pattern.least_ending_at("abab", 0..=4, 9, visit)
        };
        assert!(flow.is_break());
        assert_eq!(visits, 1);
    }
}
