//! The JSON Schema of the API's responses, generated from their types.

use fuzzy_checkpoint_service::OfCheckpoint;
use fuzzy_report::{Code, Failure};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api;

/// Returns the schema of all responses of the API: `routes` has the schema of each route's response with status 200,
/// and `refusal` that of every other response.
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
        "title": "Responses of the API of `fuzzy-edit serve`: `routes` has the schema of each route's response with status \
                  200, `refusal` that of every other response",
        "routes": routes,
        "refusal": refusal,
        "$defs": definitions,
    })
}
