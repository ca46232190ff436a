//! Windows that may be similar to a text: none is missed, no bound is too high, and what costs too much is refused.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use fuzzy_core::distance::{scalar_distance, scalar_len};
use fuzzy_core::{Document, Query, SimilarWindows, Similarity, Stop};
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn found<B, C>(flow: ControlFlow<B, C>) -> Option<C> {
    match flow {
        ControlFlow::Continue(found) => Some(found),
        ControlFlow::Break(_) => None,
    }
}

fn similar<'a, 'q>(query: &'a Query<'q>, text: &'a str, least: f64) -> Option<SimilarWindows<'a, 'q>> {
    found(query.similar_windows(text, 1..=1, Similarity::new(least)))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn no_window_is_missed_and_no_bound_is_too_high(
        haystack in "([ab é]{0,40}\n){0,12}[ab é]{0,40}",
        text in "[ab é]{0,40}(\n[ab é]{0,20}){0,3}",
        sizes in (0..3_usize, 0..3_usize),
        least in 0.0..1.0_f64,
    ) {
        let least = Similarity::new(least);
        let document = Document::new(haystack.as_str());
        let query = Query::new(&document, "needle");
        let windows = found(query.similar_windows(&text, sizes.0..=sizes.0 + sizes.1, least)).expect("within reason");
        let lines: Vec<&str> = haystack.split('\n').collect();
        let mut listed = windows.all().iter().peekable();
        for first in 0..lines.len() {
            for count in sizes.0.max(1)..=sizes.0 + sizes.1 {
                let Some(window) = lines.get(first..first + count) else { continue };
                let there = window.join("\n");
                let (distance, longer) = (scalar_distance(&text, &there), scalar_len(&text).max(scalar_len(&there)));
                let is_similar = Similarity::of_distance(distance, longer) >= least;
                match listed.next_if(|it| (it.first, it.lines) == (first, count)) {
                    None => prop_assert!(!is_similar, "{there:?} is missing"),
                    Some(it) => {
                        prop_assert_eq!(it.span.text(&haystack), there);
                        prop_assert_eq!(it.longer, longer);
                        prop_assert!(it.least_distance <= distance);
                        for least in [least, Similarity::ONE, least] {
                            let measured = found(windows.distance(it, least)).expect("within reason");
                            let is_similar = Similarity::of_distance(distance, longer) >= least;
                            prop_assert!(measured == Some(distance) || (measured.is_none() && !is_similar));
                        }
                    }
                }
            }
        }
        prop_assert!(listed.next().is_none(), "out of order, or twice");
    }
}

#[test]
fn what_would_cost_too_much_is_refused_before_it_is_begun() {
    let line = "y".repeat(9_000);
    let haystack = format!("{line}\n").repeat(500);
    let document = Document::new(haystack.as_str());
    let query = Query::new(&document, "needle");
    let text = "x".repeat(9_000);
    assert!(similar(&query, &text, 0.5).is_none());
    assert_eq!(query.stopped(), Some(Stop::TooCostly));
}

#[test]
fn lengths_alone_can_decide() {
    let haystack = "short\n".repeat(100_000);
    let document = Document::new(haystack.as_str());
    let query = Query::new(&document, "needle");
    // As costly as above, had any line a length that comes near.
    let text = "x".repeat(100_000);
    assert!(similar(&query, &text, 0.5).is_some_and(|windows| windows.all().is_empty()));
}

#[test]
fn a_deadline_ends_the_pass() {
    let haystack = "let a = 1;\n".repeat(50_000);
    let document = Document::new(haystack.as_str());
    let past = Instant::now().checked_sub(Duration::from_secs(1));
    let query = Query::new(&document, "needle").with_deadline(past);
    assert!(similar(&query, "let b = 2;", 0.5).is_none());
    assert_eq!(query.stopped(), Some(Stop::Deadline));
}
