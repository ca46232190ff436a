//! Places of collapsed patterns against a search that tries every span.

use std::ops::ControlFlow;

use fuzzy_testkit::texts;
use proptest::prelude::*;

use super::{CollapsedPattern, Gap};
use crate::{Document, Query, Span, blank};

/// Finds the places around those of the rarest part, and asserts that a scan finds the same.
fn places(haystack: &str, parts: &[&str], gap: Gap) -> Vec<(usize, usize)> {
    let document = Document::new(haystack);
    let query = Query::new(&document, "the needle plays no part");
    let pattern = CollapsedPattern::new(parts.to_vec(), gap);
    let mut places = Vec::new();
    let flow = query.places_of(&pattern, |span: Span| {
        places.push((span.start(), span.end()));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    for skip in [0, 1] {
        let mut scanned = Vec::new();
        let _ = query.scan(&pattern, skip, |span| {
            scanned.push((span.start(), span.end()));
            ControlFlow::Continue(())
        });
        assert_eq!(scanned, places[skip.min(places.len())..], "a scan from place {skip} finds others");
    }
    places
}

/// Returns whether `text` is the parts with whole gaps between them; `next` follows it.
fn is_place(text: &str, next: &str, parts: &[&str], gap: Gap) -> bool {
    let [part, rest @ ..] = parts else { return text.is_empty() };
    let Some(text) = text.strip_prefix(part) else { return false };
    if rest.is_empty() {
        return text.is_empty();
    }
    let blanks: fn(char) -> bool = if gap == Gap::Blanks { blank::is_blank } else { blank::is_inline };
    let after = text.trim_start_matches(blanks);
    // Where nothing comes after the gap, the text must not end inside it.
    let is_whole = !after.is_empty() || !next.starts_with(blanks);
    is_whole && (gap == Gap::Indent || after.len() < text.len()) && is_place(after, next, rest, gap)
}

fn by_definition(haystack: &str, parts: &[&str], gap: Gap) -> Vec<(usize, usize)> {
    let bounds: Vec<usize> = haystack.char_indices().map(|(at, _)| at).chain([haystack.len()]).collect();
    let spans = bounds.iter().flat_map(|start| bounds.iter().map(move |end| (*start, *end)));
    spans
        .filter(|(start, end)| start <= end && is_place(&haystack[*start..*end], &haystack[*end..], parts, gap))
        .collect()
}

#[test]
fn a_gap_takes_all_of_its_blanks() {
    assert_eq!(places("a  \n b a b", &["a", "b"], Gap::Blanks), [(0, 6), (7, 10)]);
    assert_eq!(places("a \u{3000}b a\nb ab", &["a", "b"], Gap::Inline), [(0, 6)]);
    assert_eq!(places("a\n\t b a\nb", &["a\n", "b"], Gap::Indent), [(0, 5), (6, 9)]);
}

#[test]
fn an_empty_last_part_ends_behind_the_gap() {
    assert_eq!(places("a  b", &["a", ""], Gap::Inline), [(0, 3)]);
    assert_eq!(places("a \n b", &["a", ""], Gap::Blanks), [(0, 4)]);
}

#[test]
fn a_file_of_equal_parts_is_searched_in_one_scan() {
    let haystack = "x\n".repeat(20_000);
    let parts: Vec<&str> = std::iter::repeat_n("x", 300).collect();
    assert_eq!(places(&haystack, &parts, Gap::Blanks).len(), 20_000 - 299);
    let with_end: Vec<&str> = parts.iter().copied().chain(["y"]).collect();
    assert_eq!(places(&format!("y{haystack}"), &with_end, Gap::Blanks), []);
}

/// Texts that repeat a short piece, so that places overlap and nearly repeat.
fn repeated() -> impl Strategy<Value = String> {
    ("[ab \n\u{3000}]{1,4}", 0..9_usize, "[ab \n\u{3000}]{0,6}")
        .prop_map(|(piece, count, end)| piece.repeat(count) + &end)
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn places_equal_the_definition(haystack in repeated(), words in prop::collection::vec("[ab]{1,2}", 1..5)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for gap in [Gap::Blanks, Gap::Inline] {
            prop_assert_eq!(places(&haystack, &words, gap), by_definition(&haystack, &words, gap));
            let open: Vec<&str> = words.iter().copied().chain([""]).collect();
            // A gap of one line is after a word, so whatever the line begins with is none.
            prop_assert_eq!(places(&haystack, &open, gap), by_definition(&haystack, &open, gap));
        }
    }

    #[test]
    fn indented_places_equal_the_definition(
        haystack in repeated(),
        lines in prop::collection::vec("([ab][ab ]{0,1})?", 1..4),
        last in "[ab][ab ]{0,1}",
        ends_with_break: bool,
    ) {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        let parts: Vec<&str> = lines.iter().map(String::as_str).chain((!ends_with_break).then_some(last.as_str())).collect();
        prop_assert_eq!(places(&haystack, &parts, Gap::Indent), by_definition(&haystack, &parts, Gap::Indent));
    }
}
