//! What `trimmed-boundary` proposes and refuses, drawn.

use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use fuzzy_trimmed_boundary::TrimmedBoundary;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&TrimmedBoundary));
}

#[test]
fn accepts_blank_lines_around_the_needle() {
    assert_snapshot!(
        "accepts_blank_lines_around_the_needle",
        picture(&TrimmedBoundary, "a();\nb();\nc();\n", "\n\nb();\n")
    );
}

#[test]
fn accepts_a_place_inside_a_line() {
    assert_snapshot!("accepts_a_place_inside_a_line", picture(&TrimmedBoundary, "if a { b();}\n", "  b();  "));
}

#[test]
fn accepts_the_text_then_the_line() {
    assert_snapshot!("accepts_the_text_then_the_line", picture(&TrimmedBoundary, "{\n\tb(); \n}\n", "  b();"));
}

#[test]
fn refuses_a_needle_without_blanks_at_its_ends() {
    assert_snapshot!("refuses_a_needle_without_blanks_at_its_ends", picture(&TrimmedBoundary, "b();\n", "b();"));
}

#[test]
fn refuses_blanks_changed_inside() {
    assert_snapshot!("refuses_blanks_changed_inside", picture(&TrimmedBoundary, "f(a,  b);\n", " f(a, b);"));
}
