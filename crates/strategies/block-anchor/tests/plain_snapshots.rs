//! What `block-anchor` and `block-anchor/guarded` propose and refuse, drawn.

use fuzzy_block_anchor::BlockAnchor;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn plain_shared_cases() {
    assert_snapshot!("plain_shared_cases", shared::table(&BlockAnchor::PLAIN));
}

#[test]
fn plain_accepts_an_only_block_whatever_is_in_it() {
    assert_snapshot!(
        "plain_accepts_an_only_block_whatever_is_in_it",
        picture(&BlockAnchor::PLAIN, "if a {\n    open(door);\n}\n", "if a {\n    42\n}")
    );
}

#[test]
fn plain_accepts_the_best_of_several() {
    assert_snapshot!(
        "plain_accepts_the_best_of_several",
        picture(&BlockAnchor::PLAIN, "{\n  aaaa\n}\n{\n  bbbb\n}\n", "{\n  bbbc\n}")
    );
}

#[test]
fn plain_accepts_the_first_of_equals() {
    assert_snapshot!(
        "plain_accepts_the_first_of_equals",
        picture(&BlockAnchor::PLAIN, "{\n  ab\n}\n{\n  cb\n}\n", "{\n  xb\n}")
    );
}

#[test]
fn plain_refuses_several_that_are_not_alike() {
    assert_snapshot!(
        "plain_refuses_several_that_are_not_alike",
        picture(&BlockAnchor::PLAIN, "{\n  aa\n}\n{\n  bb\n}\n", "{\n  cc\n}")
    );
}

#[test]
fn plain_refuses_two_lines() {
    assert_snapshot!("plain_refuses_two_lines", picture(&BlockAnchor::PLAIN, "a();\nb();\n", "a();\nb();"));
}

#[test]
fn plain_refuses_a_changed_last_line() {
    assert_snapshot!(
        "plain_refuses_a_changed_last_line",
        picture(&BlockAnchor::PLAIN, "if ab {\n  x();\n} // end\n", "if ab {\n  x();\n}")
    );
}

#[test]
fn guarded_shared_cases() {
    assert_snapshot!("guarded_shared_cases", shared::table(&BlockAnchor::GUARDED));
}

#[test]
fn guarded_accepts_a_misspelt_line() {
    assert_snapshot!(
        "guarded_accepts_a_misspelt_line",
        picture(&BlockAnchor::GUARDED, "if a {\n    first();\n}\n", "if a {\n    fist();\n}")
    );
}

#[test]
fn guarded_refuses_an_only_block_that_is_not_alike() {
    assert_snapshot!(
        "guarded_refuses_an_only_block_that_is_not_alike",
        picture(&BlockAnchor::GUARDED, "if a {\n    open(door);\n}\n", "if a {\n    42\n}")
    );
}

#[test]
fn guarded_refuses_two_more_lines_than_the_needle() {
    assert_snapshot!(
        "guarded_refuses_two_more_lines_than_the_needle",
        picture(&BlockAnchor::GUARDED, "{\n  a();\n  b();\n  c();\n}\n", "{\n  a();\n}")
    );
}

#[test]
fn guarded_refuses_several_that_are_not_alike() {
    assert_snapshot!(
        "guarded_refuses_several_that_are_not_alike",
        picture(&BlockAnchor::GUARDED, "{\n  aabb\n}\n{\n  bbaa\n}\n", "{\n  aacc\n}")
    );
}
