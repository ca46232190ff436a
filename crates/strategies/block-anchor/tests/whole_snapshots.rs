//! What `block-anchor/whole` proposes and refuses, drawn.

use fuzzy_block_anchor::Whole;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Whole));
}

#[test]
fn accepts_an_only_block_whatever_is_in_it() {
    assert_snapshot!(
        "accepts_an_only_block_whatever_is_in_it",
        picture(&Whole, "if a {\n    completely different\n}\n", "if a {\n42\n}")
    );
}

#[test]
fn accepts_the_best_of_several() {
    assert_snapshot!(
        "accepts_the_best_of_several",
        picture(&Whole, "{\n  first();\n}\n{\n  second();\n}\n", "{\n  sekond();\n}")
    );
}

#[test]
fn accepts_a_later_closing_line() {
    assert_snapshot!(
        "accepts_a_later_closing_line",
        picture(&Whole, "{\n  a();\n}\n  b();\n}\n", "{\n  a();\n}\n  c();\n}")
    );
}

#[test]
fn accepts_all_that_are_equally_alike() {
    assert_snapshot!("accepts_all_that_are_equally_alike", picture(&Whole, "{\n1\n}\n{\n2\n}\n", "{\n3\n}"));
}

#[test]
fn refuses_several_that_are_not_alike() {
    assert_snapshot!(
        "refuses_several_that_are_not_alike",
        picture(&Whole, "{\nabcdefghij klmnop\n}\n{\nqrstuvwxyz 012345\n}\n", "{\n================================\n}")
    );
}

#[test]
fn refuses_a_changed_first_line() {
    assert_snapshot!("refuses_a_changed_first_line", picture(&Whole, "if ab {\n1\n}\n", "if ax {\n1\n}"));
}

#[test]
fn refuses_two_lines() {
    assert_snapshot!("refuses_two_lines", picture(&Whole, "{\n}\n", "{\n}"));
}
