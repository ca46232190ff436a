//! Writes events to standard error, for a person who looks for the reason of a decision.

use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The environment variable with the wanted events, such as `fuzzy_core=debug`: the one that programs in Rust share.
const VARIABLE: &str = "RUST_LOG";

/// Writes the events that the environment asks for; nothing without the variable. A value that cannot be read is reported
/// and ignored: it is no reason to refuse an edit.
pub(crate) fn write_wanted() {
    let Ok(wanted) = std::env::var(VARIABLE) else { return };
    match wanted.parse::<Targets>() {
        Ok(targets) => tracing_subscriber::registry()
            .with(fmt::layer().with_writer(io::stderr).with_ansi(false))
            .with(targets)
            .init(),
        Err(error) => eprintln!("fuzzy-edit: {VARIABLE} is ignored: {error}"),
    }
}
