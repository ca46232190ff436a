//! What `line-trimmed/ends` proposes and refuses, drawn.

use fuzzy_line_trimmed::Ends;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Ends));
}

#[test]
fn accepts_blanks_at_line_ends() {
    assert_snapshot!("accepts_blanks_at_line_ends", picture(&Ends, "a();  \n\tb();\t\n", "a();\n\tb();"));
}

#[test]
fn accepts_blank_lines_around() {
    assert_snapshot!("accepts_blank_lines_around", picture(&Ends, "x\na();\ny\n", "\n \na();\n\n"));
}

#[test]
fn refuses_other_indentation() {
    assert_snapshot!("refuses_other_indentation", picture(&Ends, "\ta();\n", "    a();"));
}

#[test]
fn refuses_a_place_inside_a_line() {
    assert_snapshot!("refuses_a_place_inside_a_line", picture(&Ends, "if a { b(); }\n", "b();"));
}

#[test]
fn refuses_extra_blank_line() {
    assert_snapshot!("refuses_extra_blank_line", picture(&Ends, "a();\n\nb();\n", "a();\nb();"));
}
