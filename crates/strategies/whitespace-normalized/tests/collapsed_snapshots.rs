//! What `whitespace-normalized/collapsed` proposes and refuses, drawn.

use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use fuzzy_whitespace_normalized::Collapsed;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Collapsed));
}

#[test]
fn accepts_a_line_broken_in_two() {
    assert_snapshot!("accepts_a_line_broken_in_two", picture(&Collapsed, "x = f(a,\n    b);\n", "f(a, b)"));
}

#[test]
fn accepts_blanks_before_the_needle_without_the_line_break() {
    assert_snapshot!(
        "accepts_blanks_before_the_needle_without_the_line_break",
        picture(&Collapsed, "{\n\tfoo();\n}\n", "    foo();")
    );
}

#[test]
fn accepts_as_many_line_breaks_as_the_needle_ends_with() {
    assert_snapshot!(
        "accepts_as_many_line_breaks_as_the_needle_ends_with",
        picture(&Collapsed, "foo();\n\n\nbar();\n", "foo();\n\n")
    );
}

#[test]
fn refuses_blanks_where_the_file_has_none() {
    assert_snapshot!("refuses_blanks_where_the_file_has_none", picture(&Collapsed, "f(a,b);\n", "f(a, b);"));
}

#[test]
fn refuses_a_blank_needle() {
    assert_snapshot!("refuses_a_blank_needle", picture(&Collapsed, "a\n\nb\n", " \n"));
}
