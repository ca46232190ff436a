//! Verbs that this build leaves out: each takes any arguments and says which cargo feature has it.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::Failure;

use crate::output;

/// Whatever the verb would have been given.
#[derive(Args)]
#[command(after_help = NEXT_STEP)]
pub(crate) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    all: Vec<OsString>,
}

const NEXT_STEP: &str = "Install every verb from the sources: cargo install --locked --path crates/surfaces/fuzzy-edit-cli --features full; the page of \
     `playground` is built and served by: cargo xtask playground --serve 127.0.0.1:7347";

/// Fails, and says which feature has the verb.
pub(crate) fn run(verb: &str, feature: &str, arguments: &Arguments) -> ExitCode {
    let json = arguments.all.iter().any(|argument| argument == "--json");
    output::failure(json, &failure(&format!("`{verb}`"), feature))
}

/// Returns the failure of something that a feature would have linked.
pub(crate) fn failure(what: &str, feature: &str) -> Failure {
    Failure::bad_input(format!("{what} is not in this build, it is in the cargo feature `{feature}`"), NEXT_STEP)
}
