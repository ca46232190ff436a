//! Commands that build, check and measure the workspace.
//!
//! Commands that need the engine, a service or external cases are separate tools in `tools`, which are built on first
//! use. This keeps the build of this program short.

mod bench;
mod build;
mod checkpoints;
mod ci;
mod fuzz;
mod hosts;
mod instructions;
mod needs;
mod npm;
mod packages;
mod playground;
mod python;
mod test;
mod tools;
mod wasm;

use std::ffi::OsString;
use std::process::{ExitCode, ExitStatus};

use anyhow::Result;
use clap::{CommandFactory, Parser};
use fuzzy_tools::run::{exit, tool};

/// Commands that build, check and measure the workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Run the suites, after finding or installing what they need.
    Test(test::Arguments),
    /// Check format, lints, docs, linkage and every combination of features.
    Ci,
    /// Measure the scenarios of the benches and print a table per question.
    Bench(bench::Arguments),
    /// Make the artefacts of a release in the folder dist: archives, wheels, npm packages, sums.
    Dist(Passed),
    /// Rehearse a release on this machine, and list what a person has to do.
    Release(Passed),
    /// Run the long tests of the checkpoints and measure them on 50,000 files.
    Checkpoints,
    /// Use the checkpoint service from many sessions at once, and check every answer.
    Load(Passed),
    /// Run every property test with many more cases than in the suite.
    Fuzz(fuzz::Arguments),
    /// Count the instructions of some scenarios and compare them with the committed counts.
    Instructions(instructions::Arguments),
    /// Run labelled edits in the real hosts, with and without our hooks, and count the results.
    Hosts(Passed),
    /// Build the page that shows the result of every ladder for an edit, and serve it.
    Playground(playground::Arguments),
    /// Rate ladders, or given answers, on labelled cases.
    Eval(Passed),
    /// Fit the score of places in the ladder adaptive to labelled cases.
    Fit(Passed),
    /// Compare the engine's answers with recorded ones.
    Parity(Passed),
    /// Compare this engine with other tools, on edits of `PyPI` and npm packages that anyone can make again.
    Peers(Passed),
    /// Compare the command's answers with those of another commit.
    Answers(Passed),
    /// Name the lines of labelled edits by their ends, and count the results.
    Ranges(Passed),
    /// Measure what each rule of the ladder adaptive prevents and costs, and what each mechanism is for.
    Rules(Passed),
    /// Make a strategy crate that builds, is registered and has its first snapshots.
    NewStrategy(Passed),
    /// Rewrite the tables of ladders and strategies in docs/ladders.md, or check them.
    Ladders(Passed),
}

/// The arguments of a tool or a script, which `--help` lists.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Passed {
    /// Runs a verb of a tool and returns its exit code; the tool has printed its errors.
    fn to(self, package: &str, verb: &str, profile: &str) -> ExitCode {
        let arguments = [verb.into()].into_iter().chain(self.arguments);
        ended(tool(package, profile, arguments))
    }

    /// Runs a script of the folder `tools` and returns its exit code; the script has printed its errors.
    fn by_script(self, name: &str) -> ExitCode {
        ended(packages::script(name, self.arguments, &[]).and_then(|mut script| Ok(script.status()?)))
    }
}

/// Runs a verb of the tool that rates edits; not optimised, the ladders take ten times as long.
fn accuracy(verb: &str, passed: Passed) -> ExitCode {
    passed.to("fuzzy-accuracy", verb, "release")
}

/// Returns the exit code of a tool or a script, or prints why there is none.
fn ended(status: Result<ExitStatus>) -> ExitCode {
    match status {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => exit(Err(error)),
    }
}

fn main() -> ExitCode {
    match Command::parse() {
        Command::Test(arguments) => exit(test::test(&arguments)),
        Command::Ci => exit(ci::ci(&Command::command())),
        Command::Dist(passed) => ended(packages::make(&passed.arguments).and_then(|mut script| Ok(script.status()?))),
        Command::Bench(arguments) => exit(bench::bench(&arguments)),
        Command::Release(passed) => passed.by_script("release.py"),
        Command::Checkpoints => exit(checkpoints::checkpoints()),
        Command::Load(passed) => passed.by_script("load.py"),
        Command::Fuzz(arguments) => exit(fuzz::fuzz(&arguments)),
        Command::Instructions(arguments) => exit(instructions::run(&arguments)),
        Command::Hosts(Passed { arguments }) => match hosts::provided(&arguments) {
            Ok(provided) => accuracy("hosts", Passed { arguments: [arguments, provided].concat() }),
            Err(error) => exit(Err(error)),
        },
        Command::Playground(arguments) => exit(playground::playground(&arguments)),
        Command::Eval(passed) => accuracy("eval", passed),
        Command::Fit(passed) => accuracy("fit", passed),
        Command::Parity(passed) => accuracy("parity", passed),
        Command::Peers(passed) => passed.by_script("peers/compare.py"),
        Command::Answers(passed) => passed.by_script("answers.py"),
        Command::Ranges(passed) => accuracy("ranges", passed),
        Command::Rules(passed) => accuracy("rules", passed),
        Command::NewStrategy(passed) => passed.by_script("new_strategy.py"),
        Command::Ladders(passed) => passed.to("fuzzy-catalogue", "ladders", "dev"),
    }
}
