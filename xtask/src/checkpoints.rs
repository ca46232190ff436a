//! Runs the checkpoint tests that take too long for the suite, and measures checkpoints.

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::run::{cargo, run};

use crate::packages::script;
use crate::test::postgres;

/// The packages whose tests have a longer form.
const CHECKPOINT: &str = "--package=fuzzy-checkpoint";
const SERVICE: &str = "--package=fuzzy-checkpoint-service";

/// The long tests: the package with cargo's options, the filter with the options of the test, and the variable that
/// makes the test long.
const LONG: &[(&[&str], &[&str], &str, &str)] = &[
    (&[CHECKPOINT], &["together::"], "FUZZY_CHECKPOINT_CAPTURES", "100"),
    // The release build, because the result depends on the speed.
    (&[SERVICE, "--profile=dist"], &["savers::no_saved_text", "--nocapture"], "FUZZY_CHECKPOINT_SAVED_FILES", "20"),
    (&[SERVICE, "--profile=dist"], &["savers::no_saved_text", "--nocapture"], "FUZZY_CHECKPOINT_SAVED_FILES", "250"),
    (&[CHECKPOINT], &["swapped::no_outside_file", "--nocapture"], "FUZZY_CHECKPOINT_SWAPS", "1000"),
    (&[CHECKPOINT], &["sidecar::random_trees"], "FUZZY_CHECKPOINT_CASES", "200"),
    (&[SERVICE], &["sequences::"], "FUZZY_CHECKPOINT_SEQUENCES", "1000"),
    (&[SERVICE], &["take_back::random::", "--nocapture"], "FUZZY_CHECKPOINT_HISTORIES", "200"),
];
/// The number of runs with random edits of trees, and of edits in each; a failure names the seed of its run.
const RANDOM: (u32, &str) = (20, "500");

/// Runs every test, after the measurement, which is best done before the machine is warm.
pub(crate) fn checkpoints() -> Result<()> {
    run(cargo(["run", "--profile=dist", CHECKPOINT, "--example=measure", "--", "50000", "5"]))?;
    run(script("processes.py", ["restore"], &["hyperfine"])?)?;
    for (package, filter, variable, value) in LONG {
        let mut test = tests(package, filter);
        test.env(variable, value).env("FUZZY_CHECKPOINT_RESTORES", "1000");
        run(test)?;
    }
    run(of_the_command(&["serve::pipes::no_file", "--ignored"]))?;
    run(of_the_command(&["checkpoint::processes::"]))?;
    let mut failures = of_the_command(&["checkpoint::power_failures::"]);
    failures.env("FUZZY_EDIT_POWER_FAILURES", "13");
    run(failures)?;
    let mut undos = of_the_command(&["turns::one_undo::undos_reach"]);
    run(undos.env("FUZZY_EDIT_UNDOS", "20"))?;
    for filter in ["unreadable::a_file", "faults::"] {
        run(of_the_command(&[filter]).env("FUZZY_FAULTS", "60"))?;
    }
    let mut stops = of_the_command(&["stopped::"]);
    stops.env("FUZZY_STOPS", "2").env("FUZZY_STOPPED_SECONDS", "60");
    run(stops)?;
    // A server at every git call, and servers that share a database during a restore.
    for (kind, variable, value) in [("kill", "FUZZY_EDIT_KILL_STRIDE", "1"), ("pair", "FUZZY_EDIT_PAIRS", "100")] {
        let kills = |database| {
            let mut test = of_the_command(&[&format!("service::{kind}::{database}::")]);
            test.env(variable, value);
            test
        };
        run(kills("sqlite"))?;
        if postgres::is_found() {
            run(postgres::on_server(kills("postgres"), postgres::VARIABLE))?;
        } else {
            println!("left out on Postgres, which is not installed");
        }
    }
    for seed in 1..=RANDOM.0 {
        let mut test = tests(&[CHECKPOINT], &["properties::"]);
        test.env("FUZZY_CHECKPOINT_CASES", RANDOM.1).env("FUZZY_CHECKPOINT_SEED", seed.to_string());
        run(test)?;
    }
    Ok(())
}

fn of_the_command(filter: &[&str]) -> Command {
    tests(&["--package=fuzzy-edit-cli", "--features=full"], &[filter, &["--nocapture"]].concat())
}

/// Prepares tests of the program `it` of a package; the first word of `filter` selects them.
fn tests(package: &[&str], filter: &[&str]) -> Command {
    let mut test = cargo(["test", "--test", "it"]);
    test.args(package).arg("--").args(filter);
    test
}
