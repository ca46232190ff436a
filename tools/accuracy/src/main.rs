//! Rates ladders on labelled, generated and recorded edits, and fits the accuracy of repairs to them.

mod cases;
mod engine;
mod eval;
mod fit;
mod hosts;
mod jsonl;
mod judge;
mod parity;
mod past;
mod ranges;
mod rules;
mod slips;
mod texts;

use std::process::ExitCode;

use clap::Parser;

/// Rates ladders on labelled, generated and recorded edits, and fits the accuracy of repairs to them.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    Eval(eval::Arguments),
    Fit(fit::Arguments),
    Slips(slips::Arguments),
    Parity(parity::Arguments),
    Ranges(ranges::Arguments),
    Rules(rules::Arguments),
    Hosts(hosts::Arguments),
    Judge(judge::Arguments),
}

fn main() -> ExitCode {
    fuzzy_tools::run::exit(match Command::parse() {
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Slips(arguments) => slips::run(&arguments),
        Command::Parity(arguments) => parity::run(&arguments),
        Command::Ranges(arguments) => ranges::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Hosts(arguments) => hosts::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
    })
}
