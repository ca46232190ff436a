//! Writes the tables of ladders and strategies, and adds a strategy: the tools that link every strategy.

mod ladders;
mod new_strategy;

use std::process::ExitCode;

use clap::Parser;

/// Writes the tables of ladders and strategies, and adds a strategy.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Make a strategy crate that builds, is registered and has its first snapshots.
    NewStrategy(new_strategy::Arguments),
    /// Rewrite the tables of ladders and strategies in the documents, or check them.
    Ladders(ladders::Arguments),
}

fn main() -> ExitCode {
    fuzzy_tools::run::exit(match Command::parse() {
        Command::NewStrategy(arguments) => new_strategy::run(&arguments),
        Command::Ladders(arguments) => ladders::run(&arguments),
    })
}
