//! What `exact` proposes and refuses, drawn.

use fuzzy_exact::Exact;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Exact));
}

#[test]
fn accepts_a_place_inside_a_line() {
    assert_snapshot!("accepts_a_place_inside_a_line", picture(&Exact, "if ready { start(now); }\n", "start(now)"));
}

#[test]
fn accepts_every_overlapping_place() {
    assert_snapshot!("accepts_every_overlapping_place", picture(&Exact, "aaa", "aa"));
}

#[test]
fn refuses_other_blanks() {
    assert_snapshot!("refuses_other_blanks", picture(&Exact, "if a {\n\tb();\n}\n", "if a {\n    b();"));
}
