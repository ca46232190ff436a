//! The JSON Schemas of the arguments and results of the tools.
//!
//! Every root is one plain object: hosts pass these schemas on to models, and many accept neither `anyOf` at the root
//! nor references.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::bound::{LEFT_OUT, UNUSED};

/// Returns the schema of arguments. Optional arguments may be missing, but not null.
pub(crate) fn input<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    visit(&mut schema, &mut |object| {
        let Some(Value::Array(types)) = object.get_mut("type") else { return };
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    });
    Arc::new(root(schema))
}

/// Collects the shapes of one tool's results.
#[derive(Default)]
pub(crate) struct Output {
    shapes: Vec<Value>,
}

impl Output {
    /// Adds a shape.
    pub(crate) fn or<T: JsonSchema>(mut self) -> Self {
        let settings =
            SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.inline_subschemas = true);
        self.shapes.push(settings.into_generator().into_root_schema_for::<T>().to_value());
        self
    }

    /// Returns the schema of one object that admits every shape. It requires the members that all of them require.
    pub(crate) fn schema(self) -> Arc<JsonObject> {
        let mut objects = Vec::new();
        for shape in self.shapes {
            flatten(shape, &mut objects);
        }
        let mut properties = JsonObject::new();
        let mut required: Option<Vec<Value>> = None;
        for object in &mut objects {
            if let Some(Value::Object(own)) = object.remove("properties") {
                for (name, schema) in own {
                    admit(&mut properties, name, schema);
                }
            }
            let own = match object.remove("required") {
                Some(Value::Array(own)) => own,
                _ => Vec::new(),
            };
            required = Some(match required {
                Some(names) => names.into_iter().filter(|name| own.contains(name)).collect(),
                None => own,
            });
        }
        let mut whole =
            root(json!({"type": "object", "properties": properties, "required": required.unwrap_or_default()}));
        visit_object(&mut whole, &mut |object| {
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.retain(|name| name.as_str().is_none_or(|name| !UNUSED.contains(&name)));
            }
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                properties.retain(|name, _| !UNUSED.contains(&name.as_str()));
                let counts = json!({"type": "object", "additionalProperties": {"type": "integer"}});
                properties.insert(LEFT_OUT.to_owned(), counts);
            }
        });
        // One description is enough.
        if let Some(Value::Object(counts)) = whole.get_mut("properties").and_then(|all| all.get_mut(LEFT_OUT)) {
            let what = "In an answer that was too long: the numbers of list items, or characters of a text, that are left \
                        out of each member of the object.";
            counts.insert("description".to_owned(), what.into());
        }
        Arc::new(whole)
    }
}

/// Adds a property. If one of the same name exists, its value may match either schema.
fn admit(properties: &mut JsonObject, name: String, schema: Value) {
    match properties.get_mut(&name) {
        None => {
            properties.insert(name, schema);
        }
        Some(known) if *known == schema => {}
        Some(known) => {
            let mut either = match known.get_mut("anyOf").map(Value::take) {
                Some(Value::Array(either)) if known.as_object().is_some_and(|known| known.len() == 1) => either,
                _ => vec![known.take()],
            };
            if !either.contains(&schema) {
                either.push(schema);
            }
            *known = json!({"anyOf": either});
        }
    }
}

/// Splits a choice of objects into its objects.
fn flatten(schema: Value, objects: &mut Vec<JsonObject>) {
    let Value::Object(mut object) = schema else { return };
    if let Some(Value::Array(choices)) = object.remove("anyOf") {
        for choice in choices {
            flatten(choice, objects);
        }
        return;
    }
    objects.push(object);
}

/// Removes parts that mean nothing for JSON, and parts that some readers do not support.
fn root(mut schema: Value) -> JsonObject {
    visit(&mut schema, &mut |object| {
        // `format` is the width of a number in Rust.
        object.remove("format");
        // A choice of words with a description for each is long; every failure explains its code.
        let words = object.get("oneOf").and_then(Value::as_array).map(|choices| choices.iter().map(word).collect());
        if let Some(Some(words)) = words {
            object.remove("oneOf");
            object.insert("type".to_owned(), "string".into());
            object.insert("enum".to_owned(), Value::Array(words));
        }
        if object.get("default") == Some(&Value::Null) {
            object.remove("default");
        }
    });
    let Value::Object(mut schema) = schema else { return JsonObject::new() };
    for name in ["$schema", "title", "description"] {
        schema.remove(name);
    }
    schema
}

/// Returns the one word that a schema admits.
fn word(schema: &Value) -> Option<Value> {
    schema.get("const").filter(|word| word.is_string()).cloned()
}

/// Calls `change` for every schema in `schema`, but not for the names of properties.
fn visit(schema: &mut Value, change: &mut impl FnMut(&mut JsonObject)) {
    match schema {
        Value::Object(object) => visit_object(object, change),
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, change)),
        _ => {}
    }
}

fn visit_object(object: &mut JsonObject, change: &mut impl FnMut(&mut JsonObject)) {
    change(object);
    for (name, inner) in object.iter_mut() {
        match (name.as_str(), inner) {
            ("properties", Value::Object(properties)) => {
                properties.values_mut().for_each(|property| visit(property, change));
            }
            ("default" | "enum" | "const" | "required", _) => {}
            (_, inner) => visit(inner, change),
        }
    }
}
