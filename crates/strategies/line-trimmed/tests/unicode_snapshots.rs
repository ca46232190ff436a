//! What `line-trimmed/unicode` proposes and refuses, drawn.

use fuzzy_line_trimmed::Unicode;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Unicode));
}

#[test]
fn accepts_curly_quotes() {
    assert_snapshot!("accepts_curly_quotes", picture(&Unicode, "say(“it’s”);\n", "say(\"it's\");"));
}

#[test]
fn accepts_hidden_characters_and_odd_spaces() {
    assert_snapshot!(
        "accepts_hidden_characters_and_odd_spaces",
        picture(&Unicode, "let\u{a0}f\u{200b}oo = 1;\n", "let foo = 1;")
    );
}

#[test]
fn accepts_accents_apart() {
    assert_snapshot!("accepts_accents_apart", picture(&Unicode, "cafe\u{301} — 1\n", "café - 1"));
}

#[test]
fn refuses_other_indentation() {
    assert_snapshot!("refuses_other_indentation", picture(&Unicode, "\tsay(“a”);\n", "  say(\"a\");"));
}

#[test]
fn refuses_another_character() {
    assert_snapshot!("refuses_another_character", picture(&Unicode, "say(«a»);\n", "say(\"a\");"));
}

#[test]
fn refuses_runs_of_blanks() {
    assert_snapshot!("refuses_runs_of_blanks", picture(&Unicode, "a\u{a0}\u{a0}b\n", "a b"));
}
