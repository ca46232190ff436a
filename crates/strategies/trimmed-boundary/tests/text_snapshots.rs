//! What `trimmed-boundary/text` proposes and refuses, drawn.

use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use fuzzy_trimmed_boundary::Text;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Text));
}

#[test]
fn accepts_blank_lines_around() {
    assert_snapshot!("accepts_blank_lines_around", picture(&Text, "x\na();\nb();\ny\n", "\n\na();\nb();\n\n"));
}

#[test]
fn accepts_a_place_inside_a_line() {
    assert_snapshot!("accepts_a_place_inside_a_line", picture(&Text, "x = f(a, b);\n", "  f(a, b) "));
}

#[test]
fn refuses_blanks_changed_inside() {
    assert_snapshot!("refuses_blanks_changed_inside", picture(&Text, "f(a,  b);\n", "\nf(a, b);\n"));
}

#[test]
fn refuses_indentation_changed_on_a_second_line() {
    assert_snapshot!(
        "refuses_indentation_changed_on_a_second_line",
        picture(&Text, "\ta();\n\tb();\n", "  a();\n  b();")
    );
}

#[test]
fn refuses_a_blank_needle() {
    assert_snapshot!("refuses_a_blank_needle", picture(&Text, "a\n\nb\n", "\n \n"));
}
