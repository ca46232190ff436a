//! What `block-aligned` proposes and refuses, drawn.

use fuzzy_block_aligned::BlockAligned;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&BlockAligned));
}

#[test]
fn accepts_a_block_moved_as_a_whole() {
    assert_snapshot!(
        "accepts_a_block_moved_as_a_whole",
        picture(&BlockAligned, "{\n\tif a {\n\t\tb();\n\t}\n}\n", "if a {\n\tb();\n}")
    );
}

#[test]
fn accepts_tabs_for_the_shared_indentation() {
    assert_snapshot!(
        "accepts_tabs_for_the_shared_indentation",
        picture(&BlockAligned, "{\n\ta(\n\t  b);\n}\n", "    a(\n      b);")
    );
}

#[test]
fn refuses_a_tab_for_spaces_beyond_it() {
    assert_snapshot!(
        "refuses_a_tab_for_spaces_beyond_it",
        picture(&BlockAligned, "{\n\ta(\n\t\tb);\n}\n", "    a(\n        b);")
    );
}

#[test]
fn refuses_lines_moved_against_each_other() {
    assert_snapshot!(
        "refuses_lines_moved_against_each_other",
        picture(&BlockAligned, "  a();\n    b();\n", "a();\nb();")
    );
}

#[test]
fn refuses_extra_blank_line() {
    assert_snapshot!("refuses_extra_blank_line", picture(&BlockAligned, "\ta();\n\n\tb();\n", "  a();\n  b();"));
}
