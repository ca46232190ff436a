//! The linear search for a sequence of units against the obvious one.

use std::ops::ControlFlow;

use fuzzy_core::{Span, sequence::Sequence};
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn places(pattern: &[u8], units: &[u8]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let spans = units.iter().enumerate().map(|(at, unit)| (*unit, Span::new(at, at + 1)));
    let _ = Sequence::new(pattern.to_vec()).scan(spans, |first, last| {
        places.push((first.start(), last.end()));
        ControlFlow::Continue(())
    });
    places
}

#[test]
fn finds_overlapping_places() {
    assert_eq!(places(b"aa", b"aaab"), [(0, 2), (1, 3)]);
}

#[test]
fn finds_nothing_for_an_empty_pattern() {
    assert_eq!(places(b"", b"ab"), []);
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_naive_search(pattern in "[ab]{1,6}", units in "[ab]{0,40}") {
        let (pattern, units) = (pattern.as_bytes(), units.as_bytes());
        let naive: Vec<_> = units
            .windows(pattern.len())
            .enumerate()
            .filter(|(_, window)| *window == pattern)
            .map(|(at, _)| (at, at + pattern.len()))
            .collect();
        prop_assert_eq!(places(pattern, units), naive);
    }
}
