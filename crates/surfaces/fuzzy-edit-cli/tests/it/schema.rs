//! `fuzzy-edit schema`: every answer has a schema, which rejects wrong answers, and whose keys are in a snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fuzzy_testkit::assert_snapshot;
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

#[test]
fn every_listed_name_has_a_schema() {
    let place = Place::new();
    let names = place.run(&["schema"]).out;
    assert!(names.starts_with("apply\nbatch\n") && names.ends_with("\ncodes\n"), "{names}");
    for name in names.lines() {
        let answer = place.run(&["schema", name]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{name}");
        jsonschema::meta::validate(&serde_json::from_str(&answer.out).unwrap()).unwrap();
    }
}

#[test]
fn an_unknown_name_is_bad_input_that_names_the_choices() {
    let answer = Place::new().run(&["schema", "aply"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.starts_with("fuzzy-edit: bad_input: there is no schema `aply`."), "{}", answer.err);
    assert!(answer.err.contains("Choose one of these: apply, batch, ") && answer.err.contains(", codes."));
}

#[test]
fn the_committed_codes_are_those_of_the_command() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/codes.json");
    let printed = Place::new().run(&["schema", "codes"]).out;
    assert!(fs::read_to_string(committed).unwrap() == printed, "fuzzy-edit schema codes > docs/schema/codes.json");
}

/// Adds the keys of every object in a schema.
fn add_keys(schema: &Value, keys: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (name, inner) in members {
                match (name.as_str(), inner) {
                    ("properties", Value::Object(properties)) => {
                        keys.extend(properties.keys().cloned());
                        properties.values().for_each(|property| add_keys(property, keys));
                    }
                    ("default" | "enum" | "const" | "required", _) => {}
                    _ => add_keys(inner, keys),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_keys(item, keys)),
        _ => {}
    }
}

#[test]
fn the_changelog_lists_every_key_and_every_schema_has_the_version() {
    let place = Place::new();
    let mut keys = BTreeSet::new();
    for name in place.run(&["schema"]).out.lines() {
        let schema: Value = serde_json::from_str(&place.run(&["schema", name]).out).unwrap();
        assert_eq!(schema["version"], 1, "{name}");
        add_keys(&schema, &mut keys);
    }
    let changelog = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../CHANGELOG.md")).unwrap();
    let (_, section) = changelog.split_once("### Keys of the JSON\n").unwrap();
    let list = section.split("\n#").next().unwrap().split("\n\n").last().unwrap();
    let listed: BTreeSet<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let keys: Vec<String> = keys.into_iter().collect();
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), keys, "the list is: `{}`", keys.join("`, `"));
}

/// Lists the keys of a shape: the path, with `?` if the object does not require the key, and the types.
#[derive(Default)]
struct Keys {
    /// The keys of each variant of an object.
    variants: BTreeMap<String, BTreeSet<String>>,
}

impl Keys {
    /// Returns the types of a shape, and indented lines with its keys.
    fn of(shape: &Value) -> String {
        let mut keys = Self::default();
        let mut text = keys.types("", shape);
        for (variant, keys) in keys.variants {
            let mut line = format!("\n {variant}");
            for key in keys {
                if line.len() + key.len() > 118 {
                    text += &std::mem::replace(&mut line, "\n ".to_owned());
                }
                write!(line, " {key};").unwrap();
            }
            text += &line;
        }
        text
    }

    /// Returns the types that a schema allows, and lists the keys of its objects.
    fn types(&mut self, path: &str, schema: &Value) -> String {
        let mut types = BTreeSet::new();
        self.add_types(path, "", schema, &mut types);
        if types.is_empty() { "any".to_owned() } else { types.into_iter().collect::<Vec<_>>().join(" | ") }
    }

    /// Adds the types of a schema. `variant` names the variant of an object that its keys belong to.
    fn add_types(&mut self, path: &str, variant: &str, schema: &Value, types: &mut BTreeSet<String>) {
        let list = |word: &str| schema[word].as_array().into_iter().flatten();
        types.extend(schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()).map(str::to_owned));
        let variants: Vec<&Value> = list("anyOf").chain(list("oneOf")).collect();
        let is_choice = variants.iter().filter(|variant| variant["type"] != "null").count() > 1;
        for (index, schema) in variants.into_iter().enumerate() {
            let own = format!(" variant {}:", index + 1);
            self.add_types(path, if is_choice { &own } else { variant }, schema, types);
        }
        let values: Vec<String> = list("enum").chain(schema.get("const")).map(Value::to_string).collect();
        if values.is_empty() {
            for word in list("type").chain(schema.get("type")).filter_map(Value::as_str) {
                types.insert(if word == "array" { self.array(path, schema) } else { word.to_owned() });
            }
        }
        types.extend(values);
        let keys = schema["properties"].as_object().into_iter().flatten();
        let keys = keys.map(|(key, value)| (key.as_str(), value));
        for (key, value) in keys.chain(schema.get("additionalProperties").map(|value| ("*", value))) {
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let mark = if list("required").any(|required| required == key) { "" } else { "?" };
            let types = self.types(&path, value);
            self.variants.entry(variant.to_owned()).or_default().insert(format!("{path}{mark}: {types}"));
        }
    }

    fn array(&mut self, path: &str, schema: &Value) -> String {
        let items = schema["prefixItems"].as_array().into_iter().flatten().chain(schema.get("items"));
        let items: Vec<String> = items.map(|item| self.types(&format!("{path}[]"), item)).collect();
        format!("[{}]", items.join(", "))
    }
}

#[test]
fn the_keys_of_every_answer_are_in_a_snapshot() {
    let place = Place::new();
    let (mut text, mut shapes) = (String::new(), BTreeMap::<_, BTreeMap<_, Vec<_>>>::new());
    let names = place.run(&["schema"]).out;
    for answer in names.lines().filter(|answer| *answer != "codes") {
        let schema: Value = serde_json::from_str(&place.run(&["schema", answer]).out).unwrap();
        // The API has a shape for each route.
        for (route, shape) in schema["routes"].as_object().into_iter().flatten() {
            writeln!(text, "{answer}, {route}: {}", Keys::of(shape)).unwrap();
        }
        if schema.get("anyOf").is_some() {
            writeln!(text, "{answer}: {}", Keys::of(&json!({"anyOf": schema["anyOf"]}))).unwrap();
        }
        // `docs/schema/codes.json` has the values of `Code`.
        for (name, shape) in schema["$defs"].as_object().into_iter().flatten().filter(|(name, _)| *name != "Code") {
            shapes.entry(name.clone()).or_default().entry(Keys::of(shape)).or_default().push(answer);
        }
    }
    for (name, shapes) in &shapes {
        for (keys, answers) in shapes {
            // Some names are those of different shapes in different answers.
            let owner = if shapes.len() > 1 { format!(" of {}", answers.join(", ")) } else { String::new() };
            writeln!(text, "# {name}{owner}: {keys}").unwrap();
        }
    }
    assert_snapshot!("schema", text);
}
