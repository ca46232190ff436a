//! The runs of lines that equal a needle's, in texts where most lines do.

use fuzzy_core::{Document, Query};
use fuzzy_locate::{Index, Search, full_lines};
use fuzzy_merge::LeftOut;
use proptest::prelude::*;

/// Lines of which some differ in blanks alone.
const KINDS: [&str; 4] = ["a = 1\n", "  a  = 1\n", "b\n", "}\n"];

fn text(lines: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&KINDS[..]), lines).prop_map(|lines| lines.concat())
}

/// Tries every line, one after the other.
fn naive(file: &str, needle: &str, step: usize) -> Vec<(usize, usize)> {
    let solid = |text: &str| text.lines().map(|line| line.replace(' ', "")).collect::<Vec<_>>();
    let (file, needle) = (solid(file), solid(needle));
    let mut found = Vec::new();
    let mut at = 0;
    while at + needle.len() <= file.len() {
        if file[at..at + needle.len()] == needle[..] {
            found.push((at, at + needle.len() - 1));
            at += step;
        } else {
            at += 1;
        }
    }
    found
}

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config())]

    #[test]
    fn they_are_those_of_the_naive_search(file in text(0..40), needle in text(1..6), step in 1..6_usize) {
        let document = Document::new(&file);
        let query = Query::new(&document, &needle);
        let search = Search::of_lines(Vec::new(), Index::new(&query, needle.len()), LeftOut::default());
        let lines = full_lines(&needle);
        let step = step.min(lines.len());
        prop_assert_eq!(search.equal_runs(&lines, 0..search.index.lines.len(), step).collect::<Vec<_>>(), naive(&file, &needle, step));
    }
}
