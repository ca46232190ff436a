//! `indentation-flexible/stripped` against its definition, tried on every span.

use fuzzy_core::{Span, blank};
use fuzzy_indentation_flexible::Stripped;
use fuzzy_testkit::contract::assert_contract;
use fuzzy_testkit::{all_spans, spans, texts};
use proptest::prelude::*;

fn stripped(text: &str) -> String {
    text.split('\n').map(|line| line.trim_start_matches(blank::is_blank)).collect::<Vec<_>>().join("\n")
}

fn by_definition(haystack: &str, needle: &str) -> Vec<(usize, usize)> {
    let is_run = |c: Option<char>| c.is_some_and(|c| blank::is_blank(c) && c != '\n');
    let lines: Vec<&str> = needle.split('\n').collect();
    let starts_with_blanks = is_run(needle.chars().next());
    let last = lines[lines.len() - 1];
    let last_is_blank_text = lines.len() > 1 && !last.is_empty() && stripped(last).is_empty();
    let last_is_empty = lines.len() > 1 && last.is_empty();
    all_spans(haystack, |span: Span| {
        let text = span.text(haystack);
        let start_is_right = if starts_with_blanks {
            // At the start of a line, so all the blanks that the line starts with are inside.
            span.start() == 0 || haystack[..span.start()].ends_with('\n')
        } else {
            !is_run(text.chars().next())
        };
        let end_is_right = if last_is_blank_text {
            !is_run(haystack[span.end()..].chars().next())
        } else {
            !last_is_empty || text.ends_with('\n')
        };
        start_is_right && end_is_right && !stripped(needle).is_empty() && stripped(text) == stripped(needle)
    })
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn equals_the_definition((haystack, needle) in texts::respaced()) {
        prop_assert_eq!(spans(&Stripped, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Stripped, &haystack, &needle);
    }

    #[test]
    fn equals_the_definition_on_any_text((haystack, needle) in texts::pair()) {
        let haystack: String = haystack.chars().take(40).collect();
        prop_assert_eq!(spans(&Stripped, &haystack, &needle), by_definition(&haystack, &needle));
        assert_contract(&Stripped, &haystack, &needle);
    }
}
