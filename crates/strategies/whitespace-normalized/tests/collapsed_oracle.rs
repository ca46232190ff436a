//! `whitespace-normalized/collapsed` against its definition, tried on every span.

use fuzzy_core::{Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts};
use fuzzy_whitespace_normalized::Collapsed;
use proptest::prelude::*;

/// Makes one space of every run of blanks.
fn normal(text: &str) -> String {
    let mut normal = String::new();
    for c in text.chars().map(|c| if blank::is_blank(c) { ' ' } else { c }) {
        if c != ' ' || !normal.ends_with(' ') {
            normal.push(c);
        }
    }
    normal
}

fn breaks(text: &str) -> usize {
    text.chars().filter(|c| *c == '\n').count()
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let trimmed = needle.trim_matches(blank::is_blank);
    let start_run = &needle[..needle.len() - needle.trim_start_matches(blank::is_blank).len()];
    let end_run = &needle[needle.trim_end_matches(blank::is_blank).len()..];
    if trimmed.is_empty() {
        return Vec::new();
    }
    // The words first, then as much of the file's runs as the needle's allow: every end is tried, the widest stays.
    let words = all_spans(haystack, |span: Span| {
        let text = span.text(haystack);
        text == text.trim_matches(blank::is_blank) && normal(text) == normal(trimmed)
    });
    let widest = |from: usize, run: &str, ends: &mut dyn Iterator<Item = usize>, text: &dyn Fn(usize) -> String| {
        if run.is_empty() {
            return Some(from);
        }
        let mut blanks = ends.take_while(|end| text(*end).chars().all(blank::is_blank)).peekable();
        blanks.peek()?;
        Some(blanks.take_while(|end| breaks(&text(*end)) <= breaks(run)).last().unwrap_or(from))
    };
    let bounds: Vec<usize> = (0..=haystack.len()).filter(|at| haystack.is_char_boundary(*at)).collect();
    let places = words.into_iter().filter_map(|(start, end)| {
        let mut left = bounds.iter().rev().copied().filter(|at| *at < start);
        let mut right = bounds.iter().copied().filter(|at| *at > end);
        let widest_start = widest(start, start_run, &mut left, &|at| haystack[at..start].to_owned())?;
        let widest_end = widest(end, end_run, &mut right, &|at| haystack[end..at].to_owned())?;
        Some((widest_start, widest_end))
    });
    places.collect()
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in texts::respaced()) {
        prop_assert_eq!(spans(&Collapsed, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Collapsed, &haystack, &needle);
    }

    #[test]
    fn equals_the_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        prop_assert_eq!(spans(&Collapsed, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Collapsed, &haystack, &needle);
    }
}
