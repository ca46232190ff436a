//! The JSON of failures, and the uniqueness of a code's word.

use fuzzy_report::{Code, Failure};
use serde::Serialize;

/// Returns the member names, sorted and joined by blanks.
fn members(failure: &impl Serialize) -> String {
    let json = serde_json::to_value(failure).unwrap();
    let mut names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names.join(" ")
}

#[test]
fn a_failed_edit_has_all_its_members() {
    let failure = Failure::new(Code::Stale, "`a.rs` changed", "Read it again.").about("a.rs");
    let expected =
        "ambiguous_at cause code count file_path message nearest next_step proposal repeats rule status tried";
    assert_eq!(members(&failure), expected);
    assert_eq!(failure.to_string(), "stale: `a.rs`: `a.rs` changed. Read it again.");
    assert_eq!(failure.naming_file().to_string(), "stale: `a.rs` changed. Read it again.");
}

#[test]
fn a_code_is_one_word_everywhere() {
    for code in Code::ALL {
        let json = serde_json::to_value(code).unwrap();
        assert_eq!(json, code.as_str());
        assert_eq!(serde_json::from_value::<Code>(json).unwrap(), *code);
    }
    assert!(serde_json::from_value::<Code>("Stale".into()).is_err());
}
