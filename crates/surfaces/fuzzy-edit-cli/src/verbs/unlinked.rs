//! Verbs that this build lacks: each accepts any arguments and names the cargo feature that it needs.

use fuzzy_edit::Failure;

/// Defines the module of a verb that is not linked: its name, its feature, and its line in the help.
macro_rules! verb {
    ($name:ident, $feature:literal, $about:literal) => {
        pub(crate) mod $name {
            #[derive(clap::Args)]
            #[command(about = concat!($about, " (not in this build: feature `", $feature, "`)"))]
            #[command(after_help = $crate::verbs::unlinked::AFTER_HELP)]
            pub(crate) struct Arguments {
                #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
                all: Vec<std::ffi::OsString>,
            }

            /// Fails with the name of the feature.
            pub(crate) fn run(arguments: &Arguments) -> std::process::ExitCode {
                let json = arguments.all.iter().any(|argument| argument == "--json");
                let what = concat!("`", stringify!($name), "`");
                $crate::output::failure(json, &$crate::verbs::unlinked::failure(what, $feature))
            }
        }
    };
}

pub(crate) use verb;

pub(crate) const AFTER_HELP: &str = "\
In the sources, this installs all verbs except playground:
  cargo install --locked --path crates/surfaces/fuzzy-edit-cli --features full
and this builds and serves the page of playground:
  cargo xtask playground --serve 127.0.0.1:7347";

/// The feature that `full` does not have: its page is built with WebAssembly first.
const PLAYGROUND: &str = "playground";

/// Returns the failure of a verb or an option that is not linked.
pub(crate) fn failure(what: &str, feature: &str) -> Failure {
    let next_step = if feature == PLAYGROUND {
        "Build and serve the page from the sources: cargo xtask playground --serve 127.0.0.1:7347"
    } else {
        "Install it from the sources: cargo install --locked --path crates/surfaces/fuzzy-edit-cli --features full"
    };
    Failure::bad_input(format!("{what} is not in this build; it needs the cargo feature `{feature}`"), next_step)
}
