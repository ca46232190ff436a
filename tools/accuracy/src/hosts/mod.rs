//! Rates the results of labelled edits in the real hosts, with and without our hooks.

mod answers;
mod sample;
mod table;

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};
use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::run::{root, run as run_command};
use serde_json::json;

use crate::cases::{Case, CaseFile};
use crate::jsonl;
use crate::parallel::in_parallel;
use answers::Answer;

/// The command that writes the table.
const COMMAND: &str = "cargo xtask hosts --write";

const DOCUMENT: &str = "docs/hosts.md";

/// Run labelled edits that a plain replacement fails on in the real hosts, and count the landings.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz); edits are taken from each in turn.
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The number of edits.
    #[arg(long, value_name = "N", default_value = "200")]
    edits: usize,
    /// Rate these answers instead of running the hosts.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Write every edit that was refused or did not land right to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write the table of docs/hosts.md.
    #[arg(long)]
    write: bool,
    /// The folder of the installed hosts; the program that drives them is below `integrations/tests`.
    #[arg(long, hide = true, required_unless_present = "answers")]
    client: Option<PathBuf>,
    /// The command with the hooks.
    #[arg(long, hide = true, required_unless_present = "answers")]
    program: Option<PathBuf>,
}

/// Takes the sample, runs it in the hosts, rates the answers, and prints the table.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let files: Vec<CaseFile> =
        arguments.cases.iter().map(|path| CaseFile::new(path, jsonl::load(path)?)).collect::<Result<_>>()?;
    let sample = sample::sample(&files, arguments.edits);
    let path = match (&arguments.answers, &arguments.client, &arguments.program) {
        (None, Some(client), Some(program)) => drive(client, program, &sample.cases)?,
        (answers, ..) => answers.clone().context("there are no answers and no hosts")?,
    };
    let pipeline = Pipeline::new(ladder::adaptive());
    let jobs = thread::available_parallelism().map_or(1, NonZero::get);
    let refused: Vec<bool> = in_parallel(&sample.cases, jobs, |case| {
        let document = Document::new(case.content.as_str());
        Edit::new(&case.old, &case.new).run(&pipeline, &document).is_err()
    });
    let answers = answers::judge(&jsonl::load(&path)?, &sample.cases, &refused)?;
    if let Some(path) = &arguments.failures {
        write_failures(path, &answers).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let table = table::table(&answers);
    print!("{table}");
    if arguments.write {
        let path = root().join(DOCUMENT);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
        let text = replace_block(&text, "edits", COMMAND, &format!("{}\n\n{table}", sample.provenance()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {DOCUMENT}"))?;
        eprintln!("{DOCUMENT} written");
    }
    Ok(())
}

/// Runs edits in the hosts, and returns the file of the answers.
fn drive(client: &Path, program: &Path, cases: &[&Case]) -> Result<PathBuf> {
    let [edits, answers] = ["edits.jsonl", "answers.jsonl"].map(|name| client.join(name));
    let lines: String = cases.iter().map(|case| sample::line(case) + "\n").collect();
    fs::write(&edits, lines).with_context(|| format!("cannot write {}", edits.display()))?;
    let mut node = Command::new("node");
    node.arg("edits.mjs").args([&edits, &answers]).current_dir(client.join("integrations/tests"));
    node.env("FUZZY_EDIT", program).env("HOSTS_WORK", client).env("HOSTS_PACKAGES", client);
    run_command(node)?;
    Ok(answers)
}

/// Writes a line of JSON for every answer that is not right: the case, the verdict, and the answer.
fn write_failures(path: &Path, answers: &[Answer<'_>]) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for answer in answers.iter().filter(|answer| !answer.is_right()) {
        let Case { id, drift, content, old, new, expected, .. } = answer.case;
        let line = json!({
            "host": answer.host, "repaired": answer.repaired, "id": id, "drift": drift, "verdict": answer.verdict.name(),
            "refused_by_us": answer.refused_by_us, "content": content, "old": old, "new": new, "expected": expected,
            "output": answer.output, "told": answer.message,
        });
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}
