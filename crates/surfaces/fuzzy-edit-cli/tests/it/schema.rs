//! `fuzzy-edit schema`: every answer has a schema, which rejects wrong answers, and whose keys are in a snapshot.

use std::collections::{BTreeMap, BTreeSet};
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

/// Shapes that occur several times. Each has a snapshot of its own, which the answers refer to by name;
/// `docs/schema/codes.json` has the values of `Code`.
const SHARED: [&str; 6] = ["Code", "FailureOfCheckpoint", "FailureOfEdit", "Preview", "RestoreOutcome", "Success"];

/// Lists the keys of a shape, one per line: path, types, and whether the object requires the key.
struct Keys<'s> {
    definitions: &'s Value,
    lines: BTreeSet<String>,
}

impl<'s> Keys<'s> {
    /// Returns the types of a shape and the lines of its keys.
    fn of(definitions: &'s Value, shape: &Value) -> (String, String) {
        let mut keys = Self { definitions, lines: BTreeSet::new() };
        let types = keys.types("", shape);
        (types, keys.lines.into_iter().map(|line| line + "\n").collect())
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
        match name(schema) {
            Some(name) if SHARED.contains(&name) => _ = types.insert(name.to_owned()),
            Some(name) => self.add_types(path, variant, &self.definitions[name], types),
            None => {}
        }
        let variants: Vec<&Value> = list("anyOf").chain(list("oneOf")).collect();
        let is_choice = variants.iter().filter(|variant| variant["type"] != "null").count() > 1;
        for (index, schema) in variants.into_iter().enumerate() {
            let own = format!(" in variant {}", index + 1);
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
            let is_required = list("required").any(|required| required == key);
            let required = if is_required { "required" } else { "optional" };
            let types = self.types(&path, value);
            self.lines.insert(format!("{path}: {types}, {required}{variant}"));
        }
    }

    fn array(&mut self, path: &str, schema: &Value) -> String {
        let items = schema["prefixItems"].as_array().into_iter().flatten().chain(schema.get("items"));
        let items: Vec<String> = items.map(|item| self.types(&format!("{path}[]"), item)).collect();
        format!("[{}]", items.join(", "))
    }
}

/// Returns the name of the definition that a schema refers to.
fn name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

#[test]
fn the_keys_of_every_answer_are_in_a_snapshot() {
    let place = Place::new();
    let mut snapshots = BTreeMap::new();
    for answer in place.run(&["schema"]).out.lines().filter(|answer| *answer != "codes") {
        let schema: Value = serde_json::from_str(&place.run(&["schema", answer]).out).unwrap();
        let definitions = &schema["$defs"];
        // The API has a shape for each route.
        let routes =
            schema["routes"].as_object().into_iter().flatten().map(|(route, shape)| (format!("{route}: "), shape));
        let shapes = schema["anyOf"].as_array().into_iter().flatten().map(|shape| (String::new(), shape));
        let shapes = routes.chain(shapes).map(|(route, shape)| {
            let (types, keys) = Keys::of(definitions, shape);
            let name = name(shape).unwrap();
            if types == name { format!("# {route}{name}\n") } else { format!("# {route}{name}: {types}\n{keys}") }
        });
        snapshots.insert(answer.to_owned(), shapes.collect::<Vec<_>>().join("\n"));
        for shared in SHARED.into_iter().filter(|shared| *shared != "Code") {
            if let Some(shape) = definitions.get(shared) {
                let (_, keys) = Keys::of(definitions, shape);
                let known = snapshots.entry(shared.to_owned()).or_insert_with(|| keys.clone());
                assert_eq!(*known, keys, "{answer} has another {shared}");
            }
        }
    }
    for (name, keys) in snapshots {
        assert_snapshot!(format!("schema/{name}"), keys);
    }
}
