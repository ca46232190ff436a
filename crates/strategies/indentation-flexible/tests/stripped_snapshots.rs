//! What `indentation-flexible/stripped` proposes and refuses, drawn.

use fuzzy_indentation_flexible::Stripped;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Stripped));
}

#[test]
fn accepts_tabs_for_spaces() {
    assert_snapshot!("accepts_tabs_for_spaces", picture(&Stripped, "if a {\n\tb();\n}\n", "    b();"));
}

#[test]
fn accepts_a_start_behind_the_indentation() {
    assert_snapshot!(
        "accepts_a_start_behind_the_indentation",
        picture(&Stripped, "if a {\n\tb();\n\tc();\n}\n", "b();\nc();")
    );
}

#[test]
fn accepts_lines_moved_against_each_other() {
    assert_snapshot!(
        "accepts_lines_moved_against_each_other",
        picture(&Stripped, "  a();\n    b();\n", "  a();\n  b();")
    );
}

#[test]
fn refuses_a_start_inside_a_line() {
    assert_snapshot!("refuses_a_start_inside_a_line", picture(&Stripped, "x = a();\n", "  a();"));
}

#[test]
fn refuses_blanks_changed_inside_a_line() {
    assert_snapshot!("refuses_blanks_changed_inside_a_line", picture(&Stripped, "\tlet  a;\n", "  let a;"));
}

#[test]
fn refuses_extra_blank_line() {
    assert_snapshot!("refuses_extra_blank_line", picture(&Stripped, "\ta();\n\n\tb();\n", "  a();\n  b();"));
}
