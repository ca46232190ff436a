//! The JSON Schema of what the API answers, committed in `docs/schema/api.json`.
//!
//! It is made from the types themselves. After a change, `UPDATE_SCHEMAS=1 cargo test -p fuzzy-checkpoint-server schema`
//! writes it anew.

use std::fs;
use std::path::Path;

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

fn text() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut routes = Routes { generator, routes: Map::new() }
        .answers::<sessions::Sessions>("GET /api/sessions")
        .answers::<sessions::Made>("POST /api/sessions")
        .answers::<Session>("GET /api/sessions/{session}")
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
    Code::list_in(&mut definitions, "codes.json");
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the API of `fuzzy-edit serve` answers: `routes` has what each answers with status 200, \
                  `refusal` is every other answer",
        "routes": routes.routes,
        "refusal": refusal,
        "$defs": definitions,
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/api.json");
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::write(&path, text()).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text(), "not current: UPDATE_SCHEMAS=1 cargo test -p fuzzy-checkpoint-server schema");
}
