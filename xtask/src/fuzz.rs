//! Searches for defects with generated input: edits with slips, and every property test with many cases.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, git, read, root, run, tool};

/// Makes edits with slips and rates the results, then runs the tests of all packages with property tests.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of cases of each property in a round; properties that start a process per case run a hundredth of it.
    #[arg(long, default_value_t = 20_000)]
    cases: u32,
    /// Start further rounds, each with the next seed, until this number of minutes has passed.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// Seed of the edits and of the first round; default: random.
    #[arg(long)]
    seed: Option<u64>,
    /// Make only edits, with these options: `--edits N`, `--seed N`, `--ladder NAME`, `--texts DIRECTORY` (edits of
    /// these files, half of them exact), `--failures FILE` and `--save FILE` (one line of JSON for each edit).
    #[arg(long, num_args = 0.., allow_hyphen_values = true, value_name = "OPTIONS")]
    slips: Option<Vec<OsString>>,
    /// The packages to test, without edits; default: all packages with property tests.
    packages: Vec<String>,
}

/// Runs both parts, also after the first one fails.
pub(crate) fn fuzz(arguments: &Arguments) -> Result<()> {
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut is_right = true;
    if arguments.packages.is_empty() {
        let mut options = arguments.slips.clone().unwrap_or_default();
        for (name, value) in [("--edits", "20000"), ("--seed", &seed.to_string()), ("--ladder", "adaptive")] {
            if !options.iter().any(|option| option == name) {
                options.extend([name.into(), value.into()]);
            }
        }
        options.insert(0, "slips".into());
        is_right = tool("fuzzy-accuracy", "release", options)?.success();
    }
    if arguments.slips.is_none() {
        properties(arguments, seed)?;
    }
    ensure!(is_right, "too many edits are wrong; the table above names their kinds");
    Ok(())
}

/// Runs the tests of the packages in rounds.
fn properties(arguments: &Arguments, first: u64) -> Result<()> {
    let files = read(git(&["grep", "--name-only", "--fixed-strings", "proptest! {", "--", "*.rs"]))?;
    let metadata = Metadata::load()?;
    let owner = |file| metadata.packages.iter().find(|package| root().join(file).starts_with(&package.folder));
    let mut packages: BTreeSet<&str> = files.lines().filter_map(owner).map(|package| package.name.as_str()).collect();
    if !arguments.packages.is_empty() {
        packages.retain(|name| arguments.packages.iter().any(|package| package == name));
    }
    ensure!(!packages.is_empty(), "no property tests in {}", arguments.packages.join(", "));
    let (started, time) = (Instant::now(), Duration::from_secs(arguments.minutes * 60));
    for round in 0.. {
        let seed = first.wrapping_add(round);
        println!("{} packages, {} cases of each property, --seed {seed}", packages.len(), arguments.cases);
        // An unoptimised build detects overflows.
        let mut test = cargo(["test", "--quiet", "--no-fail-fast", "--lib", "--tests"]);
        test.args(packages.iter().map(|package| format!("--package={package}")));
        let cases = arguments.cases.to_string();
        // The second variable is for the tests that edit files.
        test.env("PROPTEST_CASES", &cases).env("FUZZY_EDIT_CASES", &cases).env("PROPTEST_RNG_SEED", seed.to_string());
        run(test)?;
        if started.elapsed() >= time {
            return Ok(());
        }
    }
    Ok(())
}
