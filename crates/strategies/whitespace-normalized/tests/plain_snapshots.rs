//! What `whitespace-normalized` proposes and refuses, drawn.

use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use fuzzy_whitespace_normalized::WhitespaceNormalized;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&WhitespaceNormalized));
}

#[test]
fn accepts_a_line_with_other_runs() {
    assert_snapshot!(
        "accepts_a_line_with_other_runs",
        picture(&WhitespaceNormalized, "x();\n\tf(a,  b);\n", "f(a, b);")
    );
}

#[test]
fn accepts_the_first_place_inside_a_line() {
    assert_snapshot!(
        "accepts_the_first_place_inside_a_line",
        picture(&WhitespaceNormalized, "if x { f(a,  b); f(a, b); }\n", "f(a, b);")
    );
}

#[test]
fn accepts_line_breaks_moved() {
    assert_snapshot!("accepts_line_breaks_moved", picture(&WhitespaceNormalized, "a\nb  c\nd\n", "a b\nc"));
}

#[test]
fn accepts_wide_blanks() {
    assert_snapshot!("accepts_wide_blanks", picture(&WhitespaceNormalized, "\u{3000}a\u{a0}\u{2003}b\n", "a b"));
}

#[test]
fn refuses_a_blank_where_there_is_none() {
    assert_snapshot!("refuses_a_blank_where_there_is_none", picture(&WhitespaceNormalized, "f(a, b);\n", "f(a,b);"));
}

#[test]
fn refuses_one_line_for_two() {
    assert_snapshot!("refuses_one_line_for_two", picture(&WhitespaceNormalized, "a\nb\n", "a b"));
}
