//! Documents that are edited in place know the same lines as documents made anew.

use fuzzy_core::{Document, Span, line_end, line_start};
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn lines(document: &Document<'_>) -> Vec<Span> {
    document.lines().iter().collect()
}

#[test]
fn a_final_line_break_opens_an_empty_line() {
    let document = Document::new("a\nb\n");
    assert_eq!(lines(&document), [Span::new(0, 1), Span::new(2, 3), Span::new(4, 4)]);
}

#[test]
fn an_empty_text_has_one_line() {
    assert_eq!(lines(&Document::new("")), [Span::new(0, 0)]);
}

#[test]
fn a_line_break_belongs_to_the_line_it_ends() {
    let document = Document::new("ab\ncd");
    assert_eq!([0, 2, 3, 5].map(|offset| document.lines().index_of(offset)), [0, 0, 1, 1]);
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn an_edit_keeps_the_table_right(text in "[a\n]{0,20}", with in "[b\n]{0,6}", a in 0..21_usize, b in 0..21_usize) {
        let (a, b) = (a.min(text.len()), b.min(text.len()));
        let span = Span::new(a.min(b), a.max(b));
        let mut document = Document::new(text.as_str());
        let before = document.lines().len();
        prop_assert!(before > 0);
        document.replace(span, &with);
        let rebuilt = Document::new(document.text().to_owned());
        prop_assert_eq!(lines(&document), lines(&rebuilt));
    }

    #[test]
    fn walking_from_an_offset_finds_its_line(text in "[aé\n]{0,20}", at in 0..40_usize) {
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let document = Document::new(text.as_str());
        let line = document.lines().span(document.lines().index_of(at));
        prop_assert_eq!((line_start(&text, at), line_end(&text, at)), (line.start(), line.end()));
    }
}
