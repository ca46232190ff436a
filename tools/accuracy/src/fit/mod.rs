//! Fits the score of places to labelled edits.

mod learn;
mod samples;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fuzzy_adaptive::{FeatureKind, Model};
use fuzzy_tools::run::root;
use rayon::prelude::*;

use crate::cases::{Case, Set};
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
    /// The number of generated edits to fit the accuracy of texts to, too.
    #[arg(long, value_name = "N", default_value_t = 0)]
    generated: usize,
    /// Fit the accuracy of texts alone, and keep the costs of places.
    #[arg(long)]
    only_texts: bool,
    /// Kinds of cases to exclude, because another part of the engine must reject them.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    without: Vec<String>,
    /// Write the model to the crate fuzzy-adaptive, which uses it.
    #[arg(long)]
    write: bool,
}

/// Fits, prints, and writes the file on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { cases, generated, only_texts, without, write } = arguments;
    let sets = cases.iter().map(|path| Set::load(path)).collect::<Result<Vec<_>>>()?;
    let mut samples = read(&sets)?;
    let mut places = samples.clone();
    places.retain(|sample| !without.contains(&sample.kind));
    let model = if *only_texts { Model::FITTED } else { learn::places(&places)? };
    if *generated > 0 {
        samples.extend(read(&Set::generated(*generated))?);
    }
    let text = render(&learn::with_texts(model, &samples), &command(arguments));
    println!("{text}");
    if *write {
        fs::write(root().join(FILE), text).with_context(|| format!("cannot write {FILE}"))?;
        eprintln!("{FILE} written");
    }
    Ok(())
}

/// Decides sets of cases.
fn read(sets: &[Set]) -> Result<Vec<Sample>> {
    let pipeline = pipeline(ADAPTIVE)?;
    let edits: Vec<&Case> = sets.iter().flat_map(|set| &set.edits).collect();
    Ok(edits.into_par_iter().filter_map(|case| Sample::of(&pipeline, case)).collect())
}

/// Returns the command that makes the same model, with the names of the files.
fn command(Arguments { cases, generated, only_texts, without, .. }: &Arguments) -> String {
    let names = cases.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
    let mut command = format!("cargo xtask fit {}", names.collect::<Vec<_>>().join(" "));
    if !without.is_empty() {
        let _ = write!(command, " --without {}", without.join(","));
    }
    if *generated > 0 {
        let _ = write!(command, " --generated {generated}");
    }
    command + if *only_texts { " --only-texts --write" } else { " --write" }
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
    let plain = model.plain;
    let repairs = model.repairs.iter().map(|of| format!("            accuracy({:?}, {:?}),\n", of.name, of.right));
    let repairs: String = repairs.collect();
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
                 plain: {plain:?},\n        \
                 repairs: Borrowed(&[\n{repairs}        ]),\n        \
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
        let mut arguments = Arguments {
            cases: vec!["data/a.jsonl".into(), "b.jsonl.gz".into()],
            generated: 0,
            only_texts: false,
            without: vec!["conflict".to_owned(), "again".to_owned()],
            write: false,
        };
        let expected = "cargo xtask fit a.jsonl b.jsonl.gz --without conflict,again --write";
        assert_eq!(command(&arguments), expected);
        (arguments.generated, arguments.only_texts, arguments.without) = (20, true, Vec::new());
        let expected = "cargo xtask fit a.jsonl b.jsonl.gz --generated 20 --only-texts --write";
        assert_eq!(command(&arguments), expected);
    }
}
