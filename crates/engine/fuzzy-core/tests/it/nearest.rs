//! The region that a report names when a needle was not found.

use fuzzy_core::report::Nearest;
use fuzzy_core::{Document, Edit, Ladder, LineRange, Pipeline, Policy};
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn nearest_by(haystack: &str, needle: &str, fits: bool) -> Option<Nearest> {
    let pipeline = Pipeline::new(Ladder::new("none", &Policy::Refuse, Vec::new()));
    let document = Document::new(haystack);
    let edit = Edit::new(needle, "");
    let attempt = edit.with_raw_endings(!fits).attempt(&pipeline, &document);
    attempt.decide().nearest()
}

/// Returns the first line, the last line and the similarity to three decimals.
fn lines(haystack: &str, needle: &str) -> (usize, usize, String) {
    let nearest = nearest_by(haystack, needle, true).unwrap();
    assert_eq!(nearest.lines, LineRange::of(haystack, nearest.span));
    (nearest.lines.first, nearest.lines.last, nearest.similarity.to_string())
}

#[test]
fn finds_the_line_with_a_typo() {
    assert_eq!(lines("alpha\nlet count = 1;\nomega\n", "let cuont = 1;"), (2, 2, "0.857".to_owned()));
}

#[test]
fn finds_a_part_of_a_long_line() {
    let haystack = "if a {\n    let total = price * count; // all of them, as the customer sees them\n}\n";
    assert_eq!(lines(haystack, "total = price + count"), (2, 2, "0.952".to_owned()));
}

#[test]
fn finds_a_block_whose_lines_drifted() {
    let haystack = "x\nfn a() {\n    one();\n    two();\n}\nfn b() {\n    three();\n}\n";
    assert_eq!(lines(haystack, "fn a() {\n  one();\n  twoo();\n}\n").0, 2);
    assert_eq!(lines(haystack, "fn a() {\n  one();\n  twoo();\n}\n").1, 5);
}

#[test]
fn a_needle_with_lost_lines_is_laid_where_the_others_stand() {
    let haystack = "1\n2\n3\nalpha();\nbeta();\ngamma();\n7\n8\n9\n";
    let invented = "%%%%%%%%%%%%%%%%%%%%";
    let tail = lines(haystack, &format!("alpha();\nbeta();\n{invented}"));
    assert_eq!((tail.0, tail.1), (4, 6));
    let head = lines(haystack, &format!("{invented}\nbeta();\ngamma();"));
    assert_eq!((head.0, head.1), (4, 6));
}

#[test]
fn the_first_of_equals_is_named() {
    assert_eq!(lines("}\nfoo(b)\n}\nfoo(c)\n", "foo(a)"), (2, 2, "0.833".to_owned()));
}

#[test]
fn a_needle_longer_than_the_file_gets_all_of_it() {
    assert_eq!(lines("a\nb\n", "a\nb\nc\nd\ne").0, 1);
    assert_eq!(lines("a\nb\n", "a\nb\nc\nd\ne").1, 2);
}

#[test]
fn nothing_comes_near_in_an_empty_file_or_to_an_empty_needle() {
    assert_eq!(nearest_by("", "a", true), None);
    assert_eq!(nearest_by("a", "", true), None);
    assert_eq!(nearest_by("", "", true), None);
}

#[test]
fn something_is_named_even_if_nothing_is_alike() {
    assert_eq!(lines("aaa\nbbb\n", "ccc"), (1, 1, "0.000".to_owned()));
}

#[test]
fn line_endings_do_not_count_where_they_are_fitted() {
    let haystack = "zero\r\none\r\ntwo!\r\nthree\r\n";
    let fitted = nearest_by(haystack, "one\ntwo\n", true).unwrap();
    let raw = nearest_by(haystack, "one\ntwo\n", false).unwrap();
    assert_eq!(fitted.span.text(haystack), "one\r\ntwo!");
    assert_eq!(fitted.similarity.get().to_string(), "1");
    assert_eq!(raw.lines, fitted.lines);
    assert!(raw.similarity < fitted.similarity);
}

#[test]
fn a_large_haystack_and_a_large_needle_stay_cheap() {
    let line = |number: usize| format!("    let value_{number} = compute({number}, {});\n", number % 97);
    let haystack: String = (0..10_000).map(line).collect();
    let mut needle: String = (5_000..5_400).map(line).collect();
    needle.insert_str(20, "drift");
    let nearest = nearest_by(&haystack, &needle, true).unwrap();
    assert_eq!(nearest.lines, LineRange { first: 5_001, last: 5_400 });
    let one_line = "x".repeat(1 << 19);
    assert_eq!(nearest_by(&one_line, &"xy".repeat(5_000), true).unwrap().lines, LineRange { first: 1, last: 1 });
}

#[test]
fn nothing_hides_between_the_ends_that_are_looked_at_in_a_large_haystack() {
    let line = |number: usize| format!("    value_{number} = compute({number}, \u{e9}{});\n", number % 97);
    let mut haystack: String = (0..4_000).map(line).collect();
    let place = haystack.find("    value_3000").unwrap();
    for padding in 0..24 {
        let planted =
            format!("{}self.flush_pendign(now, {padding})tail of the line, and more of it\n", " ".repeat(padding));
        haystack.insert_str(place, &planted);
        assert!(haystack.len() > 1 << 16);
        let needle = format!("self.flush_pending(now, {padding})");
        let found = nearest_by(&haystack, &needle, false).unwrap();
        assert_eq!(found.span.text(&haystack), planted.trim_end_matches('\n'), "{padding}");
        assert!((found.similarity.get() - (1.0 - 2.0 / needle.len() as f64)).abs() < 1e-9, "{}", found.similarity);
        haystack.replace_range(place..place + planted.len(), "");
    }
}

/// Returns the fewest edits between the needle and any part of the haystack, by the matrix itself.
fn fewest_edits(haystack: &str, needle: &str) -> usize {
    let needle: Vec<char> = needle.chars().collect();
    let mut column: Vec<usize> = (0..=needle.len()).collect();
    let mut fewest = needle.len();
    for c in haystack.chars() {
        let mut diagonal = column[0];
        for row in 1..=needle.len() {
            let substituted = diagonal + usize::from(needle[row - 1] != c);
            diagonal = column[row];
            column[row] = substituted.min(column[row] + 1).min(column[row - 1] + 1);
        }
        fewest = fewest.min(column[needle.len()]);
    }
    fewest
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn the_similarity_is_that_of_the_matrix(haystack in "[ab\n\r é]{1,80}", needle in "[ab\n\r é]{0,20}[abé]") {
        let nearest = nearest_by(&haystack, &needle, false).unwrap();
        let length = needle.chars().count();
        let expected = 1.0 - fewest_edits(&haystack, &needle) as f64 / length as f64;
        prop_assert!((nearest.similarity.get() - expected).abs() < 1e-9);
        let breaks = |text: &str| text.matches('\n').count();
        prop_assert!(breaks(nearest.span.text(&haystack)) <= breaks(&needle));
        let (start, end) = (nearest.span.start(), nearest.span.end());
        prop_assert!(start == 0 || haystack[..start].ends_with('\n'));
        prop_assert!(end == haystack.len() || haystack[end..].starts_with('\n'));
    }

    #[test]
    fn any_text_has_a_nearest_region(haystack in "\\PC{0,60}", needle in "\\PC{0,30}", fits in any::<bool>()) {
        let nearest = nearest_by(&haystack, &needle, fits);
        prop_assert_eq!(nearest.is_none(), haystack.is_empty() || needle.is_empty());
    }
}
