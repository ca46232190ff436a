//! Windows of whole lines, and blocks between anchors, against the obvious searches.

use std::ops::ControlFlow;

use fuzzy_core::{AnchorBlock, Document, LineForm, Query, Span, Stripped, Trimmed, TrimmedEnd, blank};
use fuzzy_testkit::naive::block_anchor::Blocks;
use fuzzy_testkit::naive::places;
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn windows(haystack: &str, needle: &str, form: &impl LineForm) -> Vec<Span> {
    let document = Document::new(haystack);
    let query = Query::new(&document, needle);
    let mut found = Vec::new();
    let _ = query.windows_equal_by(query.old_lines(), form, |window| {
        found.push(window);
        ControlFlow::Continue(())
    });
    found
}

fn naive(haystack: &str, needle: &str, form: &impl LineForm) -> Vec<Span> {
    let normal = |line: &str| form.normal(line).into_owned();
    places::windows_of_forms(haystack, &needle.split('\n').map(normal).collect::<Vec<_>>(), normal)
}

fn around(haystack: &str, core: &str, lines: usize) -> Vec<Span> {
    let document = Document::new(haystack);
    let query = Query::new(&document, "");
    let mut found = Vec::new();
    for start in query.occurrences(core) {
        let _ = query.windows_around(Span::new(start, start + core.len()), lines, |window| {
            found.push(window);
            ControlFlow::Continue(())
        });
    }
    found
}

fn naive_around(haystack: &str, core: &str, count: usize) -> Vec<Span> {
    let windows = places::windows(haystack, count).into_iter();
    windows.filter(|window| window.text(haystack).trim_matches(blank::is_blank) == core).collect()
}

fn blocks(haystack: &str, needle: &str) -> Vec<AnchorBlock> {
    let document = Document::new(haystack);
    let query = Query::new(&document, needle);
    query.anchor_blocks().map(Iterator::collect).unwrap_or_default()
}

fn naive_blocks(haystack: &str, needle: &str) -> Vec<AnchorBlock> {
    let blocks = Blocks::of(haystack, needle).map(|blocks| {
        let places = blocks.places().into_iter();
        places.map(|(first, last)| AnchorBlock { span: blocks.span(first, last), lines: last - first + 1 }).collect()
    });
    blocks.unwrap_or_default()
}

#[test]
fn a_scan_takes_over_where_the_rarest_line_is_everywhere() {
    // 3,000 equal lines cost more to verify one by one than the budget allows; no window may be lost or doubled.
    let haystack = "  word();\n".repeat(3000) + "last\n";
    for needle in ["word();\nword();\nlast", "word();\nword();\nword();"] {
        assert_eq!(windows(&haystack, needle, &Trimmed), naive(&haystack, needle, &Trimmed));
    }
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn windows_equal_the_naive_search(haystack in "([ \t]{0,2}[ab}]{0,2}[ \r]{0,1}\n){0,12}[ab}]{0,1}", needle in "([ ]{0,1}[ab}]{0,2}\n){0,3}[ab}]{0,1}") {
        prop_assert_eq!(windows(&haystack, &needle, &Trimmed), naive(&haystack, &needle, &Trimmed));
        prop_assert_eq!(windows(&haystack, &needle, &TrimmedEnd), naive(&haystack, &needle, &TrimmedEnd));
        prop_assert_eq!(windows(&haystack, &needle, &Stripped), naive(&haystack, &needle, &Stripped));
    }

    #[test]
    fn windows_around_a_core_equal_the_naive_search(haystack in "([ \u{3000}]{0,2}[ab]{0,2}[ \r]{0,1}\n){0,12}[ab]{0,1}", core in "[ab]([ ]{0,1}\n{0,2}[ab]){0,2}", lines in 1..5_usize) {
        prop_assert_eq!(around(&haystack, &core, lines), naive_around(&haystack, &core, lines));
    }

    #[test]
    fn blocks_equal_the_naive_search(haystack in "([ ]{0,1}[ab]{0,1}\n){0,12}[ab]{0,1}", needle in "([ab]{0,1}\n){0,4}[ab]{0,1}") {
        prop_assert_eq!(blocks(&haystack, &needle), naive_blocks(&haystack, &needle));
    }
}
