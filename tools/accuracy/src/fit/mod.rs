//! Fits the accuracy of texts to labelled edits.

mod learn;
mod samples;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fuzzy_adaptive::Model;
use fuzzy_tools::run::root;
use rayon::prelude::*;

use crate::cases::{Case, Set};
use crate::engine::{ADAPTIVE, pipeline};
use samples::Sample;

/// The file of the fitted model.
const FILE: &str = "crates/engine/fuzzy-adaptive/src/model.rs";

/// Fit the accuracy of texts to labelled edits, and print the model.
///
/// Cases are those of `eval`; each is decided like the ladder adaptive does. A rejected edit counts by its probable
/// result. `eval` rates the model after it was written.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases to fit to (.jsonl or .jsonl.gz).
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The number of generated edits to fit to, too.
    #[arg(long, value_name = "N", default_value_t = 0)]
    generated: usize,
    /// Write the model to the crate fuzzy-adaptive, which uses it.
    #[arg(long)]
    write: bool,
}

/// Fits, prints, and writes the file on request.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { cases, generated, write } = arguments;
    let mut sets = cases.iter().map(|path| Set::load(path)).collect::<Result<Vec<_>>>()?;
    if *generated > 0 {
        sets.extend(Set::generated(*generated));
    }
    let text = render(&learn::texts(&read(&sets)?), &command(arguments));
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
fn command(Arguments { cases, generated, .. }: &Arguments) -> String {
    let names = cases.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
    let mut command = format!("cargo xtask fit {}", names.collect::<Vec<_>>().join(" "));
    if *generated > 0 {
        let _ = write!(command, " --generated {generated}");
    }
    command + " --write"
}

/// Formats the file of the model.
fn render(model: &Model, command: &str) -> String {
    let plain = model.plain;
    let repairs = model.repairs.iter().map(|of| format!("            accuracy({:?}, {:?}),\n", of.name, of.right));
    let repairs: String = repairs.collect();
    format!(
        "//! The fitted accuracies of texts.\n\
         //!\n\
         //! Made by `{command}`; do not edit.\n\
         \n\
         use std::borrow::Cow::Borrowed;\n\
         \n\
         use crate::score::{{Model, accuracy}};\n\
         \n\
         impl Model {{\n    \
             /// The model fitted to labelled edits.\n    \
             #[rustfmt::skip]\n    \
             pub const FITTED: Self = Self {{\n        \
                 plain: {plain:?},\n        \
                 repairs: Borrowed(&[\n{repairs}        ]),\n    \
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
        let cases = vec!["data/a.jsonl".into(), "b.jsonl.gz".into()];
        let mut arguments = Arguments { cases, generated: 0, write: false };
        assert_eq!(command(&arguments), "cargo xtask fit a.jsonl b.jsonl.gz --write");
        arguments.generated = 20;
        assert_eq!(command(&arguments), "cargo xtask fit a.jsonl b.jsonl.gz --generated 20 --write");
    }
}
