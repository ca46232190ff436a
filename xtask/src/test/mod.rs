//! Runs every suite.

mod bindings;
mod clients;
mod default_features;
mod needs;
mod node;
mod node_tests;
pub(crate) mod postgres;
mod snapshots;
mod wasm;

use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, cargo, run};

use crate::{dist, instructions};
pub(crate) use clients::on_the_playground;
use needs::Need;

/// Runs every suite, or those that are named.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The suites to run; all of them when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suites: Vec<String>,
}

/// Something that is run as a whole.
struct Suite {
    name: &'static str,
    what: &'static str,
    needs: &'static [Need],
    /// Why it may be left out even in CI, if it may.
    optional: Option<&'static str>,
    run: fn(&Metadata) -> Result<()>,
}

/// Every suite, in the order they are run.
const SUITES: &[Suite] = &[
    Suite {
        name: "workspace",
        what: "unit, integration and doc tests of every crate; no snapshot left over",
        needs: &[Need::Git, Need::Curl],
        optional: None,
        run: workspace,
    },
    Suite {
        name: "default-features",
        what: "the first command of the README, and what says which feature it needs",
        needs: &[],
        optional: None,
        run: |_| default_features::suite(),
    },
    Suite {
        name: "benches",
        what: "every bench once, untimed, so that its answers are checked",
        needs: &[],
        optional: None,
        run: benches,
    },
    Suite {
        name: "instructions",
        what: "no guarded scenario takes over 10 % more instructions than was committed",
        needs: &[Need::Valgrind],
        optional: None,
        run: |_| instructions::run(&instructions::Arguments { write: false }),
    },
    Suite {
        name: "mcp-typescript",
        what: "the official TypeScript SDK edits through the MCP server",
        needs: &[Need::Node, Need::Npm],
        optional: None,
        run: clients::typescript,
    },
    Suite {
        name: "mcp-python",
        what: "the official Python SDK edits through the MCP server",
        needs: &[Need::Python],
        optional: None,
        run: clients::python,
    },
    Suite {
        name: "python",
        what: "the Python package, on the own cases of the ladders as well",
        needs: &[Need::Python],
        optional: None,
        run: bindings::python,
    },
    Suite {
        name: "scale",
        what: "edits and replays on a Spark cluster of two workers, one of which is killed; DuckDB and Polars",
        needs: &[Need::Python, Need::Java],
        optional: None,
        run: bindings::scale,
    },
    Suite {
        name: "dist",
        what: "what is released is made (unoptimised), installed where nothing else is, and used",
        needs: &[Need::Python, Need::Git, Need::Node, Need::Npm, Need::WasmTarget],
        optional: Some("not every toolchain can be given the target"),
        run: dist::suite,
    },
    Suite {
        name: "browser",
        what: "a browser without JavaScript goes back and forth on the page, in every width and colour",
        needs: &[Need::Git, Need::Node, Need::Npm, Need::Chromium],
        optional: None,
        run: clients::browser,
    },
    Suite {
        name: "playground",
        what: "a browser edits, follows links and opens every example on the playground, by mouse and by keyboard",
        needs: &[Need::Node, Need::Npm, Need::Chromium, Need::WasmTarget],
        optional: Some("not every toolchain can be given the target"),
        run: clients::playground,
    },
    Suite {
        name: "node",
        what: "the npm package in a fresh project: Node's own module and WebAssembly make the edits of the Rust suites",
        needs: &[Need::Node, Need::Npm, Need::Chromium, Need::WasmTarget],
        optional: Some("not every toolchain can be given the target"),
        run: node::suite,
    },
    Suite {
        name: "opencode",
        what: "a real opencode edits with the plugin in the place of its own tool",
        needs: &[Need::Node, Need::Npm, Need::WasmTarget, Need::Opencode],
        optional: Some("opencode is not made for every platform"),
        run: node::opencode,
    },
    Suite {
        name: "postgres",
        what: "stores, services and restores on a Postgres server of its own",
        needs: &[Need::Git, Need::Postgres],
        optional: None,
        run: postgres::suite,
    },
    Suite {
        name: "wasm-dev",
        what: "every strategy registers itself in WebAssembly and an edit is decided without a clock, unoptimised",
        needs: &[Need::Node, Need::WasmTarget],
        optional: Some("not every toolchain can be given the target"),
        run: |metadata| wasm::answers_agree(metadata, wasm::Profile::Dev),
    },
    Suite {
        name: "wasm-release",
        what: "the same, optimised",
        needs: &[Need::Node, Need::WasmTarget],
        optional: Some("not every toolchain can be given the target"),
        run: |metadata| wasm::answers_agree(metadata, wasm::Profile::Release),
    },
];

/// Runs the suites and fails when one of them does.
pub(crate) fn test(arguments: &Arguments) -> Result<()> {
    let chosen: Vec<&Suite> = SUITES
        .iter()
        .filter(|suite| arguments.suites.is_empty() || arguments.suites.iter().any(|name| name == suite.name))
        .collect();
    for suite in &chosen {
        let needs: Vec<_> = suite.needs.iter().map(|need| need.name()).collect();
        let needs = if needs.is_empty() { String::new() } else { format!(" (needs {})", needs.join(", ")) };
        println!("{:14}  {}{needs}", suite.name, suite.what);
    }
    let metadata = Metadata::load()?;
    let mut steps = Steps::new("suites");
    for suite in chosen {
        match suite.needs.iter().try_for_each(|need| need.provide()) {
            Ok(()) => steps.step(suite.name, || (suite.run)(&metadata)),
            Err(why) => {
                let why = match suite.optional {
                    Some(reason) => format!("{why:#} ({reason})"),
                    None => format!("{why:#}"),
                };
                steps.leave_out(suite.name, why, suite.optional.is_some());
            }
        }
    }
    steps.finish()
}

fn workspace(metadata: &Metadata) -> Result<()> {
    let references = metadata
        .target_dir
        .join(format!("snapshots-{}.txt", SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos()));
    let mut tests = cargo_test(metadata);
    tests.args(["--", "--skip", postgres::FILTER]).env("INSTA_SNAPSHOT_REFERENCES_FILE", &references);
    let outcome = run(tests).and_then(|()| snapshots::all_referenced(&references));
    // It only serves this run; where no test reads a snapshot it was never made.
    let _ = std::fs::remove_file(&references);
    outcome
}

/// Prepares the tests of every crate with every feature. Suites that run some of them use this, too: another choice of
/// packages or features would build most of the workspace again.
fn cargo_test(metadata: &Metadata) -> Command {
    let mut tests = cargo(["test", "--workspace", "--no-fail-fast", "--features"]);
    tests.arg(metadata.features().join(","));
    tests
}

fn benches(metadata: &Metadata) -> Result<()> {
    for package in metadata.packages.iter().filter(|package| !package.benches.is_empty()) {
        // Optimised, because texts that are made to be slow take minutes otherwise; but not as for a measurement, whose
        // linking would take longer than all that is run.
        let mut benches = cargo(["bench", "--profile", "release", "--benches", "--package"]);
        benches.args([&package.name, "--", "--test"]);
        run(benches)?;
    }
    Ok(())
}
