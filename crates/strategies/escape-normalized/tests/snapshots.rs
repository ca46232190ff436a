//! What `escape-normalized` proposes and refuses, drawn.

use fuzzy_escape_normalized::EscapeNormalized;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&EscapeNormalized));
}

#[test]
fn accepts_quotes_escaped_in_the_needle() {
    assert_snapshot!(
        "accepts_quotes_escaped_in_the_needle",
        picture(&EscapeNormalized, "x = say(\"a\");\n", "say(\\\"a\\\")")
    );
}

#[test]
fn accepts_a_line_break_escaped_in_the_needle() {
    assert_snapshot!(
        "accepts_a_line_break_escaped_in_the_needle",
        picture(&EscapeNormalized, "a(); b();\nc(); d();\n", "b();\\nc();")
    );
}

#[test]
fn accepts_lines_escaped_in_the_file() {
    assert_snapshot!(
        "accepts_lines_escaped_in_the_file",
        picture(&EscapeNormalized, "x\nsay(\\\"a\\\");\ny\n", "say(\"a\");")
    );
}

#[test]
fn accepts_lines_continued_in_the_file() {
    assert_snapshot!("accepts_lines_continued_in_the_file", picture(&EscapeNormalized, "a \\\n  b\nc\n", "a \n  b"));
}

#[test]
fn refuses_part_of_a_line_escaped_in_the_file() {
    assert_snapshot!(
        "refuses_part_of_a_line_escaped_in_the_file",
        picture(&EscapeNormalized, "x = say(\\\"a\\\");\n", "say(\"a\")")
    );
}

#[test]
fn refuses_another_escape_sequence() {
    assert_snapshot!("refuses_another_escape_sequence", picture(&EscapeNormalized, "A\n", "\\x41"));
}
