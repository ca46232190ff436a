//! Rates the results of labelled edits in the real hosts, with and without our hooks.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_pipeline::Edit;
use fuzzy_report::Verdict;
use fuzzy_tools::run::run as run_command;
use fuzzy_tools::table::Table;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::cases::{Case, Set, failure};
use crate::engine::{ADAPTIVE, answer, output, pipeline};
use crate::jsonl::{self, sha256, text};

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
    let sets = arguments.cases.iter().map(|path| Set::load(path)).collect::<Result<Vec<_>>>()?;
    let sample = sample(&sets, arguments.edits);
    let cases: Vec<&Case> = sample.iter().flatten().copied().collect();
    let path = match (&arguments.answers, &arguments.client, &arguments.program) {
        (None, Some(client), Some(program)) => drive(client, program, &cases)?,
        (answers, ..) => answers.clone().context("there are no answers and no hosts")?,
    };
    let answers = jsonl::load(&path)?;
    let (table, failures) = rate(&answers, &cases)?;
    print!("{table}");
    if let Some(path) = &arguments.failures {
        jsonl::save(path, failures)?;
    }
    if arguments.write {
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        let parts = sets.iter().zip(&sample).map(|(set, taken)| format!("{} of {}", taken.len(), set.name));
        let parts = parts.collect::<Vec<_>>().join(", ");
        let negatives = cases.iter().filter(|case| !case.is_positive()).count();
        let source = format!("`cargo xtask hosts {} --write`", names.join(" "));
        let body =
            format!("{source}\n\n{} edits: {parts}. {negatives} of them have to be refused.\n\n{table}", cases.len());
        jsonl::write_tables(DOCUMENT, COMMAND, [("edits", body)])?;
    }
    Ok(())
}

/// Takes edits from each set in turn: those that a plain replacement fails on, with a complete label. The order within a
/// set is that of the hashes of their names.
fn sample(sets: &[Set], edits: usize) -> Vec<Vec<&Case>> {
    let mut waiting: Vec<_> = sets
        .iter()
        .map(|set| {
            let mut cases: Vec<&Case> = set.edits.iter().filter(|case| is_failing(case)).collect();
            cases.sort_by_cached_key(|case| sha256(format!("hosts {}", case.id)));
            cases.into_iter()
        })
        .collect();
    let mut taken = vec![Vec::new(); sets.len()];
    let mut left = edits;
    while left > 0 && waiting.iter().any(|cases| cases.len() > 0) {
        for (cases, taken) in waiting.iter_mut().zip(&mut taken) {
            let next = (left > 0).then(|| cases.next()).flatten();
            left -= usize::from(next.is_some());
            taken.extend(next);
        }
    }
    taken
}

/// Returns whether a plain replacement fails and the label has the whole result.
fn is_failing(case: &Case) -> bool {
    let is_labelled = case.known() != "span" && case.known() != "unlabelled" && case.old != case.new;
    is_labelled && case.quote.is_empty() && !case.replace_all && case.content.matches(&case.old).take(2).count() != 1
}

/// Runs edits in the hosts, and returns the file of the answers.
fn drive(client: &Path, program: &Path, cases: &[&Case]) -> Result<PathBuf> {
    let [edits, answers] = ["edits.jsonl", "answers.jsonl"].map(|name| client.join(name));
    jsonl::save(&edits, cases.iter().map(|case| json!(case)))?;
    let mut node = Command::new("node");
    node.arg("edits.mjs").args([&edits, &answers]).current_dir(client.join("integrations/tests"));
    node.env("FUZZY_EDIT", program).env("HOSTS_WORK", client).env("HOSTS_PACKAGES", client);
    run_command(node)?;
    Ok(answers)
}

/// The results of the edits in a host: positives that are right, differ in whitespace, are wrong, and are refused; negatives
/// that landed; wrong landings of both that the engine refuses.
type Row = [usize; 6];

/// Rates the hosts' answers; returns the table, and a line for every answer that is not right.
fn rate(answers: &[Value], cases: &[&Case]) -> Result<(String, Vec<Value>)> {
    let pipeline = pipeline(ADAPTIVE)?;
    let is_refused = |case: &&Case| {
        let answer = answer(&pipeline, &case.content, Edit::new(&case.old, &case.new));
        output(&answer).is_none() || answer["code"] == "already_applied"
    };
    let refused: Vec<bool> = cases.par_iter().map(is_refused).collect();
    let by_id = cases.iter().zip(refused).map(|(case, refused)| (case.id.as_str(), (*case, refused)));
    let by_id: HashMap<&str, (&Case, bool)> = by_id.collect();
    let (mut runs, mut failures) = (BTreeMap::<(String, bool), (Row, usize)>::new(), Vec::new());
    for answer in answers {
        let id = text(answer, "id")?;
        let (case, refused_by_us) = *by_id.get(id).with_context(|| format!("{id} is not in the sample"))?;
        let output = Some(text(answer, "output")?).filter(|output| **output != case.content);
        let verdict = case.verdict(output).with_context(|| format!("{id} has no label"))?;
        let run = (format!("{} {}", text(answer, "host")?, text(answer, "version")?), answer["repaired"] == true);
        let (row, count) = runs.entry(run.clone()).or_default();
        *count += 1;
        let column = match verdict {
            Verdict::Right => (case.is_positive()).then_some(0),
            Verdict::Tails | Verdict::Whitespace => Some(1),
            Verdict::Wrong => Some(if case.is_positive() { 2 } else { 4 }),
            Verdict::Refused => Some(3),
        };
        if let Some(column) = column {
            row[column] += 1;
        }
        row[5] += usize::from(verdict == Verdict::Wrong && refused_by_us);
        if verdict != Verdict::Right {
            let mut line = failure(case, &run.0, verdict.name(), answer);
            line["refused_by_us"] = refused_by_us.into();
            failures.push(line);
        }
    }
    let header =
        ["host", "hooks", "right", "only whitespace differs", "wrong", "not at all", "should be refused, landed"];
    let header: Vec<&str> = header.into_iter().chain(["landed by the host alone"]).collect();
    let mut table = Table::new(2, &header);
    for ((host, repaired), (row, count)) in runs {
        ensure!(count == cases.len(), "{host} has {count} answers to {} edits", cases.len());
        let mut numbers = row.map(|number| number.to_string());
        if !repaired {
            "–".clone_into(&mut numbers[5]);
        }
        let words = [host, if repaired { "with" } else { "without" }.to_owned()];
        table.row(words.into_iter().chain(numbers).collect());
    }
    Ok((table.render(), failures))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{rate, sample};
    use crate::cases::{Case, Set};

    fn set(name: &str, cases: usize) -> Set {
        let case = |at| {
            // Every third one is exact, and another third has no complete label.
            let old = if at % 3 == 0 { "a" } else { "A" };
            let known = if at % 3 == 1 { "span" } else { "full" };
            let case = json!({ "id": format!("{name}{at}"), "drift": "x", "content": "a\n", "old": old, "new": "b",
                "expected": "b\n", "expected_kind": known });
            serde_json::from_value(case).unwrap()
        };
        Set { edits: (0..cases).map(case).collect(), ..Set::default() }
    }

    #[test]
    fn takes_failing_edits_from_each_set_in_turn() {
        let sets = [set("few", 9), set("many", 60)];
        let taken = |edits| sample(&sets, edits).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!([taken(4), taken(10), taken(1000)], [[2, 2], [3, 7], [3, 20]]);
        assert!(sample(&sets, 10).into_iter().flatten().all(|case| case.old == "A" && case.known() == "full"));
    }

    #[test]
    fn answers_are_counted_by_host_and_hooks() {
        let set = set("set", 9);
        let cases: Vec<&Case> =
            sample(&[set], 2).into_iter().flatten().map(|case| &*Box::leak(Box::new(case.clone()))).collect();
        let answer = |case: &Case, repaired: bool, output: &str| json!({"host": "Host", "version": "1", "id": case.id, "repaired": repaired, "output": output, "told": ""});
        let answers = [
            answer(cases[0], false, "a\n"),
            answer(cases[1], false, "c\n"),
            answer(cases[0], true, "b\n"),
            answer(cases[1], true, "b"),
        ];
        let (table, failures) = rate(&answers, &cases).unwrap();
        let rows: Vec<String> = table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, ["|Host1|without|0|0|1|1|0|–|", "|Host1|with|1|1|0|0|0|0|"]);
        assert_eq!(failures.len(), 3);
        assert!(rate(&answers[..3], &cases).is_err());
    }
}
