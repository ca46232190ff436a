//! The `OpenAPI` document, generated from the table of routes.

use std::collections::BTreeMap;

use fuzzy_checkpoint_service::OfCheckpoint;
use fuzzy_report::{Code, Failure};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::routes::{Input, Operation, Routes, Work};

/// An `OpenAPI` document.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Document {
    openapi: &'static str,
    info: Value,
    paths: Map<String, Value>,
    components: Value,
    security: Value,
}

/// Statuses that every operation may return: of malformed, foreign and unauthorized requests, and of server failures.
const ALWAYS: [u16; 5] = [400, 401, 403, 500, 503];
/// Further statuses of operations with a body.
const OF_BODIES: [u16; 3] = [408, 413, 415];
/// Further statuses of operations on files.
const OF_WORK: [u16; 7] = [409, 410, 422, 500, 502, 504, 507];

/// Returns the document of the routes.
pub(super) fn document(routes: &Routes) -> Document {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut responses = settings.into_generator();
    // A type may have different schemas in requests and responses: those of requests are inlined.
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut requests = settings.into_generator();
    let mut paths = Map::new();
    for operation in routes.operations() {
        let of = describe(operation, &mut requests, &mut responses);
        let path = paths.entry(format!("/api{}", operation.path)).or_insert_with(|| json!({}));
        path[operation.method.as_str().to_ascii_lowercase()] = of;
    }
    let failure = responses.subschema_for::<Failure<OfCheckpoint>>().to_value();
    let mut schemas = responses.take_definitions(true);
    Code::list_in(&mut schemas, "`fuzzy-edit schema codes`");
    Document {
        openapi: "3.1.0",
        info: json!({
            "title": "fuzzy-edit serve",
            "description": "Sessions, their checkpoints and restores.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        }),
        paths,
        components: json!({
            "schemas": schemas,
            "responses": refusals(&failure),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "basic": {"type": "http", "scheme": "basic", "description": "Any name, with the token as the password."},
            },
        }),
        security: json!([{}, {"bearer": []}, {"basic": []}]),
    }
}

fn describe(operation: &Operation, requests: &mut SchemaGenerator, responses: &mut SchemaGenerator) -> Value {
    let Operation { path, name, summary, work, inputs, output, .. } = operation;
    let mut of = json!({"operationId": name, "summary": summary});
    let mut parameters = Vec::new();
    let mut statuses = ALWAYS.to_vec();
    if *work == Work::Files {
        statuses.extend(OF_WORK);
    }
    for input in inputs {
        match *input {
            Input::Ids => {
                statuses.push(404);
                parameters.extend(path.split(['{', '}']).skip(1).step_by(2).map(id));
            }
            Input::Query(schema) => parameters.extend(query(&schema(requests).to_value())),
            Input::Header { name, longest } => parameters.push(json!({
                "name": name,
                "in": "header",
                "description": "Identifies the request: a repeated request with the same key gets the response of the first.",
                "schema": {"type": "string", "minLength": 1, "maxLength": longest, "pattern": "^[!-~]+$"},
            })),
            Input::Body { schema, required } => {
                statuses.extend(OF_BODIES);
                let content = json!({"application/json": {"schema": schema(requests).to_value()}});
                of["requestBody"] = json!({"required": required, "content": content});
            }
        }
    }
    if !parameters.is_empty() {
        of["parameters"] = json!(parameters);
    }
    // A whole event stream is a string.
    let schema = (output.schema)(responses).to_value();
    let schema = if output.media == "text/event-stream" {
        json!({"type": "string", "contentMediaType": "application/json", "contentSchema": schema})
    } else {
        schema
    };
    let mut content = Map::new();
    content.insert(output.media.to_owned(), json!({"schema": schema}));
    of["responses"]["200"] = json!({"description": "Done.", "content": content});
    for status in statuses {
        of["responses"][status.to_string()] = json!({"$ref": format!("#/components/responses/{status}")});
    }
    of
}

fn id(name: &str) -> Value {
    let schema = match name {
        "worktree" => json!({"type": "string", "pattern": "^[0-9a-f]{16}$"}),
        "number" => json!({"type": "integer", "format": "int64", "minimum": 1}),
        _ => json!({"type": "string", "pattern": "^[0-9A-Z]{26}$"}),
    };
    let description =
        if name == "number" { "The number of the turn.".to_owned() } else { format!("The id of the {name}.") };
    json!({"name": name, "in": "path", "required": true, "description": description, "schema": schema})
}

/// Returns the properties of an object's schema as query parameters.
fn query(schema: &Value) -> Vec<Value> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let keys = schema["properties"].as_object().into_iter().flatten();
    let parameter = |(name, of): (&String, &Value)| {
        let mut of = of.clone();
        let description = of.as_object_mut().and_then(|of| of.remove("description"));
        // An optional query parameter is omitted, never null.
        if let Some(kinds) = of["type"].as_array().cloned() {
            of["type"] = kinds.into_iter().find(|kind| kind != "null").unwrap_or_default();
        }
        if let Some(some) = of["anyOf"].as_array().and_then(|any| any.iter().find(|one| one["type"] != "null")).cloned()
        {
            of = some;
        }
        let mut parameter = json!({"name": name, "in": "query", "schema": of});
        if let Some(description) = description {
            parameter["description"] = description;
        }
        if required.contains(&name.as_str()) {
            parameter["required"] = json!(true);
        }
        parameter
    };
    keys.map(parameter).collect()
}

/// Returns the responses of refused requests, by status, each with its codes.
fn refusals(failure: &Value) -> Map<String, Value> {
    let mut codes: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in Code::ALL {
        codes.entry(code.http_status()).or_default().push(code.as_str());
    }
    let statuses = ALWAYS.iter().chain(&OF_BODIES).chain(&OF_WORK).chain(&[404]);
    let refusal = |status: &u16| {
        let listed = codes.get(status).map(|codes| codes.join("`, `")).unwrap_or_default();
        let content = json!({"application/json": {"schema": failure}});
        (status.to_string(), json!({"description": format!("Refused: `{listed}`."), "content": content}))
    };
    statuses.map(refusal).collect()
}
