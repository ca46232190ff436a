//! `rule`: explains a rule that refuses edits, by a case that it refuses and a near miss that lands.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use fuzzy_adaptive::{cases, rules};
use fuzzy_edit::{Code, Failure, unified_diff};
use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
use serde::Deserialize;

use crate::output;

/// Explain a rule that refuses edits; without a name, list the rules
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The name of the rule, as a refusal prints it
    #[arg(value_parser = PossibleValuesParser::new(rules().map(|rule| rule.name)), hide_possible_values = true)]
    name: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit rule
  fuzzy-edit rule different-value";

/// The cases of a rule.
#[derive(Deserialize)]
struct Cases {
    /// The reason why no case is refused by the rule.
    unreachable: Option<String>,
    #[serde(default)]
    refused: Vec<Case>,
    lands: Vec<Case>,
}

/// An edit of a text.
#[derive(Deserialize)]
struct Case {
    name: String,
    file: String,
    needle: String,
    new: String,
    base: Option<String>,
    #[serde(default)]
    replace_all: bool,
}

/// Prints the rule, or the list.
pub(crate) fn run(Arguments { name }: &Arguments) -> ExitCode {
    let Some(name) = name else { return output::answer_bytes(list().as_bytes()) };
    match explained(name) {
        Ok(text) => output::answer_bytes(text.as_bytes()),
        Err(failure) => output::failure(false, &failure),
    }
}

fn list() -> String {
    let width = rules().map(|rule| rule.name.len()).max().unwrap_or(0);
    rules().fold(String::new(), |text, rule| text + &format!("{:<width$}  {}\n", rule.name, rule.why))
}

fn explained(name: &str) -> Result<String, Box<Failure>> {
    let rule = rules().find(|rule| rule.name == name);
    let why = rule.map_or("", |rule| rule.why);
    let broken = |error: toml::de::Error| Box::new(Failure::of(Code::Internal, error.to_string(), "Report this."));
    let Cases { unreachable, refused, lands } = toml::from_str(cases(name).unwrap_or_default()).map_err(broken)?;
    let mut text = format!("{name} refuses an edit because {why}.\n");
    if let Some(why) = unreachable {
        let _ = writeln!(text, "There is no small case: {why}.");
    }
    for (title, case) in [("Refused", refused.first()), ("Lands", lands.first())] {
        let Some(case) = case else { continue };
        let _ = write!(text, "\n{title}: {}\n\n{}", case.name, case.described());
    }
    Ok(text)
}

impl Case {
    /// Prints the edit, and the answer of the engine.
    fn described(&self) -> String {
        let (pipeline, document) = (Pipeline::new(ladder::adaptive()), Document::new(&*self.file));
        let edit = Edit::new(&self.needle, &self.new).with_replace_all(self.replace_all);
        let attempt = edit.with_base(self.base.as_deref()).attempt(&pipeline, &document);
        let judgement = attempt.decide();
        let mut text = indented("file", self.file.trim_end_matches('\n'));
        if let Some(base) = &self.base {
            text += &indented("the file as the author of the edit saw it", base.trim_end_matches('\n'));
        }
        text += &indented("edit", &hunks(&self.needle, &self.new));
        match judgement.apply() {
            Ok(applied) => text + &indented("the file changes", &hunks(&self.file, &applied.output)),
            Err(failure) => {
                let failure = Failure::of_search(&judgement, &failure);
                text + &format!("  {failure}\n")
            }
        }
    }
}

/// Returns the changes between two texts, without file names and line numbers.
fn hunks(old: &str, new: &str) -> String {
    let diff = unified_diff("", old, new);
    let lines = diff.lines().skip(2).filter(|line| !line.starts_with(['@', '\\']));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns lines indented below a title.
fn indented(title: &str, lines: &str) -> String {
    lines.lines().fold(format!("  {title}:\n"), |text, line| text + &format!("    {line}\n"))
}
