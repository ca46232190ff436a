//! `schema`: prints the JSON Schemas of the answers, generated from their types.

use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Code, Failure, ListReport, Located, LogRecord, Success, Undone};
use fuzzy_hosts::HookRecord;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use super::checkpointed::Checkpointed;
use crate::{output, verbs};

/// Print the JSON Schema of an answer, or list the names of all schemas
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The verb, such as apply or checkpoint-create; `log` for a line of `--log`, `api` for the answers of `serve`,
    /// `codes` for all codes
    name: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit schema
  fuzzy-edit schema apply > apply.json
  fuzzy-edit schema codes

Every schema has the version of the JSON in `version`, which rises with every change that breaks a reader.";

/// The name of the schema with the descriptions of all codes; the other schemas only list the codes.
const CODES: &str = "codes";

/// The name of the schema of the HTTP API, if `serve` is linked.
const API: Option<&str> = if cfg!(feature = "serve") { Some("api") } else { None };

/// Returns the names of all schemas.
pub(super) fn names() -> Vec<&'static str> {
    schemas().iter().map(|schema| schema.name).chain(API).chain([CODES]).collect()
}

/// Prints the schema, or the names of all schemas.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let (schemas, names) = (schemas(), names());
    let Some(name) = &arguments.name else {
        return output::answer_bytes((names.join("\n") + "\n").as_bytes());
    };
    if name == CODES {
        return print(schema_for!(Code).to_value());
    }
    #[cfg(feature = "serve")]
    if API == Some(name) {
        return print(fuzzy_checkpoint_server::schema());
    }
    #[cfg(not(feature = "serve"))]
    if name == "api" {
        return output::failure(false, &super::unlinked::failure("the schema `api`", "serve"));
    }
    #[cfg(not(feature = "checkpoint"))]
    if name.starts_with("checkpoint-") || name.starts_with("turns") {
        return output::failure(false, &super::unlinked::failure(&format!("the schema `{name}`"), "checkpoint"));
    }
    let known = format!("Choose one of these: {}.", names.join(", "));
    match schemas.into_iter().find(|schema| schema.name == name) {
        Some(schema) => print(schema.finish()),
        None => output::failure(false, &Failure::bad_input(format!("there is no schema `{name}`"), known)),
    }
}

/// The version of the JSON of all interfaces, which `docs/stability.md` describes.
const VERSION: u32 = 1;

fn print(mut schema: Value) -> ExitCode {
    schema["version"] = VERSION.into();
    output::answer_bytes(format!("{schema:#}\n").as_bytes())
}

/// The shapes of one answer.
struct Schema {
    name: &'static str,
    title: String,
    generator: SchemaGenerator,
    shapes: Vec<Value>,
}

impl Schema {
    fn new(name: &'static str, title: impl Into<String>) -> Self {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        Self { name, title: title.into(), generator, shapes: Vec::new() }
    }

    /// Begins the schema of a verb's output with `--json`.
    fn of(name: &'static str) -> Self {
        Self::new(name, format!("Output of `fuzzy-edit {} --json`", name.replace('-', " ")))
    }

    fn or<T: JsonSchema>(mut self) -> Self {
        self.shapes.push(self.generator.subschema_for::<T>().to_value());
        self
    }

    fn finish(mut self) -> Value {
        let mut definitions = self.generator.take_definitions(true);
        Code::list_in(&mut definitions, "`fuzzy-edit schema codes`");
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "anyOf": self.shapes,
            "$defs": definitions,
        })
    }
}

/// Returns all schemas except those of the codes and the API. A verb that prints JSON needs an entry here.
fn schemas() -> Vec<Schema> {
    let of = Schema::of;
    let schemas = vec![
        of("apply").or::<Checkpointed<Success>>().or::<Checkpointed<ListReport>>().or::<Failure>(),
        Schema::new("batch", "A line of output of `fuzzy-edit batch`").or::<verbs::batch::Answer>(),
        of("config").or::<verbs::config::Report>().or::<Failure>(),
        of("explain").or::<verbs::explain::ExplainedFile>().or::<Failure>(),
        Schema::new("hook", "Output of `fuzzy-edit hook --stats --json`").or::<verbs::hook::Counted>().or::<Failure>(),
        of("init").or::<verbs::init::Report>().or::<verbs::init::CheckReport>().or::<Failure>(),
        of("replay").or::<verbs::replay::Replayed>().or::<Failure>(),
        Schema::new("log", "A line of the log that `--log` writes").or::<LogRecord>().or::<HookRecord>(),
        of("ladders").or::<verbs::ladders::Linked>().or::<Failure>(),
        of("locate").or::<Located>().or::<Failure>(),
        of("patch").or::<Checkpointed<ListReport>>().or::<Failure>(),
        #[cfg(not(feature = "checkpoint"))]
        of("undo").or::<Undone>().or::<fuzzy_edit::Batches>().or::<Failure>(),
    ];
    #[cfg(feature = "checkpoint")]
    let schemas = schemas.into_iter().chain(of_checkpoint()).collect();
    schemas
}

#[cfg(feature = "checkpoint")]
fn of_checkpoint() -> Vec<Schema> {
    use fuzzy_checkpoint_service::{Blame, Preview, TurnPlan};
    use fuzzy_checkpoint_store::RestoreOutcome;
    use verbs::checkpoint::{create, diff, doctor, list, plan, prune, recover, refused, show};
    use verbs::turns::reports;
    use verbs::undo::Listed;

    fn of<T: JsonSchema>(name: &'static str) -> Schema {
        Schema::of(name).or::<T>().or::<refused::Refused>().or::<Failure>()
    }

    vec![
        of::<create::Report<'_>>("checkpoint-create"),
        of::<list::Report>("checkpoint-list"),
        of::<show::Report<'_>>("checkpoint-show"),
        of::<diff::Report>("checkpoint-diff"),
        of::<RestoreOutcome>("checkpoint-restore").or::<Preview>().or::<plan::Plan>().or::<recover::One>(),
        of::<prune::Report>("checkpoint-prune"),
        of::<doctor::Report>("checkpoint-doctor"),
        of::<recover::Report>("checkpoint-recover"),
        of::<reports::List>("turns"),
        of::<reports::Diff>("turns-diff"),
        of::<reports::Diff>("turns-show"),
        of::<reports::Log>("turns-log"),
        of::<Blame>("turns-blame"),
        of::<reports::Bisected>("turns-bisect"),
        of::<reports::Undone>("undo").or::<reports::Planned>().or::<TurnPlan>().or::<Undone>().or::<Listed>(),
        of::<reports::Undone>("redo").or::<reports::Planned>().or::<TurnPlan>().or::<Undone>(),
        of::<reports::Undone>("turns-revert").or::<reports::Planned>().or::<TurnPlan>(),
        of::<reports::Undone>("turns-restore").or::<reports::Planned>().or::<TurnPlan>(),
        of::<reports::Ended>("turns-end"),
        of::<reports::Kept>("turns-keep"),
        of::<reports::Forgot>("turns-forget"),
    ]
}
