//! What `subsequence` proposes and refuses, drawn.

use fuzzy_subsequence::Subsequence;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Subsequence));
}

#[test]
fn accepts_a_line_left_out() {
    assert_snapshot!("accepts_a_line_left_out", picture(&Subsequence, "{\n\ta();\n\tb();\n\tc();\n}\n", "a();\nc();"));
}

#[test]
fn accepts_twice_as_many_lines() {
    assert_snapshot!("accepts_twice_as_many_lines", picture(&Subsequence, "a();\n1\n2\nb();\n", "a();\nb();"));
}

#[test]
fn refuses_more_than_twice_as_many_lines() {
    assert_snapshot!(
        "refuses_more_than_twice_as_many_lines",
        picture(&Subsequence, "a();\n1\n2\n3\nb();\n", "a();\nb();")
    );
}

#[test]
fn refuses_another_order() {
    assert_snapshot!("refuses_another_order", picture(&Subsequence, "b();\na();\n", "a();\nb();"));
}

#[test]
fn refuses_a_line_that_the_place_lacks() {
    assert_snapshot!("refuses_a_line_that_the_place_lacks", picture(&Subsequence, "a();\nc();\n", "a();\nb();\nc();"));
}
