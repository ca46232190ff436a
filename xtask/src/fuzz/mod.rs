//! Searches for defects with generated input: edits with slips, and every property test with many more cases than in
//! the suite.

mod properties;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use fuzzy_tools::run::{Profile, tool};

/// Makes generated edits, then runs every property test with many cases, different ones in each round.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of edits with slips to make.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    edits: usize,
    /// Seed of the edits and of the first round; each later round adds 1. Default: random.
    #[arg(long)]
    seed: Option<u64>,
    /// The ladder that decides the edits.
    #[arg(long, default_value = "adaptive", value_name = "NAME")]
    ladder: String,
    /// Write every edit that was wrong or refused to this file, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write every edit to this file as a labelled case for `eval` and `fuzzy-edit batch`.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Make edits of the files in this directory, and as many exact edits of them; default: edits of generated files.
    #[arg(long, value_name = "DIRECTORY")]
    texts: Option<PathBuf>,
    /// Make edits without property tests.
    #[arg(long, conflicts_with_all = ["cases", "minutes", "packages"])]
    slips: bool,
    /// Number of cases of each property in a round; properties that start a process per case run a hundredth of it.
    #[arg(long, default_value_t = 20_000)]
    cases: u32,
    /// Start further rounds until this number of minutes has passed.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// The packages to test, without edits; default: all packages with property tests.
    packages: Vec<String>,
}

/// Runs all parts, also after one of them fails.
pub(crate) fn fuzz(arguments: &Arguments) -> Result<()> {
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let slips = if arguments.packages.is_empty() { slips(arguments, seed) } else { Ok(()) };
    if !arguments.slips {
        properties::run(&arguments.packages, arguments.cases, arguments.minutes, seed)?;
    }
    slips
}

/// Makes edits with slips.
fn slips(arguments: &Arguments, seed: u64) -> Result<()> {
    let mut words: Vec<OsString> = vec!["slips".into(), "--ladder".into(), arguments.ladder.clone().into()];
    words.extend(["--edits".into(), arguments.edits.to_string().into()]);
    words.extend(["--seed".into(), seed.to_string().into()]);
    let files = [("--failures", &arguments.failures), ("--save", &arguments.save), ("--texts", &arguments.texts)];
    for (name, file) in files {
        words.extend(file.iter().flat_map(|file| [OsString::from(name), file.clone().into()]));
    }
    let status = tool("fuzzy-accuracy", Profile::Dist, words)?;
    ensure!(status.success(), "the run in release ended with {status}");
    Ok(())
}
