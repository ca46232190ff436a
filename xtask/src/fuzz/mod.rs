//! Looks for mistakes with generated input: edits with slips, and every property test with many more cases than the
//! suite has.

mod properties;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use fuzzy_tools::run::{Profile, tool};

/// Makes generated edits, then runs every property test with many cases, each round with others.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many edits with slips to make.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    edits: usize,
    /// What the edits and the first round are made from, and the later rounds from the numbers after it; any when none
    /// is named.
    #[arg(long)]
    seed: Option<u64>,
    /// The ladder that carries the edits out.
    #[arg(long, default_value = "adaptive", value_name = "NAME")]
    ladder: String,
    /// Write every edit that went wrong or was refused there, a line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write every edit there as a labelled case, as `eval` and `fuzzy-edit batch` read them.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Make the edits of the files below this directory, and as many plain ones of its files; edits of files that are
    /// made up when none is named.
    #[arg(long, value_name = "DIRECTORY")]
    texts: Option<PathBuf>,
    /// Make edits and run no property test.
    #[arg(long, conflicts_with_all = ["cases", "minutes", "packages"])]
    slips: bool,
    /// How many cases each property tries in a round; those that run a process for each try a hundredth of it.
    #[arg(long, default_value_t = 20_000)]
    cases: u32,
    /// Begin another round until so many minutes are over.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// The packages to test, and no edits; all that have property tests when none is named.
    packages: Vec<String>,
}

/// Looks for mistakes; what fails first does not keep the rest from being tried.
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
