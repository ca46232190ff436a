//! `whitespace-normalized/inline` against its definition, tried on every span.

use fuzzy_core::{Span, blank};
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts};
use fuzzy_whitespace_normalized::Inline;
use proptest::prelude::*;

/// Makes one space of every run of blanks that has another character before it on its line.
fn normal(text: &str) -> String {
    let mut normal = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            normal.push('\n');
        }
        let inked = line.trim_start_matches(blank::is_blank);
        normal.push_str(&line[..line.len() - inked.len()]);
        let mut was_blank = false;
        for c in inked.chars() {
            let is_blank = blank::is_blank(c);
            if !is_blank {
                normal.push(c);
            } else if !was_blank {
                normal.push(' ');
            }
            was_blank = is_blank;
        }
    }
    normal
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let cuts_run = |at: usize| {
        let is_run = |c: Option<char>| c.is_some_and(|c| blank::is_blank(c) && c != '\n');
        is_run(haystack[..at].chars().next_back()) && is_run(haystack[at..].chars().next())
    };
    all_spans(haystack, |span: Span| {
        !span.is_empty()
            && normal(span.text(haystack)) == normal(needle)
            && !cuts_run(span.start())
            && !cuts_run(span.end())
    })
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in texts::respaced()) {
        prop_assert_eq!(spans(&Inline, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Inline, &haystack, &needle);
    }

    #[test]
    fn equals_the_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        prop_assert_eq!(spans(&Inline, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Inline, &haystack, &needle);
    }
}
