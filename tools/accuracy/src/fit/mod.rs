//! Fits the score of places to labelled edits, and measures the reliability of the result.

mod learn;
mod samples;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fuzzy_adaptive::{ACCEPTED, Model};
use fuzzy_pipeline::Pipeline;
use fuzzy_tools::run::root;
use fuzzy_tools::table::Table;

use crate::cases::Set;
use crate::engine::{ADAPTIVE, pipeline};
use samples::{Outcome, Sample};
use table::FILE;

/// Fit the score of places to labelled edits.
///
/// Prints the model, and the number of edits that land with it, for the cases of the fit and for others. Cases are those of `eval`; each is decided like the ladder adaptive does. A rejected edit
/// counts by its probable result.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases to fit to (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// More cases for the accuracy of texts.
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    texts: Vec<PathBuf>,
    /// Other cases to measure with.
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    check: Vec<PathBuf>,
    /// Kinds of cases to exclude, because another part of the engine must reject them.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    without: Vec<String>,
    /// Measure the current model instead of fitting a new one.
    #[arg(long, conflicts_with = "write")]
    measure: bool,
    /// Write the model to the crate fuzzy-adaptive, which uses it.
    #[arg(long)]
    write: bool,
}

/// Fits, measures, prints, and writes the requested files.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let pipeline = pipeline(ADAPTIVE)?;
    let fitted = arguments.cases.iter().map(|path| read(&pipeline, path)).collect::<Result<Vec<_>>>()?;
    let texts = arguments.texts.iter().map(|path| read(&pipeline, path)).collect::<Result<Vec<_>>>()?;
    let checked = arguments.check.iter().map(|path| read(&pipeline, path)).collect::<Result<Vec<_>>>()?;

    let samples = fitted.iter().flat_map(|(_, samples)| samples);
    let samples: Vec<Sample> = samples.filter(|sample| !arguments.without.contains(&sample.kind)).cloned().collect();
    let of_texts: Vec<Sample> = texts.iter().flat_map(|(_, samples)| samples).cloned().collect();
    let model = if arguments.measure { Model::FITTED } else { learn::learn(&samples, &of_texts)? };
    let text = table::render(&model, &command(&names(&fitted), &arguments.without, &names(&texts)));
    println!("{text}");
    println!("## Landings\n\n{}", landings(&model, fitted.iter().chain(&checked)));
    if arguments.write {
        let path = root().join(FILE);
        fs::write(&path, text).with_context(|| format!("cannot write {FILE}"))?;
        eprintln!("{FILE} written");
    }
    Ok(())
}

/// Reads and decides a file of cases.
fn read(pipeline: &Pipeline, path: &Path) -> Result<(String, Vec<Sample>)> {
    let set = Set::load(path)?;
    let samples = set.edits.iter().filter_map(|case| Sample::of(pipeline, case)).collect();
    Ok((set.name, samples))
}

/// Formats a row per file: the places that the model accepts, and the right and the wrong ones that it refuses.
fn landings<'f>(model: &Model, files: impl Iterator<Item = &'f (String, Vec<Sample>)>) -> String {
    let header = ["cases", "right landed", "right refused", "other text landed", "wrong landed", "wrong refused"];
    let mut table = Table::new(1, &header);
    for (name, samples) in files {
        let count = |of: Outcome, landed: bool| {
            let lands = |sample: &&Sample| (model.probability(&sample.values) >= ACCEPTED) == landed;
            samples.iter().filter(|sample| sample.outcome == of).filter(lands).count().to_string()
        };
        let (right, other, wrong) = (Outcome::Right, Outcome::OtherText, Outcome::Wrong);
        let counts = [(right, true), (right, false), (other, true), (wrong, true), (wrong, false)];
        let counts = counts.map(|(of, landed)| count(of, landed));
        table.row([name.clone()].into_iter().chain(counts).collect());
    }
    table.render()
}

/// Returns the names of files.
fn names(files: &[(String, Vec<Sample>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

/// Returns the command that makes a model from these cases.
fn command(names: &[&str], without: &[String], texts: &[&str]) -> String {
    let option = |name: &str, values: String| if values.is_empty() { values } else { format!(" --{name} {values}") };
    let (without, texts) = (option("without", without.join(",")), option("texts", texts.join(",")));
    format!("cargo xtask fit {}{without}{texts} --write", names.join(" "))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_adaptive::{ACCEPTED, FeatureKind};
    use serde_json::json;

    use super::{ADAPTIVE, Outcome, landings, learn, pipeline, read, table};

    const NAMES: [&str; 6] = ["parser", "window", "session", "ledger", "planner", "courier"];

    /// Makes cases about one function each: a slip in the old text, and an edit of another function with a common line.
    fn cases() -> String {
        let mut lines = Vec::new();
        for name in NAMES {
            let content = format!(
                "fn open_{name}() {{\n    let state = connect({name}_address);\n    state.restore({name}_backup);\n\
                 \x20   state.announce({name}_listeners);\n}}\n"
            );
            let old = format!("    let state = conect({name}_address);\n    state.restore({name}_backup);");
            let sibling = format!(
                "    let state = attach(remote_pool, 3);\n    state.restore({name}_backup);\n    \
                 state.announce({name}_listeners);"
            );
            for (id, old, expected) in [
                ("typo", &old, Some(content.replace("restore", "recover"))),
                ("other_text", &old, Some(content.replace("restore", "rebuild"))),
                ("sibling", &sibling, None),
            ] {
                let case = json!({
                    "id": format!("{id}-{name}"), "drift": id, "content": content,
                    "old": old, "new": old.replace("restore", "recover"),
                    "expected": expected, "target": expected.is_some().then_some([1, 3]),
                });
                lines.push(case.to_string());
            }
        }
        lines.join("\n")
    }

    #[test]
    fn a_file_of_cases_becomes_a_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.jsonl");
        fs::write(&path, cases()).unwrap();
        let file = read(&pipeline(ADAPTIVE).unwrap(), &path).unwrap();
        for outcome in [Outcome::Right, Outcome::OtherText, Outcome::Wrong] {
            assert_eq!(file.1.iter().filter(|sample| sample.outcome == outcome).count(), 6, "{:?}", file.1);
        }

        let model = learn::learn(&file.1, &[]).unwrap();
        for sample in &file.1 {
            let probability = model.probability(&sample.values);
            assert_eq!(probability < 0.5, sample.outcome == Outcome::Wrong, "{sample:?} {model:?}");
            // Twelve places do not prove that 30 of 31 are right.
            assert!(probability < ACCEPTED || model.perfect > 3.0, "{model:?}");
        }
        let text = table::render(&model, "cargo xtask fit cases.jsonl --write");
        assert!(FeatureKind::ALL.iter().all(|kind| text.contains(kind.meaning)), "{text}");
        let landings = landings(&model, [file].iter());
        assert!(landings.contains("| cases.jsonl |"), "{landings}");
    }
}
