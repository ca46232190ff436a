//! The cost of the distance functions, compared with a simple one.

use std::hint::black_box;
use std::ops::ControlFlow;

use fuzzy_core::distance::{self, Pattern};
use fuzzy_testkit::naive::distance::{self as naive, units};

use crate::drift::Drift;
use crate::scenario::{Answer, Expected, Scenario, Work};
use crate::texts::{self, Random, Text};

type Function = Box<dyn Fn(&str, &str) -> usize>;

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (name, a, b) in pairs() {
        let fifth = a.chars().count().max(b.chars().count()) / 5;
        let plain = naive::scalar_distance(&a, &b);
        let utf16_plain = naive::utf16_distance(&a, &b);
        let functions: [(&str, Function, Answer); 5] = [
            ("levenshtein", Box::new(naive::scalar_distance), Answer::Count(plain)),
            ("scalar_distance", Box::new(distance::scalar_distance), Answer::Count(plain)),
            (
                "scalar_distance_within 20 %",
                Box::new(move |a, b| distance::scalar_distance_within(a, b, fifth).unwrap_or(usize::MAX)),
                Answer::Count(cut(plain, fifth)),
            ),
            ("utf16_distance", Box::new(distance::utf16_distance), Answer::Count(utf16_plain)),
            (
                "utf16_distance_within 20 %",
                Box::new(move |a, b| distance::utf16_distance_within(a, b, fifth).unwrap_or(usize::MAX)),
                Answer::Count(cut(utf16_plain, fifth)),
            ),
        ];
        for (function, run, expected) in functions {
            let haystack = Text::new(&b);
            let (a, text) = (a.clone(), haystack.clone());
            let twin = (function != "levenshtein").then(|| plainly(function, &a, &b, fifth));
            let work: Work = Box::new(move || Answer::Count(run(black_box(&a), black_box(text.as_str()))));
            let scenario = Scenario::new("distance", function, name, &haystack, work, Expected::Exactly(expected));
            scenarios.push(Scenario { naive: twin, ..scenario });
        }
    }
    for limit in [20, 40] {
        scenarios.push(windows(limit));
    }
    scenarios
}

/// One pass of a pattern over a whole file: the least distance of any text that ends at a line end.
fn windows(percent: usize) -> Scenario {
    let haystack = texts::code(10_000);
    let pattern = Pattern::new(&Drift::AbsentAll.apply(haystack.clear_block(10).text));
    let limit = pattern.len() * percent / 100;
    let text = haystack.clone();
    let work: Work = Box::new(move || {
        let text = text.as_str();
        let mut within = 0;
        let stops = memchr::memchr_iter(b'\n', text.as_bytes());
        let _ = pattern.least_ending_at(text, stops, limit, |_, _| {
            within += 1;
            ControlFlow::Continue(())
        });
        Answer::Count(within)
    });
    let case = format!("10 lines in all windows, {percent} %");
    let expected = Expected::Exactly(Answer::Count(0));
    Scenario::new("distance", "Pattern::least_ending_at", &case, &haystack, work, expected)
}

/// The same distance by the crate `levenshtein`, without bounds and UTF-16.
fn plainly(function: &str, a: &str, b: &str, limit: usize) -> Work {
    let (a, b) = if function.starts_with("utf16") { (units(a), units(b)) } else { (a.to_owned(), b.to_owned()) };
    let limit = if function.ends_with('%') { limit } else { usize::MAX };
    Box::new(move || Answer::Count(cut(naive::scalar_distance(&a, &b), limit)))
}

/// Returns a distance, or the largest number if it exceeds the limit.
const fn cut(distance: usize, limit: usize) -> usize {
    if distance <= limit { distance } else { usize::MAX }
}

/// Pairs of texts: similar and dissimilar, a line and half a screen, in and outside ASCII.
fn pairs() -> Vec<(&'static str, String, String)> {
    let mut random = Random::new(3);
    let ascii = &["a", "b", "c", "d", "e", "f", "g", "h", " ", "_", "(", ")"];
    let other = &["é", "ж", "語", "😀", "a", " ", "“", "ß"];
    let (line, page) = (random.text(80, ascii), random.text(2_000, ascii));
    let (other_line, other_page) = (random.text(80, ascii), random.text(2_000, ascii));
    let (foreign, other_foreign) = (random.text(80, other), random.text(80, other));
    vec![
        ("similar 80", line.clone(), similar(&line)),
        ("dissimilar 80", line, other_line),
        ("similar 2000", page.clone(), similar(&page)),
        ("dissimilar 2000", page, other_page),
        ("similar 80 outside ASCII", foreign.clone(), similar(&foreign)),
        ("dissimilar 80 outside ASCII", foreign, other_foreign),
    ]
}

/// Returns the text with every twentieth character changed and the middle one removed.
fn similar(text: &str) -> String {
    let mut changed: Vec<char> = text.chars().collect();
    changed.iter_mut().step_by(20).for_each(|char| *char = '#');
    changed.remove(changed.len() / 2);
    changed.into_iter().collect()
}
