//! The JSON Schema of the API's answers, made from their types.

use fuzzy_report::{Code, Failure, OfCheckpoint};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api;

/// Returns the schema of every answer of the API: `routes` has the shape of each route's answer with status 200, and
/// `refusal` that of every other answer.
#[must_use]
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut routes = Map::new();
    for operation in api::routes().operations() {
        let route = format!("{} /api{}", operation.method, operation.path);
        routes.insert(route, (operation.output.schema)(&mut generator).to_value());
    }
    let refusal = generator.subschema_for::<Failure<OfCheckpoint>>().to_value();
    let mut definitions = generator.take_definitions(true);
    Code::list_in(&mut definitions, "`fuzzy-edit schema codes`");
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of the API of `fuzzy-edit serve`: `routes` has the shape of each route's answer with status \
                  200, `refusal` that of every other answer",
        "routes": routes,
        "refusal": refusal,
        "$defs": definitions,
    })
}
