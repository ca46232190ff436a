//! What `best-window` proposes and refuses, drawn.

use fuzzy_best_window::BestWindow;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&BestWindow));
}

#[test]
fn accepts_the_most_similar_window() {
    assert_snapshot!(
        "accepts_the_most_similar_window",
        picture(&BestWindow, "x = compute(a);\ntotal = sum(values);\n", "total = sum(vals);")
    );
}

#[test]
fn accepts_a_line_more() {
    assert_snapshot!(
        "accepts_a_line_more",
        picture(&BestWindow, "first(1);\nx;\nsecond(2);\n", "first(1);\nsecond(2);")
    );
}

#[test]
fn accepts_all_that_come_close() {
    assert_snapshot!("accepts_all_that_come_close", picture(&BestWindow, "total = 1;\n\n\ntotal = 2;\n", "total = 3;"));
}

#[test]
fn refuses_what_is_not_alike_enough() {
    assert_snapshot!("refuses_what_is_not_alike_enough", picture(&BestWindow, "abcde-----\n", "abcdefghij"));
}
