//! What is reported can be serialized, with the feature `serde`.

use fuzzy_core::{Applied, Candidate, Match, Similarity, Span};

#[test]
fn an_applied_edit_is_serialized_with_its_spans_in_bytes() {
    let found = Match::new("exact", Candidate::new(Span::new(4, 7), Similarity::ONE));
    let json = serde_json::to_string(&Applied::new("let bar;".to_owned(), found, Vec::new())).unwrap();
    assert_eq!(
        json,
        r#"{"output":"let bar;","found":{"strategy":"exact","span":{"start":4,"end":7},"similarity":1.0,"confidence":null},"replaced":[]}"#
    );
}
