//! Rates ladders on labelled, generated and recorded edits, and fits the score of a place to them.

mod answers;
mod batch;
mod cases;
mod counts;
mod eval;
mod fit;
mod folder;
mod hosts;
mod jsonl;
mod parallel;
mod parity;
mod rules;
mod sequence_matcher;
mod slips;
mod trim_diff;
mod verdict;
mod without;

use std::process::ExitCode;

use clap::Parser;

/// Rates ladders on labelled, generated and recorded edits, and fits the score of a place to them.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Rate ladders, or given answers, on labelled cases.
    Eval(eval::Arguments),
    /// Fit the score of places in the ladder adaptive to labelled cases.
    Fit(fit::Arguments),
    /// Generate edits with slips, and count the results of each kind.
    Slips(slips::Arguments),
    /// Compare the command's answers with recorded ones.
    Parity(parity::Arguments),
    /// Compare the command's answers with those of another commit.
    Answers(answers::Arguments),
    /// Measure what each rule of the ladder adaptive prevents and costs.
    Rules(rules::Arguments),
    /// Run labelled edits in the real hosts, with and without our hooks.
    Hosts(hosts::Arguments),
    /// Compare trimmed diffs with recorded ones.
    TrimDiff(trim_diff::Arguments),
}

fn main() -> ExitCode {
    fuzzy_tools::run::exit(match Command::parse() {
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Slips(arguments) => slips::run(&arguments),
        Command::Parity(arguments) => parity::run(&arguments),
        Command::Answers(arguments) => answers::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Hosts(arguments) => hosts::run(&arguments),
        Command::TrimDiff(arguments) => trim_diff::run(&arguments),
    })
}
