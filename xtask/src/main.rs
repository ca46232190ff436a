//! Commands that build, check and measure the workspace.
//!
//! Commands that need the engine, a service or external cases are separate tools in `tools`, which are built on first
//! use. This keeps the build of this program short.

mod bench;
mod build;
mod checkpoints;
mod ci;
mod dist;
mod emulator;
mod fuzz;
mod heart;
mod hosts;
mod instructions;
mod needs;
mod npm;
mod packages;
mod playground;
mod python;
mod targets;
mod test;
mod tools;
mod wasm;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use fuzzy_tools::run::{Profile, exit, tool};

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
    Dist(dist::Arguments),
    /// Run the long tests of the checkpoints and measure them on 50,000 files.
    Checkpoints(checkpoints::Arguments),
    /// Use the checkpoint service from many sessions at once, and check every answer.
    #[command(disable_help_flag = true)]
    Load(Passed),
    /// Run every property test with many more cases than in the suite.
    Fuzz(fuzz::Arguments),
    /// Count the instructions of some scenarios and compare them with the committed counts.
    Instructions(instructions::Arguments),
    /// Count lines, numeric constants and conditions of the heart of the engine.
    Heart(heart::Arguments),
    /// Run labelled edits in the real hosts, with and without our hooks, and count the results.
    #[command(disable_help_flag = true)]
    Hosts(Passed),
    /// Build the page that shows the result of every ladder for an edit, and serve it.
    Playground(playground::Arguments),
    /// Rate ladders, or given answers, on labelled cases.
    #[command(disable_help_flag = true)]
    Eval(Passed),
    /// Fit the score of places in the ladder adaptive to labelled cases.
    #[command(disable_help_flag = true)]
    Fit(Passed),
    /// Compare the command's answers with recorded ones.
    #[command(disable_help_flag = true)]
    Parity(Passed),
    /// Compare the command's answers with those of another commit.
    #[command(disable_help_flag = true)]
    Answers(Passed),
    /// Measure what each rule of the ladder adaptive prevents and costs.
    #[command(disable_help_flag = true)]
    Rules(Passed),
    /// Compare trimmed diffs with recorded ones.
    #[command(disable_help_flag = true)]
    TrimDiff(Passed),
    /// Make a strategy crate that builds, is registered and has its first snapshots.
    #[command(disable_help_flag = true)]
    NewStrategy(Passed),
    /// Rewrite the tables of ladders and strategies in docs/ladders.md, or check them.
    #[command(disable_help_flag = true)]
    Ladders(Passed),
}

/// The arguments of a tool, which `--help` lists.
#[derive(clap::Args)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Passed {
    /// Runs a verb of a tool and returns its exit code; the tool has printed its errors.
    fn to(self, package: &str, verb: Option<&str>, profile: Profile) -> ExitCode {
        let arguments = verb.map(OsString::from).into_iter().chain(self.arguments);
        match tool(package, profile, arguments) {
            Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
            Err(error) => exit(Err(error)),
        }
    }
}

fn main() -> ExitCode {
    match Command::parse() {
        Command::Test(arguments) => exit(test::test(&arguments)),
        Command::Ci => exit(ci::ci(&Command::command())),
        Command::Dist(arguments) => exit(dist::dist(&arguments)),
        Command::Bench(arguments) => exit(bench::run(&arguments)),
        Command::Checkpoints(arguments) => exit(checkpoints::checkpoints(&arguments)),
        Command::Load(passed) => passed.to("fuzzy-load", None, Profile::Dev),
        Command::Fuzz(arguments) => exit(fuzz::fuzz(&arguments)),
        Command::Instructions(arguments) => exit(instructions::run(&arguments)),
        Command::Heart(arguments) => exit(heart::run(&arguments)),
        Command::Hosts(mut passed) => match hosts::provided(&passed.arguments) {
            Ok(provided) => {
                passed.arguments.extend(provided);
                passed.to("fuzzy-accuracy", Some("hosts"), Profile::Release)
            }
            Err(error) => exit(Err(error)),
        },
        Command::Playground(arguments) => exit(playground::run(&arguments)),
        Command::Eval(passed) => passed.to("fuzzy-accuracy", Some("eval"), Profile::Dist),
        Command::Fit(passed) => passed.to("fuzzy-accuracy", Some("fit"), Profile::Dist),
        Command::Parity(passed) => passed.to("fuzzy-accuracy", Some("parity"), Profile::Dev),
        Command::Answers(passed) => passed.to("fuzzy-accuracy", Some("answers"), Profile::Release),
        Command::Rules(passed) => passed.to("fuzzy-accuracy", Some("rules"), Profile::Release),
        Command::TrimDiff(passed) => passed.to("fuzzy-accuracy", Some("trim-diff"), Profile::Dev),
        Command::NewStrategy(passed) => passed.to("fuzzy-catalogue", Some("new-strategy"), Profile::Dev),
        Command::Ladders(passed) => passed.to("fuzzy-catalogue", Some("ladders"), Profile::Dev),
    }
}
