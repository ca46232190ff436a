//! Runs the tests and the benches of the Rust crates.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

use super::{postgres, snapshots};

/// Runs every test of every crate that needs no external server, and checks that each snapshot was read.
pub(super) fn workspace(metadata: &Metadata) -> Result<()> {
    let references = metadata
        .target_dir
        .join(format!("snapshots-{}.txt", SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos()));
    let mut tests = cargo_test(metadata);
    tests.args(["--", "--skip", postgres::FILTER]).env("INSTA_SNAPSHOT_REFERENCES_FILE", &references);
    let outcome = run(tests).and_then(|()| snapshots::all_referenced(&references));
    // The file is used only in this run; it does not exist if no test read a snapshot.
    let _ = fs::remove_file(&references);
    outcome
}

/// Prepares the tests of every crate with every feature.
pub(super) fn cargo_test(metadata: &Metadata) -> Command {
    let mut tests = metadata.cargo_for_tests("test");
    tests.arg("--no-fail-fast");
    tests
}

/// Runs every bench once without measuring, to check its results.
pub(super) fn benches(metadata: &Metadata) -> Result<()> {
    let mut benches = cargo_test(metadata);
    benches.arg("--benches");
    run(benches)
}

/// Runs the tests that need a Postgres server, which the suite starts.
pub(super) fn on_postgres(metadata: &Metadata) -> Result<()> {
    postgres::with_server(|url| {
        let mut tests = cargo_test(metadata);
        tests.args(["--tests", postgres::FILTER]).env(postgres::VARIABLE, url);
        run(tests)
    })
}
