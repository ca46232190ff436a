//! Fits the score of places to labelled edits.

mod learn;
mod samples;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fuzzy_adaptive::{FeatureKind, Model};
use fuzzy_tools::run::root;

use crate::cases::Set;
use crate::engine::{ADAPTIVE, pipeline};
use samples::Sample;

/// The file of the fitted model.
const FILE: &str = "crates/engine/fuzzy-adaptive/src/model.rs";

/// Fit the score of places to labelled edits, and print the model.
///
/// Cases are those of `eval`; each is decided like the ladder adaptive does. A rejected edit counts by its probable
/// result. `eval` rates the model after it was written.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases to fit to (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// More cases for the accuracy of texts.
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    texts: Vec<PathBuf>,
    /// Kinds of cases to exclude, because another part of the engine must reject them.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    without: Vec<String>,
    /// Write the model to the crate fuzzy-adaptive, which uses it.
    #[arg(long)]
    write: bool,
}

/// Fits, prints, and writes the file on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { cases, texts, without, write } = arguments;
    let (mut samples, of_texts) = (read(cases)?, read(texts)?);
    samples.retain(|sample| !without.contains(&sample.kind));
    let text = render(&learn::learn(&samples, &of_texts)?, &command(arguments));
    println!("{text}");
    if *write {
        fs::write(root().join(FILE), text).with_context(|| format!("cannot write {FILE}"))?;
        eprintln!("{FILE} written");
    }
    Ok(())
}

/// Reads and decides files of cases.
fn read(paths: &[PathBuf]) -> Result<Vec<Sample>> {
    let pipeline = pipeline(ADAPTIVE)?;
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(Set::load(path)?.edits.iter().filter_map(|case| Sample::of(&pipeline, case)));
    }
    Ok(samples)
}

/// Returns the command that makes the same model, with the names of the files.
fn command(Arguments { cases, texts, without, .. }: &Arguments) -> String {
    let names = |paths: &[PathBuf]| -> Vec<String> {
        let names = paths.iter().filter_map(|path| path.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    };
    let mut command = format!("cargo xtask fit {}", names(cases).join(" "));
    for (option, values) in [("without", without.clone()), ("texts", names(texts))] {
        if !values.is_empty() {
            let _ = write!(command, " --{option} {}", values.join(","));
        }
    }
    command + " --write"
}

/// Formats the file of the model.
fn render(model: &Model, command: &str) -> String {
    let mut steps = String::new();
    for (feature, costs) in FeatureKind::ALL.iter().zip(&model.steps) {
        let side = if feature.more_is_better { "below" } else { "above" };
        let costs: Vec<String> = costs.iter().map(|step| format!("step({:?}, {:?})", step.limit, step.cost)).collect();
        let (name, meaning, costs) = (feature.name, feature.meaning, costs.join(", "));
        let _ = write!(
            steps,
            "            // {name}: {meaning}; {side} the limit costs\n            Borrowed(&[{costs}]),\n"
        );
    }
    let perfect = model.perfect;
    let accuracies: Vec<String> =
        model.text_accuracy.iter().map(|of| format!("accuracy({:?}, {:?})", of.repaired, of.right)).collect();
    let accuracies = accuracies.join(", ");
    format!(
        "//! The fitted model of a place's probability.\n\
         //!\n\
         //! Made by `{command}`; do not edit.\n\
         \n\
         use std::borrow::Cow::Borrowed;\n\
         \n\
         use crate::score::{{Model, accuracy, step}};\n\
         \n\
         impl Model {{\n    \
             /// The model fitted to labelled edits.\n    \
             #[rustfmt::skip]\n    \
             pub const FITTED: Self = Self {{\n        \
                 perfect: {perfect:?},\n        \
                 text_accuracy: Borrowed(&[{accuracies}]),\n        \
                 steps: [\n{steps}        ],\n    \
             }};\n\
         }}\n"
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_adaptive::Model;
    use fuzzy_tools::run::root;

    use super::{Arguments, FILE, command, render};

    #[test]
    fn the_file_holds_what_the_command_writes() {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        assert_eq!(render(&Model::FITTED, text.split('`').nth(1).unwrap()), text);
    }

    #[test]
    fn the_command_names_files_without_folders() {
        let arguments = Arguments {
            cases: vec!["data/a.jsonl".into(), "b.jsonl.gz".into()],
            texts: vec!["/c.jsonl".into()],
            without: vec!["conflict".to_owned(), "again".to_owned()],
            write: false,
        };
        let expected = "cargo xtask fit a.jsonl b.jsonl.gz --without conflict,again --texts c.jsonl --write";
        assert_eq!(command(&arguments), expected);
    }
}
