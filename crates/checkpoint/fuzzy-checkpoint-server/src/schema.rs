//! The JSON Schema of the API's answers, made from their types.

use fuzzy_checkpoint_service::{Details, Preview, TurnChanges};
use fuzzy_checkpoint_store::{Message, Restore, RestoreOutcome, Session};
use fuzzy_report::{Code, Failure, OfCheckpoint};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::api::{checkpoints, events, restores, sessions, turns};

struct Routes {
    generator: SchemaGenerator,
    routes: Map<String, Value>,
}

impl Routes {
    fn answers<T: JsonSchema>(mut self, route: &str) -> Self {
        let schema = self.generator.subschema_for::<T>().to_value();
        self.routes.insert(route.to_owned(), schema);
        self
    }
}

/// Returns the schema of every answer of the API: `routes` has the shape of each route's answer with status 200, and
/// `refusal` that of every other answer.
#[must_use]
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut routes = Routes { generator, routes: Map::new() }
        .answers::<sessions::Sessions>("GET /api/sessions")
        .answers::<sessions::Made>("POST /api/sessions")
        .answers::<Session>("GET /api/sessions/{session}")
        .answers::<Session>("PATCH /api/sessions/{session}")
        .answers::<sessions::Deleted>("DELETE /api/sessions/{session}")
        .answers::<turns::Cleared>("DELETE /api/sessions/{session}/messages/{message}")
        .answers::<turns::Cleared>("DELETE /api/sessions/{session}/turns/{turn}/text")
        .answers::<turns::Transcript>("GET /api/sessions/{session}/messages")
        .answers::<Message>("POST /api/sessions/{session}/messages")
        .answers::<turns::Begun>("POST /api/sessions/{session}/turns")
        .answers::<turns::Ended>("POST /api/sessions/{session}/turns/{turn}/end")
        .answers::<TurnChanges>("GET /api/sessions/{session}/turns/{turn}/changes")
        .answers::<checkpoints::Part>("GET /api/sessions/{session}/turns/{turn}/diff")
        .answers::<events::Progress>("GET /api/sessions/{session}/events")
        .answers::<restores::History>("GET /api/sessions/{session}/restores")
        .answers::<checkpoints::Checkpoints>("GET /api/sessions/{session}/checkpoints")
        .answers::<checkpoints::Taken>("POST /api/sessions/{session}/checkpoints")
        .answers::<Details>("GET /api/sessions/{session}/checkpoints/{checkpoint}")
        .answers::<checkpoints::Compared>("GET /api/sessions/{session}/checkpoints/{checkpoint}/diff")
        .answers::<Preview>("POST /api/sessions/{session}/checkpoints/{checkpoint}/plan")
        .answers::<RestoreOutcome>("POST /api/sessions/{session}/checkpoints/{checkpoint}/restore")
        .answers::<Restore>("GET /api/restores/{restore}")
        .answers::<restores::Done>("GET /api/restores/{restore}/changes")
        .answers::<RestoreOutcome>("POST /api/restores/{restore}/undo")
        .answers::<Restore>("POST /api/restores/{restore}/abort");
    let refusal = routes.generator.subschema_for::<Failure<OfCheckpoint>>().to_value();
    let mut definitions = routes.generator.take_definitions(true);
    Code::list_in(&mut definitions, "`fuzzy-edit schema codes`");
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of the API of `fuzzy-edit serve`: `routes` has the shape of each route's answer with status \
                  200, `refusal` that of every other answer",
        "routes": routes.routes,
        "refusal": refusal,
        "$defs": definitions,
    })
}
