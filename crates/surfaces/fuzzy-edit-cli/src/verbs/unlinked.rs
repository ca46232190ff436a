//! Verbs that this build lacks: each accepts any arguments and names the cargo feature that it needs.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::Failure;

use crate::output;

/// The arguments of a verb that is not linked.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    all: Vec<OsString>,
}

const AFTER_HELP: &str = "\
In the sources, this installs all verbs except playground:
  cargo install --locked --path crates/surfaces/fuzzy-edit-cli --features full
and this builds and serves the page of playground:
  cargo xtask playground --serve 127.0.0.1:7347";

/// The feature that `full` does not have: its page is built with WebAssembly first.
const PLAYGROUND: &str = "playground";

/// Fails with the name of the feature that contains the verb.
pub(crate) fn run(verb: &str, feature: &str, arguments: &Arguments) -> ExitCode {
    let json = arguments.all.iter().any(|argument| argument == "--json");
    output::failure(json, &failure(&format!("`{verb}`"), feature))
}

/// Returns the failure of a verb or an option that is not linked.
pub(crate) fn failure(what: &str, feature: &str) -> Failure {
    let next_step = if feature == PLAYGROUND {
        "Build and serve the page from the sources: cargo xtask playground --serve 127.0.0.1:7347"
    } else {
        "Install it from the sources: cargo install --locked --path crates/surfaces/fuzzy-edit-cli --features full"
    };
    Failure::bad_input(format!("{what} is not in this build; it needs the cargo feature `{feature}`"), next_step)
}
