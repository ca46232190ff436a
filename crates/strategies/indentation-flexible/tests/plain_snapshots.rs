//! What `indentation-flexible` proposes and refuses, drawn.

use fuzzy_indentation_flexible::IndentationFlexible;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&IndentationFlexible));
}

#[test]
fn accepts_a_block_moved_as_a_whole() {
    assert_snapshot!(
        "accepts_a_block_moved_as_a_whole",
        picture(&IndentationFlexible, "fn f() {\n    if a {\n        b();\n    }\n}\n", "if a {\n    b();\n}")
    );
}

#[test]
fn accepts_one_tab_for_one_space() {
    assert_snapshot!("accepts_one_tab_for_one_space", picture(&IndentationFlexible, "{\n\ta\n\tb\n}\n", " a\n b"));
}

#[test]
fn refuses_lines_moved_against_each_other() {
    assert_snapshot!(
        "refuses_lines_moved_against_each_other",
        picture(&IndentationFlexible, "if a {\n        b();\n}\n", "if a {\n    b();\n}")
    );
}

#[test]
fn refuses_blanks_on_a_blank_line() {
    assert_snapshot!("refuses_blanks_on_a_blank_line", picture(&IndentationFlexible, "  a\n  \n  b\n", "a\n\nb"));
}

#[test]
fn refuses_blanks_at_a_line_end() {
    assert_snapshot!("refuses_blanks_at_a_line_end", picture(&IndentationFlexible, "  a  \n  b\n", "a\nb"));
}
