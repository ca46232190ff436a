//! What `context-aware` proposes and refuses, drawn.

use fuzzy_context_aware::ContextAware;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&ContextAware));
}

#[test]
fn accepts_half_of_the_inner_lines() {
    assert_snapshot!(
        "accepts_half_of_the_inner_lines",
        picture(&ContextAware, "{\n  a();\n  b();\n}\n", "{\n  a();\n  x();\n}")
    );
}

#[test]
fn accepts_every_block_that_will_do() {
    assert_snapshot!(
        "accepts_every_block_that_will_do",
        picture(&ContextAware, "{\n a\n b\n}\n{\n x\n b\n}\n", "{\n a\n b\n}")
    );
}

#[test]
fn refuses_less_than_half() {
    assert_snapshot!("refuses_less_than_half", picture(&ContextAware, "{\n a\n b\n c\n}\n", "{\n a\n x\n y\n}"));
}

#[test]
fn refuses_another_number_of_lines() {
    assert_snapshot!("refuses_another_number_of_lines", picture(&ContextAware, "{\n a\n b\n}\n", "{\n a\n}"));
}

#[test]
fn refuses_a_changed_first_line() {
    assert_snapshot!("refuses_a_changed_first_line", picture(&ContextAware, "if ab {\n a\n}\n", "if ax {\n a\n}"));
}
