//! What `levenshtein` proposes and refuses, drawn.

use fuzzy_levenshtein::Levenshtein;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Levenshtein));
}

#[test]
fn accepts_a_typing_error() {
    assert_snapshot!("accepts_a_typing_error", picture(&Levenshtein, "x();\nlet total = 1;\n", "let totel = 1;"));
}

#[test]
fn accepts_every_window_that_is_alike() {
    assert_snapshot!("accepts_every_window_that_is_alike", picture(&Levenshtein, "abcdef\nabcdeg\n", "abcdeX"));
}

#[test]
fn refuses_a_fifth() {
    assert_snapshot!("refuses_a_fifth", picture(&Levenshtein, "abcde\n", "abcdX"));
}

#[test]
fn refuses_another_number_of_lines() {
    assert_snapshot!("refuses_another_number_of_lines", picture(&Levenshtein, "let total = 1;\n", "let total\n= 1;"));
}
