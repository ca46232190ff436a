//! The JSON Schemas of what the verbs print, committed in `docs/schema`.
//!
//! They are made from the types themselves. After a change, `UPDATE_SCHEMAS=1 cargo test -p fuzzy-edit-cli --features full schema`
//! writes them anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fuzzy_checkpoint_service::Preview;
use fuzzy_checkpoint_store::RestoreOutcome;
use fuzzy_edit::{Batches, Code, Failure, ListReport, Located, LogRecord, Success, Undone};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};

use crate::verbs::checkpointed::Checkpointed;
use crate::verbs::{self, checkpoint};

/// The shapes that one verb prints.
struct Schema {
    verb: &'static str,
    title: &'static str,
    generator: SchemaGenerator,
    shapes: Vec<Value>,
}

impl Schema {
    fn new(verb: &'static str, title: &'static str) -> Self {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        Self { verb, title, generator, shapes: Vec::new() }
    }

    fn or<T: JsonSchema>(mut self) -> Self {
        self.shapes.push(self.generator.subschema_for::<T>().to_value());
        self
    }

    fn text(mut self) -> String {
        let mut definitions = self.generator.take_definitions(true);
        Code::list_in(&mut definitions, "codes.json");
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "anyOf": self.shapes,
            "$defs": definitions,
        });
        serde_json::to_string_pretty(&schema).unwrap() + "\n"
    }
}

/// Every schema. A verb that prints JSON has its line here.
fn schemas() -> Vec<Schema> {
    let new = Schema::new;
    vec![
        new("apply", "What `fuzzy-edit apply --json` prints")
            .or::<Checkpointed<Success>>()
            .or::<Checkpointed<ListReport>>()
            .or::<Failure>(),
        new("batch", "A line that `fuzzy-edit batch` prints").or::<verbs::batch::Answer>(),
        new("explain", "What `fuzzy-edit explain --json` prints").or::<verbs::explain::ExplainedFile>().or::<Failure>(),
        new("replay", "What `fuzzy-edit replay --json` prints").or::<verbs::replay::Replayed>().or::<Failure>(),
        new("log", "A line that `--log` adds").or::<LogRecord>(),
        new("ladders", "What `fuzzy-edit ladders --json` prints").or::<verbs::ladders::Linked>().or::<Failure>(),
        new("locate", "What `fuzzy-edit locate --json` prints").or::<Located>().or::<Failure>(),
        new("patch", "What `fuzzy-edit patch --json` prints").or::<Checkpointed<ListReport>>().or::<Failure>(),
        new("undo", "What `fuzzy-edit undo --json` prints").or::<Undone>().or::<Batches>().or::<Failure>(),
        checkpoint::<checkpoint::create::Report<'_>>("checkpoint-create"),
        checkpoint::<checkpoint::list::Report>("checkpoint-list"),
        checkpoint::<checkpoint::show::Report<'_>>("checkpoint-show"),
        checkpoint::<checkpoint::diff::Report>("checkpoint-diff"),
        checkpoint::<RestoreOutcome>("checkpoint-restore")
            .or::<Preview>()
            .or::<checkpoint::plan::Plan>()
            .or::<checkpoint::recover::One>(),
        checkpoint::<RestoreOutcome>("checkpoint-undo"),
        checkpoint::<checkpoint::prune::Report>("checkpoint-prune"),
        checkpoint::<checkpoint::doctor::Report>("checkpoint-doctor"),
        checkpoint::<checkpoint::recover::Report>("checkpoint-recover"),
    ]
}

/// The schema of a verb of `checkpoint`, in a file with a hyphen for the blank.
fn checkpoint<T: JsonSchema>(verb: &'static str) -> Schema {
    Schema::new(verb, "What this verb prints with --json")
        .or::<T>()
        .or::<checkpoint::refused::Refused>()
        .or::<Failure>()
}

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema");
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some();
    // That of the API is made where its types are.
    let mut names = BTreeSet::from(["api.json".to_owned()]);
    let codes = serde_json::to_string_pretty(&schemars::schema_for!(Code)).unwrap() + "\n";
    let verbs = schemas().into_iter().map(|schema| (format!("{}.json", schema.verb), schema.text()));
    for (name, text) in verbs.chain([("codes.json".to_owned(), codes)]) {
        let path = folder.join(&name);
        if update {
            fs::write(&path, &text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == text,
            "{name} is not current: UPDATE_SCHEMAS=1 cargo test -p fuzzy-edit-cli --features full schema"
        );
        names.insert(name);
    }
    let committed = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(committed.collect::<BTreeSet<_>>(), names);
}
