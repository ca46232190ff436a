//! Runs the checkpoint tests that take too long for the suite, and measures checkpoints.

use std::process::Command;

use anyhow::{Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::run::{cargo, run};

use crate::bench::{comparison, restores};
use crate::test::postgres;

/// Runs the long campaigns of the checkpoints.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of random edits of trees to capture, restore and undo.
    #[arg(long, default_value_t = 10_000)]
    cases: u32,
    /// Number of captures by each of four threads in two worktrees, before git's housekeeping.
    #[arg(long, default_value_t = 100)]
    captures: u32,
    /// Number of restores and undos while another process saves, of 20 files and of 250, with pauses and without.
    #[arg(long, default_value_t = 1_000)]
    restores: u32,
    /// Number of random trees to capture, restore and undo in sidecars: without git, and again with a `.git` that
    /// cannot be written.
    #[arg(long, default_value_t = 200)]
    sidecars: u32,
    /// Number of random sequences of ten operations (turns, checkpoints, restores, undos, redos, prunings, copies and
    /// moves) to compare with a model.
    #[arg(long, default_value_t = 1_000)]
    sequences: u32,
    /// Number of captures while another process replaces a directory by a link to another.
    #[arg(long, default_value_t = 1_000)]
    swaps: u32,
    /// Number of servers killed during a restore that a server with another state directory completes, on each
    /// database.
    #[arg(long, default_value_t = 100)]
    pairs: u32,
    /// Whether each opened file is replaced by a pipe.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    pipes: bool,
    /// Whether the server is killed at every git call of a restore, an undo, a recovery and a capture: with a file
    /// database and, if available, with Postgres.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    kills: bool,
    /// Number of files in the measured worktree; 0 disables the measurement.
    #[arg(long, default_value_t = 50_000)]
    files: u32,
    /// Number of measured rounds; the best of each counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

/// The number of cases in one run of the suite; a failure names its run.
const PORTION: u32 = 500;

pub(crate) fn checkpoints(arguments: &Arguments) -> Result<()> {
    // The measurement runs first, before the machine is warm.
    if arguments.files > 0 {
        let command = ["run", "--profile", "dist", "--package", "fuzzy-checkpoint", "--example", "measure", "--"];
        let mut command = cargo(command);
        command.args([arguments.files.to_string(), arguments.rounds.to_string()]);
        run(command)?;
        let few = restores::compare(&command::build("dist", &["full"])?)?;
        print!("{}", comparison::rendered(std::slice::from_ref(&few)));
        ensure!(few.holds(), "a restore of a few files takes too long");
    }
    if arguments.captures > 0 {
        let mut command = suite("together::");
        command.env("FUZZY_CHECKPOINT_CAPTURES", arguments.captures.to_string());
        run(command)?;
    }
    for files in ["20", "250"].iter().filter(|_| arguments.restores > 0) {
        // The release build, because the result depends on the speed.
        let mut command = cargo(["test", "--profile", "dist", "--package", "fuzzy-checkpoint-service"]);
        command.args(["--test", "it", "savers::no_saved_text", "--", "--nocapture"]);
        command.env("FUZZY_CHECKPOINT_SAVED_FILES", files);
        command.env("FUZZY_CHECKPOINT_RESTORES", arguments.restores.to_string());
        run(command)?;
    }
    if arguments.swaps > 0 {
        let mut command = suite("swapped::nothing_from_outside");
        command.args(["--", "--nocapture"]).env("FUZZY_CHECKPOINT_SWAPS", arguments.swaps.to_string());
        run(command)?;
    }
    if arguments.pipes {
        run(of_the_command("serve::pipes::no_file", &["--ignored"]))?;
        run(of_the_command("checkpoint::processes::", &[]))?;
    }
    if arguments.pairs > 0 {
        on_each_database("service::pair::", "one_with_another_state", "FUZZY_EDIT_PAIRS", arguments.pairs)?;
    }
    if arguments.kills {
        on_each_database("service::kill::", "", "FUZZY_EDIT_KILL_STRIDE", 1)?;
    }
    if arguments.sidecars > 0 {
        let mut command = suite("sidecar::random_trees");
        command.env("FUZZY_CHECKPOINT_CASES", arguments.sidecars.to_string());
        run(command)?;
    }
    if arguments.sequences > 0 {
        let mut command =
            cargo(["test", "--quiet", "--package", "fuzzy-checkpoint-service", "--test", "it", "sequences::"]);
        command.env("FUZZY_CHECKPOINT_SEQUENCES", arguments.sequences.to_string());
        run(command)?;
    }
    let mut done = 0;
    for seed in 1.. {
        let cases = PORTION.min(arguments.cases - done);
        if cases == 0 {
            break;
        }
        // Every thread needs a part of the cases, otherwise no case would run.
        ensure!(cases > 1, "cases come in portions of at least two");
        let mut command = suite("properties::");
        command.env("FUZZY_CHECKPOINT_CASES", cases.to_string()).env("FUZZY_CHECKPOINT_SEED", seed.to_string());
        run(command)?;
        done += cases;
        println!("{done} of {} random edits, restored and undone", arguments.cases);
    }
    Ok(())
}

/// Prepares tests of the built command.
fn of_the_command(filter: &str, arguments: &[&str]) -> Command {
    let mut command = cargo(["test", "--package", "fuzzy-edit-cli", "--features", "full", "--test", "it"]);
    command.args([filter, "--", "--nocapture"]).args(arguments);
    command
}

/// Runs the tests `name` of a module, `amount` of them, with a file database and with Postgres.
fn on_each_database(module: &str, name: &str, variable: &str, amount: u32) -> Result<()> {
    let tests = |database: &str| {
        let mut command = of_the_command(&format!("{module}{database}::{name}"), &[]);
        command.env(variable, amount.to_string());
        command
    };
    run(tests("sqlite"))?;
    if !postgres::is_found() {
        println!("left out on Postgres: there is none");
        return Ok(());
    }
    run(postgres::on_server(tests("postgres"), postgres::VARIABLE))
}

fn suite(filter: &str) -> Command {
    cargo(["test", "--quiet", "--package", "fuzzy-checkpoint", "--test", "it", filter])
}
