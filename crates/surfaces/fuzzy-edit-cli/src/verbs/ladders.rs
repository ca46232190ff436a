//! `ladders`: lists the linked ladders and strategies.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use fuzzy_pipeline::{ladder, registry};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output;

/// List the ladders and the linked strategies, in order
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit ladders
  fuzzy-edit ladders --json";

#[derive(JsonSchema, Serialize)]
pub(crate) struct Linked {
    ladders: Vec<Ladder>,
    /// In order, strict to loose.
    strategies: Vec<Strategy>,
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct Ladder {
    name: &'static str,
    #[serde(flatten)]
    rungs: Rungs,
}

/// The rungs of a ladder, or the reason why it cannot be used.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub(crate) enum Rungs {
    Of { policy: &'static str, strategies: Vec<&'static str> },
    Broken { error: String },
}

impl Rungs {
    fn of(ladder: &str) -> Self {
        match ladder::named(ladder) {
            Ok(ladder) => {
                let strategies = ladder.strategies().iter().map(|strategy| strategy.name()).collect();
                Self::Of { policy: ladder.decider().name(), strategies }
            }
            Err(error) => Self::Broken { error: error.to_string() },
        }
    }
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct Strategy {
    name: &'static str,
    priority: i32,
}

/// Lists everything.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let linked = Linked {
        ladders: ladder::names().map(|name| Ladder { name, rungs: Rungs::of(name) }).collect(),
        strategies: registry()
            .entries()
            .iter()
            .map(|entry| Strategy { name: entry.strategy().name(), priority: entry.priority() })
            .collect(),
    };
    output::answer(arguments.json, &linked, || describe(&linked))
}

fn describe(linked: &Linked) -> String {
    let mut text = String::new();
    for ladder in &linked.ladders {
        let _ = match &ladder.rungs {
            Rungs::Of { policy, strategies } => {
                writeln!(text, "{} ({policy})\n    {}", ladder.name, strategies.join("\n    "))
            }
            Rungs::Broken { error } => writeln!(text, "{}: {error}", ladder.name),
        };
    }
    let _ = writeln!(text, "\nstrategies, strict to loose, with their priorities");
    for strategy in &linked.strategies {
        let _ = writeln!(text, "{:>6}  {}", strategy.priority, strategy.name);
    }
    text
}
