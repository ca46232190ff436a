//! Properties: any request is read or rejected without a panic, and a list has the same meaning in all its shapes.

use fuzzy_testkit::texts;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Edits, Object, escaped, read_edits};

/// Names of arguments, aliases, and one unknown name.
const NAMES: &[&str] =
    &["edits", "file_path", "path", "old_string", "oldText", "new_string", "new_str", "replace_all", "other"];

/// Characters with a special meaning in JSON or in this reader.
fn letters() -> impl Strategy<Value = String> {
    let letter = prop::sample::select("\"\\\n\t\r\u{1b}\0{}[]:,anu0é😀 '".chars().collect::<Vec<_>>());
    prop::collection::vec(letter, 0..12).prop_map(String::from_iter)
}

/// Any JSON value, with names of arguments among its keys.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        letters().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner.clone()).prop_map(Value::Object),
            inner.prop_map(|value| Value::from(value.to_string())),
        ]
    })
}

fn object(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Object> {
    prop::collection::hash_map(prop::sample::select(NAMES), values, 0..6)
        .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn read(list: &Value) -> Result<Edits, String> {
    let Value::Object(arguments) = json!({"file_path": "a", "edits": list}) else { unreachable!() };
    read_edits(arguments)
}

/// Writes JSON with unescaped control characters in its strings, as some models do.
fn raw(json: &str) -> String {
    let mut text = json.replace("\\\\", "\u{1}");
    for (escape, letter) in [("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\u001b", "\u{1b}"), ("\\u0000", "\0")] {
        text = text.replace(escape, letter);
    }
    text.replace('\u{1}', "\\\\")
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn any_arguments_are_read_or_refused(arguments in object(value())) {
        if let Ok(Edits { edits, .. }) = read_edits(arguments) {
            prop_assert!(!edits.is_empty());
        }
    }

    #[test]
    fn any_text_is_a_list_or_no_json(text in letters()) {
        prop_assert!(read(&Value::from(text)).is_err());
    }

    #[test]
    fn json_is_unchanged(value in value()) {
        let json = value.to_string();
        prop_assert_eq!(escaped(&json), json);
    }

    #[test]
    fn a_list_means_the_same_in_every_shape(texts in prop::collection::vec((letters(), letters()), 1..4)) {
        let items: Vec<Value> =
            texts.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
        let list = Value::from(items.clone());
        let expected = read(&list);
        let found = expected.as_ref().unwrap().edits.iter().map(|edit| (edit.old_string.clone(), edit.new_string.clone()));
        prop_assert_eq!(found.collect::<Vec<_>>(), texts);
        let packed = Value::from(items.iter().map(|item| Value::from(item.to_string())).collect::<Vec<_>>());
        for shape in [packed.clone(), list.to_string().into(), packed.to_string().into(), raw(&list.to_string()).into()] {
            prop_assert_eq!(&read(&shape), &expected, "{}", shape);
        }
    }
}
