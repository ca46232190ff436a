//! Runs every suite.

mod bindings;
mod clients;
mod default_features;
mod node;
mod node_tests;
pub(crate) mod postgres;
mod rust;
mod snapshots;
mod suites;
mod unchanged;
mod wasm;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, root};

pub(crate) use clients::on_the_playground;
use suites::{SUITES, Suite};
use unchanged::Passes;

/// Runs every suite, or those that are named.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The suites to run; all of them when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suites: Vec<String>,
    /// Run all suites, also those whose files have not changed since their last pass, as before a release.
    #[arg(long, conflicts_with = "suites")]
    all: bool,
}

/// Runs the suites and fails when one of them does.
pub(crate) fn test(arguments: &Arguments) -> Result<()> {
    let named = |suite: &Suite| arguments.suites.iter().any(|name| name == suite.name);
    let chosen: Vec<&Suite> = SUITES.iter().filter(|suite| arguments.suites.is_empty() || named(suite)).collect();
    for suite in &chosen {
        let needs: Vec<_> = suite.needs.iter().map(|need| need.name()).collect();
        let needs = if needs.is_empty() { String::new() } else { format!(" (needs {})", needs.join(", ")) };
        println!("{:16}  {}{needs}", suite.name, suite.what);
    }
    let metadata = Metadata::load()?;
    let mut passes = Passes::load(&root())?;
    let mut steps = Steps::new("suites");
    for suite in chosen {
        let hash = suite.tree_hash(&root())?;
        let may_wait = suite.may_wait(&passes, hash.as_deref()).filter(|_| !arguments.all && !named(suite));
        if let Some(why) = may_wait {
            steps.leave_out(suite.name, why, true);
            continue;
        }
        if let Err(why) = suite.needs.iter().try_for_each(|need| need.provide()) {
            let why = match suite.optional {
                Some(reason) => format!("{why:#} ({reason})"),
                None => format!("{why:#}"),
            };
            steps.leave_out(suite.name, why, suite.optional.is_some());
            continue;
        }
        let ok = steps.step(suite.name, || (suite.run)(&metadata));
        if let (true, Some(hash)) = (ok, hash) {
            passes.record(suite.name, hash)?;
        }
    }
    steps.finish()
}
