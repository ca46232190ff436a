//! Commands that build, check and measure the workspace.

mod bench;
mod checkpoints;
mod ci;
mod eval;
mod fit;
mod fuzz;
mod generated;
mod instructions;
mod jsonl;
mod ladders;
mod load;
mod metadata;
mod new_strategy;
mod parity;
mod run;
mod test;
mod trim_diff;

use std::process::ExitCode;

use clap::Parser;

/// Commands that build, check and measure the workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Run every suite, with what they need found or installed.
    Test(test::Arguments),
    /// Check format, lints, docs, what is linked and every choice of features.
    Ci,
    /// Measure the scenarios of the benches and print a table per question.
    Bench(bench::Arguments),
    /// Run the long campaigns of the checkpoints and measure them on 50,000 files.
    Checkpoints(checkpoints::Arguments),
    /// Let many sessions use the checkpoint service at once, and check every answer.
    Load(load::Arguments),
    /// Run every property test with many more cases than the suite does.
    Fuzz(fuzz::Arguments),
    /// Count the instructions of some scenarios and compare them with the committed counts.
    Instructions(instructions::Arguments),
    /// Judge ladders, or given answers, on labelled cases.
    Eval(eval::Arguments),
    /// Fit what the ladder adaptive makes of places to labelled cases.
    Fit(fit::Arguments),
    /// Compare the command's answers with recorded ones.
    Parity(parity::Arguments),
    /// Compare trimmed diffs with recorded ones.
    TrimDiff(trim_diff::Arguments),
    /// Make a strategy crate that builds, is registered and has its first snapshots.
    NewStrategy(new_strategy::Arguments),
    /// Rewrite the tables of ladders and strategies in the documents, or check them.
    Ladders(ladders::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Test(arguments) => test::test(&arguments),
        Command::Ci => ci::ci(),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Checkpoints(arguments) => checkpoints::checkpoints(&arguments),
        Command::Load(arguments) => load::run(&arguments),
        Command::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Command::Instructions(arguments) => instructions::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Parity(arguments) => parity::run(&arguments),
        Command::TrimDiff(arguments) => trim_diff::run(&arguments),
        Command::NewStrategy(arguments) => new_strategy::run(&arguments),
        Command::Ladders(arguments) => ladders::run(arguments.check),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
