//! Runs the suites.

mod clients;
mod node;
pub(crate) mod postgres;
mod python;
mod runner;
mod rust;
mod suites;
mod targets;
mod wasm;

use std::env;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, memory};

use crate::needs::Need;
pub(crate) use clients::{copied, install_locked, on_the_playground};
use suites::{Runs, SUITES, suite};

/// Runs the suites that find most faults, all suites, or the named ones.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The suites to run; `--list` lists them.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)), hide_possible_values = true)]
    suites: Vec<String>,
    /// Run every suite, as before a release.
    #[arg(long, conflicts_with = "suites")]
    all: bool,
    /// List the suites, their needs, and the reasons why some run only with `--all` or by name.
    #[arg(long, conflicts_with_all = ["suites", "all"])]
    list: bool,
    /// Run this suite in this process; used to start each suite.
    #[arg(long, hide = true, value_name = "SUITE", conflicts_with_all = ["suites", "all", "list"])]
    here: Option<String>,
}

/// Runs the suites, two at a time, and fails if one of them fails.
pub(crate) fn test(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        SUITES.iter().for_each(list);
        return Ok(());
    }
    let metadata = Metadata::load()?;
    if let Some(name) = &arguments.here {
        return (suite(name).with_context(|| format!("no suite {name}"))?.run)(&metadata);
    }
    let mut steps = Steps::new("suites");
    let mut ready = Vec::new();
    for suite in SUITES {
        let is_named = arguments.suites.iter().any(|name| name == suite.name);
        match suite.runs {
            _ if !arguments.suites.is_empty() && !is_named => {}
            Runs::WithAll(why) if !arguments.all && !is_named => {
                steps.leave_out(suite.name, format!("{why}; `cargo xtask test {}` runs it", suite.name), true);
            }
            _ => match suite.needs.iter().try_for_each(Need::provide) {
                Ok(()) => ready.push(suite),
                Err(why) => steps.leave_out(suite.name, format!("{why:#}"), false),
            },
        }
    }
    println!();
    for suite in &ready {
        list(suite);
    }
    let scratch = tempfile::Builder::new().prefix("fuzzy-edit-").tempdir_in(memory().unwrap_or_else(env::temp_dir))?;
    println!("\nTemporary files are in {}.", scratch.path().display());
    println!("\nEach line begins with the minutes and seconds since the start, and the suite:\n");
    runner::run(&ready, &metadata.target_dir.join("suites"), scratch.path(), |suite, took, outcome| {
        steps.ended(suite.name, took, outcome);
    })?;
    steps.finish()
}

/// Prints a line of the table of suites.
fn list(suite: &suites::Suite) {
    let needs: Vec<_> = suite.needs.iter().map(|need| need.name).collect();
    let needs = if needs.is_empty() { String::new() } else { format!(" (needs {})", needs.join(", ")) };
    let runs = match suite.runs {
        Runs::Always => String::new(),
        Runs::WithAll(why) => format!(" [with --all: {why}]"),
    };
    println!("{:16} {}{needs}{runs}", suite.name, suite.what);
}
