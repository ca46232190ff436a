//! The command `fuzzy-edit`: finds the text that an edit refers to, even if it was copied inexactly, and replaces it.
//!
//! Results are written to standard output, errors to standard error. The exit code is 0 if the edit was applied, 1 if
//! it was refused and 2 if it could not run.

mod cells;
mod colour;
mod config;
mod events;
mod input;
mod link;
mod named_lines;
mod options;
mod output;
mod output_file;
mod transfers;
mod verbs;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};

use crate::colour::Colour;

/// Find the text that an edit refers to, even if it was copied inexactly, and replace it
#[derive(Parser)]
#[command(name = "fuzzy-edit", version, long_version = long_version(), after_help = AFTER_HELP)]
struct CommandLine {
    /// Colour diffs: auto on a terminal unless `NO_COLOR` is set, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    color: Colour,
    /// Print no text about success; reports, diffs and answers to questions are printed
    #[arg(short, long, global = true, display_order = 900)]
    quiet: bool,
    /// Print each decision on standard error: ladder, strategy, rule and score
    #[arg(short, long, global = true, display_order = 900)]
    verbose: bool,
    #[command(subcommand)]
    verb: Verb,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  the edit was applied, or the answer printed
  1  the edit was refused: not found, ambiguous, identical, an empty old text, ...
  2  the command could not run: bad input, a missing or binary file, no permission, ...

Each command has examples: fuzzy-edit apply --help";

/// Returns the version with what tells two builds apart: the system, the features, and the commit of a release.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(describe_build);
    &TEXT
}

fn describe_build() -> String {
    let features = [
        ("edit", cfg!(feature = "edit")),
        ("checkpoint", cfg!(feature = "checkpoint")),
        ("mcp", cfg!(feature = "mcp")),
        ("serve", cfg!(feature = "serve")),
        ("parquet", cfg!(feature = "parquet")),
        ("postgres", cfg!(feature = "postgres")),
        ("playground", cfg!(feature = "playground")),
    ];
    let features: Vec<&str> = features.into_iter().filter_map(|(name, is_linked)| is_linked.then_some(name)).collect();
    let commit = option_env!("FUZZY_EDIT_COMMIT").unwrap_or("unknown: a build from source");
    let (arch, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}\ncommit: {commit}\nsystem: {arch}-{system}\nfeatures: {}", features.join(", "))
}

/// The verbs. Each is a module with its arguments, its help and its code.
#[derive(Subcommand)]
enum Verb {
    Apply(Box<verbs::apply::Arguments>),
    Patch(verbs::patch::Arguments),
    Locate(verbs::locate::Arguments),
    Explain(verbs::explain::Arguments),
    Undo(verbs::undo::Arguments),
    Redo(verbs::redo::Arguments),
    Batch(verbs::batch::Arguments),
    Replay(verbs::replay::Arguments),
    Init(verbs::init::Arguments),
    Hook(verbs::hook::Arguments),
    Turns(verbs::turns::Arguments),
    Run(verbs::run::Arguments),
    Config(verbs::config::Arguments),
    Ladders(verbs::ladders::Arguments),
    Rule(verbs::rule::Arguments),
    Schema(verbs::schema::Arguments),
    Completions(verbs::completions::Arguments),
    #[cfg(feature = "checkpoint")]
    #[command(hide = true)]
    Complete(verbs::complete::Arguments),
    Man(verbs::man::Arguments),
    Checkpoint(verbs::checkpoint::Arguments),
    Mcp(verbs::mcp::Arguments),
    Serve(verbs::serve::Arguments),
    Playground(verbs::playground::Arguments),
}

fn main() -> ExitCode {
    // A batch holds a lock and an open directory for each of its files.
    fuzzy_edit::allow_many_files();
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return verbs::hook::harmless(output::usage(&error)),
    };
    events::write_wanted(command_line.verbose);
    colour::choose(command_line.color);
    if command_line.quiet {
        output::be_quiet();
    }
    match command_line.verb {
        Verb::Apply(arguments) => verbs::apply::run(&arguments),
        Verb::Patch(arguments) => verbs::patch::run(&arguments),
        Verb::Locate(arguments) => verbs::locate::run(&arguments),
        Verb::Explain(arguments) => verbs::explain::run(&arguments),
        Verb::Undo(arguments) => verbs::undo::run(&arguments),
        Verb::Redo(arguments) => verbs::redo::run(&arguments),
        Verb::Batch(arguments) => verbs::batch::run(&arguments),
        Verb::Replay(arguments) => verbs::replay::run(&arguments),
        Verb::Init(arguments) => verbs::init::run(&arguments),
        Verb::Hook(arguments) => verbs::hook::run(&arguments),
        Verb::Turns(arguments) => verbs::turns::run(&arguments),
        Verb::Run(arguments) => verbs::run::run(&arguments),
        Verb::Config(arguments) => verbs::config::run(&arguments),
        Verb::Ladders(arguments) => verbs::ladders::run(&arguments),
        Verb::Rule(arguments) => verbs::rule::run(&arguments),
        Verb::Schema(arguments) => verbs::schema::run(&arguments),
        #[cfg(feature = "checkpoint")]
        Verb::Complete(arguments) => verbs::complete::run(&arguments),
        Verb::Completions(arguments) => verbs::completions::run(&arguments, CommandLine::command()),
        Verb::Man(arguments) => verbs::man::run(&arguments, CommandLine::command()),
        Verb::Checkpoint(arguments) => verbs::checkpoint::run(&arguments),
        Verb::Mcp(arguments) => verbs::mcp::run(&arguments),
        Verb::Serve(arguments) => verbs::serve::run(&arguments),
        Verb::Playground(arguments) => verbs::playground::run(&arguments),
    }
}
