//! Rates ladders on labelled cases: right landings, refusals, confidence and speed.

mod document;
mod failures;
mod judge;
mod lines;
pub(crate) mod patches;
mod reliability;
mod run;
mod tables;
mod tally;

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};
use fuzzy_pipeline::{Pipeline, ladder};

use crate::cases::CaseFile;
use crate::jsonl;
use crate::without::without;
use patches::{PatchFile, PatchRun};
use run::{DETAILED, Run};

/// Rate ladders, or given answers, on labelled cases.
///
/// A case is `{id, content, old, new, expected, drift, accept_noop, target, expected_kind}`, or a change of several
/// files with patches of several kinds: `{id, files, expected, patches}`. Cases are read in place. Prints the verdicts,
/// the results of right edits that are sent again and of proposals, the reliability of confidences, and latencies.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The ladders to rate. Default: all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ladder: Vec<String>,
    /// Rate the ladder adaptive without this rule; may be given several times.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["ladder", "answers"])]
    without: Vec<String>,
    /// Count every kind of case separately.
    #[arg(long)]
    by_drift: bool,
    /// Rate these answers to one file of cases, as `fuzzy-edit batch` writes them, instead of ladders.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ladder", "jobs", "write"])]
    answers: Option<PathBuf>,
    /// The number of cases to run at a time. Default: one per core.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Write every answer that is not right to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write the tables of docs/accuracy.md.
    #[arg(long)]
    write: bool,
}

/// Rates, prints, and writes the requested files.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let is_whole = arguments.without.is_empty();
    ensure!(is_whole || !arguments.write, "docs/accuracy.md is about the whole engine: no --write with --without");
    let (mut files, mut patch_files) = (Vec::new(), Vec::new());
    for path in &arguments.cases {
        let values = jsonl::load(path)?;
        if values.first().is_some_and(PatchFile::has) {
            patch_files.push(PatchFile::new(path, values)?);
        } else {
            files.push(CaseFile::new(path, values)?);
        }
    }
    let (runs, patches) = match &arguments.answers {
        Some(answers) => {
            ensure!(files.len() == 1 && patch_files.is_empty(), "answers belong to one file of cases");
            let name = answers.to_string_lossy();
            (vec![Run::new(&files[0], &name, judge::read(answers, &files[0].cases)?)], Vec::new())
        }
        None => ask(arguments, &files, &patch_files)?,
    };
    print(arguments, &files, &runs, &patches);
    if let Some(path) = &arguments.failures {
        failures::write(path, &runs, &patches)?;
    }
    if arguments.write {
        document::write(&files, &patch_files, &arguments.ladder, runs, patches)?;
    }
    Ok(())
}

fn print(arguments: &Arguments, files: &[CaseFile], runs: &[Run<'_>], patches: &[PatchRun<'_>]) {
    if !arguments.without.is_empty() {
        println!("In all tables below, {DETAILED} is without {}.\n", arguments.without.join(", "));
    }
    for file in files {
        println!("## {}\n", file.name);
        for run in runs.iter().filter(|run| run.file.name == file.name) {
            if arguments.by_drift {
                print!("{}", run.tally.by_drift());
            }
            println!("{}", run.tally.summary(&run.ladder));
            print!("{}", run.tally.parts());
        }
        println!();
    }
    if !patches.is_empty() {
        if arguments.by_drift {
            println!("{}", tables::patch_kinds(patches));
        }
        println!("## Patches\n\n{}", tables::patches(patches));
    }
    println!("## Lines to reach\n\n{}", lines::lines(runs, patches));
    if !runs.is_empty() {
        println!("## Proposals\n\n{}", tables::proposals(runs));
        println!("## Reliability\n\n{}", tables::reliability(runs));
        println!("## Latency\n\n{}", tables::latency(runs));
    }
}

/// Returns the ladders to rate, with their names.
fn pipelines(arguments: &Arguments) -> Result<Vec<(&str, Pipeline)>> {
    if !arguments.without.is_empty() {
        return Ok(vec![(DETAILED, without(&arguments.without)?)]);
    }
    let names: Vec<&str> = match arguments.ladder.as_slice() {
        [] => ladder::names().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    names.into_iter().map(|name| Ok((name, Pipeline::new(ladder::named(name)?)))).collect()
}

/// Runs every requested ladder on every file of cases.
fn ask<'f>(
    arguments: &Arguments,
    files: &'f [CaseFile],
    patch_files: &'f [PatchFile],
) -> Result<(Vec<Run<'f>>, Vec<PatchRun<'f>>)> {
    let jobs = arguments.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let pipelines = pipelines(arguments)?;
    let (mut runs, mut patches) = (Vec::new(), Vec::new());
    for file in patch_files {
        // Reading patches is the same for every ladder; by default only the most important ladder is listed.
        for (name, pipeline) in pipelines.iter().filter(|(name, _)| !arguments.ladder.is_empty() || *name == DETAILED) {
            let start = Instant::now();
            patches.push(file.ask(name, pipeline, jobs)?);
            eprintln!("{}: {name}, {:.1} s", file.name, start.elapsed().as_secs_f64());
        }
    }
    for file in files {
        for (name, pipeline) in &pipelines {
            let start = Instant::now();
            runs.push(Run::new(file, name, judge::ask(pipeline, &file.cases, jobs)));
            eprintln!("{}: {name}, {:.1} s", file.name, start.elapsed().as_secs_f64());
        }
    }
    Ok((runs, patches))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::path::Path;

    use anyhow::Result;
    use clap::Parser;
    use serde_json::{Value, json};

    use super::{Arguments, run};
    use crate::folder::fresh_folder;
    use crate::jsonl;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Rates an edit that must be rejected, with these options, and returns the failures.
    fn failures(options: &[&str]) -> Result<Vec<Value>> {
        let folder = fresh_folder()?;
        let [cases, failures] = ["cases.jsonl", "failures.jsonl"].map(|name| folder.path().join(name));
        let case = json!({
            "id": "a", "drift": "conflict", "expected": null, "content": "timeout = 30\nretries = 5\n",
            "old": "timeout = 20\nretries = 5\n", "new": "timeout = 60\nretries = 5\n",
        });
        fs::write(&cases, case.to_string())?;
        let paths = [Path::new("eval"), &cases, Path::new("--failures"), &failures].map(Path::as_os_str);
        let words = paths.into_iter().chain(options.iter().map(OsStr::new));
        run(&Line::try_parse_from(words)?.arguments)?;
        jsonl::load(&failures)
    }

    #[test]
    fn without_a_rule_its_edits_land() {
        assert_eq!(failures(&["--ladder", "adaptive"]).unwrap(), [Value::Null; 0]);
        assert_eq!(failures(&["--without", "different-operator"]).unwrap(), [Value::Null; 0]);
        let landed = failures(&["--without", "different-operator", "--without", "different-value"]).unwrap();
        let landed: Vec<_> = landed.iter().map(|failure| [&failure["verdict"], &failure["output"]]).collect();
        assert_eq!(landed, [[&json!("WRONG"), &json!("timeout = 60\nretries = 5\n")]]);
    }

    #[test]
    fn without_a_rule_no_document_is_written() {
        for (options, begins) in [
            (&["--without", "different-value", "--write"][..], "docs/accuracy.md is about the whole engine"),
            (&["--without", "different"], "no rule \"different\""),
            (&["--without", "different-value", "--ladder", "full"], "error: the argument '--without <RULE>' cannot"),
        ] {
            let error = failures(options).unwrap_err().to_string();
            assert!(error.starts_with(begins), "{error}");
        }
    }
}
