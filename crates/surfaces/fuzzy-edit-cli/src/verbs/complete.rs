//! `complete`: prints the names that a shell completes: sessions and turns of the current worktree. Scripts of
//! `completions` run it at the key Tab, so it must be quick, and never prints an error.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use fuzzy_edit::State;

use super::checkpoint::options::Database;
use super::checkpoint::place::{Place, current};
use crate::output;

/// Print names for a shell to complete
#[derive(Args)]
pub(crate) struct Arguments {
    /// The names
    #[arg(value_enum)]
    names: Names,
}

#[derive(Clone, Copy, ValueEnum)]
enum Names {
    Sessions,
    Turns,
}

/// Prints the names, a line each; nothing outside a worktree with checkpoints.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let names = arguments.names().unwrap_or_default();
    output::answer_bytes(names.into_iter().flat_map(|name| [name, "\n".to_owned()]).collect::<String>().as_bytes());
    ExitCode::SUCCESS
}

impl Arguments {
    fn names(&self) -> Option<Vec<String>> {
        let database = Database::from_environment();
        // Opening the service would create the usual database.
        if database.is_usual() && !State::lasting()?.join("state.db").exists() {
            return None;
        }
        let place = Place::of_turns(&current().ok()?, &database).ok()?;
        let (store, worktree) = (place.service.store(), place.worktree.id());
        match self.names {
            Names::Turns => {
                let turns = store.turns_of(worktree).ok()?;
                Some(turns.iter().rev().filter(|turn| !turn.is_deleted()).map(|turn| turn.number.to_string()).collect())
            }
            Names::Sessions => {
                let sessions = store.sessions(worktree).ok()?;
                // A title with other characters would need quotes.
                let is_plain = |title: &str| title.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c));
                let own = sessions.iter().map(|session| {
                    if is_plain(&session.title) { session.title.clone() } else { session.id.as_str().to_owned() }
                });
                let names: BTreeSet<String> =
                    own.chain(sessions.iter().filter_map(|session| session.host.clone())).collect();
                let latest = (!names.is_empty()).then(|| "latest".to_owned());
                Some(names.into_iter().chain(latest).collect())
            }
        }
    }
}
