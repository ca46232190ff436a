//! What `best-window/boocode` proposes and refuses, drawn.

use fuzzy_best_window::Boocode;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Boocode));
}

#[test]
fn accepts_the_most_similar_window() {
    assert_snapshot!("accepts_the_most_similar_window", picture(&Boocode, "total = 12;\ntotal = 3;\n", "total = 4;"));
}

#[test]
fn accepts_all_that_are_equally_alike() {
    assert_snapshot!("accepts_all_that_are_equally_alike", picture(&Boocode, "total = 1;\ntotal = 2;\n", "total = 3;"));
}

#[test]
fn accepts_two_thirds() {
    assert_snapshot!("accepts_two_thirds", picture(&Boocode, "abcd--\n", "abcdef"));
}

#[test]
fn refuses_less_than_two_thirds() {
    assert_snapshot!("refuses_less_than_two_thirds", picture(&Boocode, "abc---\n", "abcdef"));
}

#[test]
fn refuses_a_blank_needle() {
    assert_snapshot!("refuses_a_blank_needle", picture(&Boocode, "a\n\nb\n", " \n"));
}
