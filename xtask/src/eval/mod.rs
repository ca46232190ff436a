//! Judges ladders on labelled cases: what lands right, what refusals are worth, how sure and how fast they are.

mod cases;
mod document;
mod judge;
mod plot;
mod reliability;
mod sequence_matcher;
mod tables;
mod tally;
mod verdict;

use std::env;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fuzzy_pipeline::{Pipeline, ladder};

use crate::run::{cargo, root};
pub(crate) use cases::{Case, CaseFile};
use judge::Outcome;
use tally::Tally;
pub(crate) use verdict::Verdict;

/// Judges ladders, or given answers, on labelled cases.
///
/// A case is `{id, content, old, new, expected, drift, accept_noop, target, expected_kind}`; cases are read where they
/// are. Prints the verdicts and what became of proposals, how confidence and being right agree, and latencies.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The ladders to judge; all of them where none is named.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ladder: Vec<String>,
    /// Count every kind of case apart.
    #[arg(long)]
    by_drift: bool,
    /// Judge these answers to one file of cases, as `fuzzy-edit batch` writes them, instead of ladders.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ladder", "jobs", "write"])]
    answers: Option<PathBuf>,
    /// How many cases to answer at a time; one a core where this is not said.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Write the tables of docs/accuracy.md and its plot.
    #[arg(long)]
    write: bool,
}

/// One ladder's outcomes on one file of cases.
struct Run<'f> {
    file: &'f CaseFile,
    ladder: String,
    outcomes: Vec<Outcome>,
    tally: Tally,
}

impl<'f> Run<'f> {
    fn new(file: &'f CaseFile, ladder: &str, outcomes: Vec<Outcome>) -> Self {
        let tally = Tally::new(&file.cases, &outcomes);
        Self { file, ladder: ladder.to_owned(), outcomes, tally }
    }
}

/// Judges, prints, and writes what it is told to write.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        return run_in_release();
    }
    let files = arguments.cases.iter().map(|path| CaseFile::load(path)).collect::<Result<Vec<_>>>()?;
    let runs = match &arguments.answers {
        Some(answers) => {
            ensure!(files.len() == 1, "answers belong to one file of cases");
            let name = answers.to_string_lossy();
            vec![Run::new(&files[0], &name, judge::read(answers, &files[0].cases)?)]
        }
        None => ask(arguments, &files)?,
    };
    for file in &files {
        println!("## {}\n", file.name);
        for run in runs.iter().filter(|run| run.file.name == file.name) {
            if arguments.by_drift {
                print!("{}", run.tally.by_drift());
            }
            println!("{}", run.tally.summary(&run.ladder));
        }
        println!();
    }
    println!("## Proposals\n\n{}", tables::proposals(&runs));
    println!("## Reliability\n\n{}", tables::reliability(&runs));
    println!("## Latency\n\n{}", tables::latency(&runs));
    if arguments.write {
        document::write(&files, &arguments.ladder, runs)?;
    }
    Ok(())
}

/// Puts every file of cases to every ladder that is asked for.
fn ask<'f>(arguments: &Arguments, files: &'f [CaseFile]) -> Result<Vec<Run<'f>>> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = arguments.jobs.map_or_else(cores, NonZero::get);
    let names: Vec<&str> = match arguments.ladder.as_slice() {
        [] => ladder::names().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    let pipelines =
        names.into_iter().map(|name| Ok((name, Pipeline::new(ladder::named(name)?)))).collect::<Result<Vec<_>>>()?;
    let mut runs = Vec::new();
    for file in files {
        for (name, pipeline) in &pipelines {
            let start = Instant::now();
            runs.push(Run::new(file, name, judge::ask(pipeline, &file.cases, jobs)));
            eprintln!("{}: {name}, {:.1} s", file.name, start.elapsed().as_secs_f64());
        }
    }
    Ok(runs)
}

/// Runs the same command again, optimised: without that the ladders take ten times as long, and no latency would mean
/// anything.
pub(crate) fn run_in_release() -> Result<()> {
    eprintln!("building and running this in release");
    let mut command = cargo(["run", "--quiet", "--release", "--package", "xtask", "--manifest-path"]);
    command.arg(root().join("Cargo.toml")).arg("--").args(env::args_os().skip(1));
    // Paths among the arguments start where we were started.
    let folder = env::current_dir().context("no current folder")?;
    let status = command.current_dir(folder).status().context("cannot start cargo")?;
    ensure!(status.success(), "the run in release ended with {status}");
    Ok(())
}
