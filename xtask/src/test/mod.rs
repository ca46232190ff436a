//! Runs every suite.

mod bindings;
mod clients;
mod default_features;
mod elsewhere;
mod lanes;
mod node;
mod node_tests;
pub(crate) mod postgres;
mod rust;
mod snapshots;
mod suites;
mod targets;
mod unchanged;
mod wasm;
mod wine;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, root};

pub(crate) use clients::{Client, on_the_playground};
use suites::{SUITES, Suite};
use unchanged::Passes;

/// Runs every suite, or the named ones.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The suites to run; default: all.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suites: Vec<String>,
    /// Run all suites, including those whose files have not changed since their last pass, as before a release.
    #[arg(long, conflicts_with = "suites")]
    all: bool,
    /// Run this suite in this process; used to start each suite.
    #[arg(long, hide = true, value_name = "SUITE", conflicts_with_all = ["suites", "all"])]
    here: Option<String>,
}

/// Runs the suites, two at a time, and fails if one of them fails.
pub(crate) fn test(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    if let Some(name) = &arguments.here {
        let suite = SUITES.iter().find(|suite| suite.name == name).with_context(|| format!("no suite {name}"))?;
        return (suite.run)(&metadata);
    }
    let named = |suite: &Suite| arguments.suites.iter().any(|name| name == suite.name);
    let mut passes = Passes::load(&root())?;
    let mut steps = Steps::new("suites");
    let mut ready = Vec::new();
    for suite in SUITES.iter().filter(|suite| arguments.suites.is_empty() || named(suite)) {
        println!("{:16}  {}{}", suite.name, suite.what, suite.needs());
        let hash = suite.tree_hash(&root())?;
        let may_wait = suite.may_wait(&passes, hash.as_deref()).filter(|_| !arguments.all && !named(suite));
        if let Some(why) = may_wait {
            steps.leave_out(suite.name, why, true);
        } else if let Err(why) = suite.needs.iter().try_for_each(|need| need.provide()) {
            let why = match suite.optional {
                Some(reason) => format!("{why:#} ({reason})"),
                None => format!("{why:#}"),
            };
            steps.leave_out(suite.name, why, suite.optional.is_some());
        } else {
            ready.push((suite, hash));
        }
    }
    let (suites, hashes): (Vec<_>, Vec<_>) = ready.into_iter().unzip();
    lanes::run(&suites, &metadata.target_dir.join("suites"), |at, took, outcome| {
        let ok = outcome.is_ok();
        steps.ended(suites[at].name, took, outcome);
        match &hashes[at] {
            Some(hash) if ok => passes.record(suites[at].name, hash.clone()),
            _ => Ok(()),
        }
    })?;
    steps.finish()
}
