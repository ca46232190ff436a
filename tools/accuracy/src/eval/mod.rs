//! Rates ladders on labelled cases: right landings, refusals and confidence.

mod lines;
mod patches;
mod report;
mod tables;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use fuzzy_pipeline::{Pipeline, ladder};
use serde_json::json;

use crate::cases::{Set, files};
use crate::engine::{ADAPTIVE, pipeline, without};
use crate::jsonl;
pub(crate) use report::Report;
pub(crate) use tables::kinds;

/// The command that writes the tables.
const COMMAND: &str = "cargo xtask eval --write";

const DOCUMENT: &str = "docs/accuracy.md";

/// Rate ladders, or given answers, on labelled cases.
///
/// A case is `{id, content, old, new, expected, drift}`, where an `expected` of null is a refusal, perhaps with
/// `accept`, `accept_noop`, `expected_kind`, `target`, `replace_all`, `line` and `base`. Instead of `old` it may name
/// lines, as `fuzzy-edit batch` takes them: `first` and `last`, `after`, `before`, `lines`. Or it is a change of several
/// files, with patches of several kinds: `{id, files, expected, patches}`. Prints the verdicts, the targets, the results of
/// right edits that are sent again, and the reliability of confidences.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Default: the folder ../shared/data
    /// beside the repository.
    cases: Vec<PathBuf>,
    /// The ladders to rate. Default: all for edits, adaptive for patches.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ladder: Vec<String>,
    /// Rate the ladder adaptive without this rule or mechanism; may be given several times.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["ladder", "answers", "write"])]
    without: Vec<String>,
    /// Rate these answers to one file of edits, as `fuzzy-edit batch` writes them, instead of ladders.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ladder", "write"])]
    answers: Option<PathBuf>,
    /// Give the engine the file as the writer of an edit had read it, where a case has it.
    #[arg(long, conflicts_with_all = ["answers", "write"])]
    base: bool,
    /// Count every kind of case separately.
    #[arg(long)]
    by_drift: bool,
    /// Print one line of JSON with all figures for each set and ladder, instead of tables.
    #[arg(long)]
    json: bool,
    /// Write every answer that is not right to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write the tables of docs/accuracy.md.
    #[arg(long)]
    write: bool,
}

/// Rates, prints, and writes the requested files.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    let paths = files(&arguments.cases)?;
    ensure!(arguments.answers.is_none() || paths.len() == 1, "answers belong to one file of cases");
    for path in paths {
        let mut set = Set::load(&path)?;
        set.edits.iter_mut().filter(|_| !arguments.base).for_each(|case| case.base = None);
        if let Some(answers) = &arguments.answers {
            let name = answers.to_string_lossy();
            reports.push(Report::of_recorded(&set, &name, jsonl::load(answers)?, &mut failures));
            continue;
        }
        for (name, pipeline) in pipelines(arguments, !set.changes.is_empty())? {
            let start = Instant::now();
            reports.push(if set.changes.is_empty() {
                Report::of_edits(&set, &name, &pipeline, &mut failures)
            } else {
                patches::report(&set, &name, &pipeline, &mut failures)?
            });
            eprintln!("{}: {name}, {:.1} s", set.name, start.elapsed().as_secs_f64());
        }
    }
    if let Some(path) = &arguments.failures {
        jsonl::save(path, failures)?;
    }
    if arguments.json {
        for report in &reports {
            println!("{}", json!(report));
        }
    } else {
        print(arguments, &reports);
    }
    if arguments.write { write(&reports) } else { Ok(()) }
}

/// Returns the ladders to rate, with their names.
fn pipelines(arguments: &Arguments, of_patches: bool) -> Result<Vec<(String, Pipeline)>> {
    let names: Vec<&str> = match arguments.ladder.as_slice() {
        _ if !arguments.without.is_empty() => {
            let name = format!("{ADAPTIVE} without {}", arguments.without.join(", "));
            return Ok(vec![(name, without(&arguments.without)?)]);
        }
        // Reading patches is the same for every ladder.
        [] if of_patches => vec![ADAPTIVE],
        [] => ladder::names().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    names.into_iter().map(|name| Ok((name.to_owned(), pipeline(name)?))).collect()
}

fn print(arguments: &Arguments, reports: &[Report]) {
    for report in reports {
        println!("{}\n", report.summary());
        println!("{}", kinds(report, arguments.by_drift));
    }
    println!("## Targets\n\n{}", lines::lines(reports));
    let edits: Vec<&Report> = reports.iter().filter(|report| !report.is_of_patches).collect();
    for name in tables::names(&edits) {
        let of_ladder: Vec<&Report> = edits.iter().copied().filter(|report| report.ladder == name).collect();
        println!("## Reliability of {name}\n\n{}", tables::reliability(&of_ladder));
    }
    for report in edits {
        let auc = report.auc().map_or_else(|| "–".to_owned(), |auc| format!("{auc:.2}"));
        let Report { set, ladder, said: [right, wrong], .. } = report;
        println!(
            "{set}, {ladder}: landed right {}, not right {}, AUC of the confidence {auc}",
            right.len(),
            wrong.len()
        );
    }
}

/// Rewrites the tables of the document.
fn write(reports: &[Report]) -> Result<()> {
    let (patches, edits): (Vec<&Report>, Vec<&Report>) = reports.iter().partition(|report| report.is_of_patches);
    ensure!(reports.iter().any(|report| report.ladder == ADAPTIVE), "{DOCUMENT} is about the ladder {ADAPTIVE}");
    let adaptive: Vec<&Report> = edits.into_iter().filter(|report| report.ladder == ADAPTIVE).collect();
    let bodies = [
        ("cases", tables::provenance(adaptive.iter().chain(&patches).copied())),
        ("adaptive", tables::adaptive(&adaptive)),
        ("lines", lines::missed(reports)),
        ("reliability", tables::reliability(&adaptive)),
    ];
    jsonl::write_tables(DOCUMENT, COMMAND, bodies)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use anyhow::Result;
    use clap::Parser;
    use serde_json::{Value, json};

    use super::{Arguments, COMMAND, DOCUMENT, run};
    use crate::jsonl;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Rates an edit that must be rejected, with these options, and returns the failures.
    fn failures(options: &[&str]) -> Result<Vec<Value>> {
        let folder = tempfile::tempdir()?;
        let [cases, failures] = ["cases.jsonl", "failures.jsonl"].map(|name| folder.path().join(name));
        let case = json!({
            "id": "a", "drift": "conflict", "expected": null, "content": "timeout = 30\nretries = 5\n",
            "old": "timeout = 20\nretries = 5\n", "new": "timeout = 60\nretries = 5\n",
        });
        fs::write(&cases, case.to_string())?;
        let paths = [Path::new("eval"), &cases, Path::new("--failures"), &failures].map(Path::as_os_str);
        run(&Line::try_parse_from(paths.into_iter().chain(options.iter().map(AsRef::as_ref)))?.arguments)?;
        jsonl::load(&failures)
    }

    #[test]
    fn without_a_rule_its_edits_land() {
        assert_eq!(failures(&["--ladder", "adaptive"]).unwrap(), [Value::Null; 0]);
        assert_eq!(failures(&["--without", "unknown-word-deleted"]).unwrap(), [Value::Null; 0]);
        let landed = failures(&["--without", "unknown-word-deleted", "--without", "different-value"]).unwrap();
        let landed: Vec<_> = landed.iter().map(|line| [&line["verdict"], &line["answer"]["output"]]).collect();
        assert_eq!(landed, [[&json!("WRONG"), &json!("timeout = 60\nretries = 5\n")]]);
        assert!(failures(&["--without", "different-value", "--write"]).is_err());
    }

    #[test]
    fn the_document_has_every_table_and_no_other() {
        let text = fs::read_to_string(fuzzy_tools::run::root().join(DOCUMENT)).unwrap();
        for name in ["cases", "adaptive", "lines", "reliability"] {
            assert_eq!(text.matches(&format!("<!-- {name}: made by `{COMMAND}` -->")).count(), 1, "{name}");
        }
        assert_eq!(text.matches(&format!(": made by `{COMMAND}` -->")).count(), 4);
    }
}
