//! The committed schemas say something: what lacks a field or has another type is told from what does not.

use serde_json::{Value, json};

use crate::support::{Place, schema_error};

fn is_valid(verb: &str, value: &Value) -> bool {
    schema_error(verb, value).is_none()
}

#[test]
fn a_report_without_a_field_or_with_another_type_is_not_valid() {
    let place = Place::with("one\n");
    let success = place.run(&["apply", "file.txt", "--old", "one", "--new", "two", "--json"]).json();
    let failure = place.run(&["apply", "file.txt", "--old", "one", "--new", "two", "--json"]).json();
    assert_eq!((&success["status"], &failure["status"]), (&json!("applied"), &json!("failed")));
    for report in [&success, &failure] {
        assert!(is_valid("apply", report));
        for field in report.as_object().unwrap().keys() {
            let mut without = report.clone();
            without.as_object_mut().unwrap().remove(field);
            assert!(!is_valid("apply", &without), "{field}");
            let mut wrong = report.clone();
            wrong[field] = json!({"another": "type"});
            assert!(!is_valid("apply", &wrong), "{field}");
        }
    }
    assert!(!is_valid("apply", &json!({})));
    assert!(!is_valid("apply", &json!([success])));
}
