//! What `line-trimmed` proposes and refuses, drawn.

use fuzzy_line_trimmed::LineTrimmed;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&LineTrimmed));
}

#[test]
fn accepts_tabs_for_spaces() {
    assert_snapshot!("accepts_tabs_for_spaces", picture(&LineTrimmed, "if a {\n\tb();\n}\n", "if a {\n    b();\n}"));
}

#[test]
fn accepts_a_line_of_blanks_as_a_blank_line() {
    assert_snapshot!(
        "accepts_a_line_of_blanks_as_a_blank_line",
        picture(&LineTrimmed, "a();\n\t \nb();\n", "a();\n\nb();")
    );
}

#[test]
fn refuses_extra_blank_line() {
    assert_snapshot!("refuses_extra_blank_line", picture(&LineTrimmed, "a();\n\nb();\n", "a();\nb();"));
}

#[test]
fn refuses_a_place_inside_a_line() {
    assert_snapshot!("refuses_a_place_inside_a_line", picture(&LineTrimmed, "if a { b(); }\n", "b();"));
}

#[test]
fn refuses_blanks_changed_inside_a_line() {
    assert_snapshot!("refuses_blanks_changed_inside_a_line", picture(&LineTrimmed, "f(a,  b);\n", "f(a, b);"));
}
