//! What `multi-occurrence` proposes and refuses, drawn.

use fuzzy_multi_occurrence::MultiOccurrence;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&MultiOccurrence));
}

#[test]
fn accepts_every_place() {
    assert_snapshot!("accepts_every_place", picture(&MultiOccurrence, "f();\ng();\nf();\n", "f();"));
}

#[test]
fn refuses_a_place_that_overlaps_the_one_before() {
    assert_snapshot!("refuses_a_place_that_overlaps_the_one_before", picture(&MultiOccurrence, "aaa", "aa"));
}
