//! Options that several of the verbs share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use fuzzy_checkpoint::Engine;
use fuzzy_checkpoint_service::{Checkpointer, ProcessBackend, Settings};
use fuzzy_edit::{State, Workspace};
use fuzzy_report::Code;

use super::refused::Refused;
use super::variables::{DATABASE, STORE, absolute, store};
use crate::config;

/// The time after which a restore whose process gives no sign of life may be taken over. It is short because the next
/// process waits for it.
pub(crate) const LEASE: Duration = Duration::from_secs(10);

/// Options of every verb.
#[derive(Args, Clone, Default)]
pub(crate) struct Shared {
    /// Print one report as JSON
    #[arg(short, long, global = true, display_order = 100)]
    pub(crate) json: bool,
    /// Store the checkpoints of this folder in the state directory; it needs no repository
    #[arg(long, global = true, display_order = 102)]
    pub(crate) sidecar: bool,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// The database of the records, and the directory of the checkpoints.
#[derive(Args, Default, Clone)]
pub(crate) struct Database {
    /// The database of sessions and checkpoints, instead of state.db in the state directory: a file, or postgres://…
    #[arg(long, global = true, display_order = 101, value_name = "DATABASE")]
    // The URL of a server may contain a password, which is safer in the environment than among the arguments.
    #[arg(env = DATABASE, hide_env_values = true)]
    database: Option<String>,
    /// The directory of the checkpoints, instead of the state directory
    #[arg(long, global = true, display_order = 102, value_name = "DIRECTORY", env = STORE, hide_env_values = true)]
    #[arg(value_parser = PathBufValueParser::new().try_map(std::path::absolute))]
    store: Option<PathBuf>,
}

impl Database {
    /// Returns the usual database with the directory of the checkpoints for processes without options.
    pub(crate) fn usual() -> Self {
        Self { database: None, ..Self::from_environment() }
    }

    /// Returns the directory of the checkpoints, if there can be one.
    pub(crate) fn stores(self) -> Option<PathBuf> {
        self.store.or_else(State::lasting)
    }

    /// Returns whether the database exists, as far as can be known without opening it.
    pub(crate) fn exists(&self, state: &Path) -> bool {
        match self.database.as_deref() {
            Some(name) => name.contains("://") || Path::new(name).exists(),
            None => state.join("state.db").exists(),
        }
    }

    /// Returns the database for processes without options. A file of settings that cannot be read is ignored: other
    /// commands report it.
    pub(crate) fn from_environment() -> Self {
        let named = Self::in_variables();
        named.clone().settled().unwrap_or(named)
    }

    /// Returns what the variables name. A relative path is in the current directory.
    fn in_variables() -> Self {
        let database = std::env::var(DATABASE).ok().filter(|name| !name.is_empty());
        let file = |name: String| absolute(name.into()).into_os_string().into_string().unwrap_or_default();
        Self { database: database.map(|name| if name.contains("://") { name } else { file(name) }), store: store() }
    }

    /// Names the same places to a process that runs in another directory.
    pub(crate) fn hand_on(command: &mut Command) {
        let Self { database, store } = Self::in_variables();
        command.envs(database.map(|name| (DATABASE, name))).envs(store.map(|dir| (STORE, dir)));
    }

    /// Returns whether the database is the usual one.
    pub(crate) const fn is_usual(&self) -> bool {
        self.database.is_none()
    }

    /// Fills in the settings of the user's file.
    pub(crate) fn settled(self) -> Result<Self, Refused> {
        let user = config::user().map_err(|failure| Refused::new(failure.code, failure.message, failure.next_step))?;
        let database = self.database.or_else(|| user.database.clone());
        Ok(Self { database, store: self.store.or_else(|| user.store.clone()) })
    }
}

impl Shared {
    /// Fills in the settings of the user's file.
    pub(crate) fn settled(&self) -> Result<Self, Refused> {
        Ok(Self { database: self.database.clone().settled()?, ..self.clone() })
    }

    /// Returns the state directory.
    pub(crate) fn state() -> Result<PathBuf, Refused> {
        State::lasting().ok_or_else(|| {
            Refused::new(Code::Io, "there is no directory for checkpoints", "Set HOME or XDG_STATE_HOME.")
        })
    }

    /// Returns the engine.
    pub(crate) fn engine(&self, state: &Path) -> Engine {
        Engine::new(self.database.store.as_deref().unwrap_or(state)).with_sidecar(self.sidecar)
    }

    /// Opens the service.
    pub(crate) fn service(&self, state: &Path, backend: ProcessBackend) -> Result<Checkpointer, Refused> {
        let settings = Settings {
            lease: LEASE,
            sidecar: self.sidecar,
            store: self.database.store.clone(),
            newest_batch: || Workspace::default().newest_batch(),
            ..Settings::default()
        };
        Ok(Checkpointer::open(state, self.database.database.as_deref(), Arc::new(backend), settings)?)
    }
}

/// The option that names a session.
#[derive(Args)]
pub(crate) struct Session {
    /// The session: its title or its name in lists, a host, `latest`, the number of a turn in it, or a prefix of its id
    #[arg(long = "session", value_name = "SESSION", default_value = fuzzy_checkpoint_service::MANUAL)]
    pub(crate) name: String,
}

/// How to stop the agent that runs the session's turns.
#[derive(Args)]
pub(crate) struct Agent {
    #[arg(long, alias = "stop", value_name = "COMMAND", value_parser = command)]
    #[arg(help = "A program with arguments that stops the running turn of the session in FUZZY_EDIT_SESSION")]
    stop_command: Option<CommandLine>,
    #[command(flatten)]
    reset: Reset,
}

/// How to reset it.
#[derive(Args)]
pub(crate) struct Reset {
    #[arg(long, alias = "reset", value_name = "COMMAND", value_parser = command)]
    #[arg(help = "A program with arguments that resets the agent; FUZZY_EDIT_GENERATION is the number of resets")]
    reset_command: Option<CommandLine>,
}

#[derive(Clone)]
struct CommandLine(Vec<OsString>);

impl Agent {
    pub(crate) fn backend(&self) -> ProcessBackend {
        ProcessBackend { stop: words(self.stop_command.as_ref()), ..self.reset.backend() }
    }
}

impl Reset {
    pub(crate) fn backend(&self) -> ProcessBackend {
        ProcessBackend { reset: words(self.reset_command.as_ref()), ..ProcessBackend::default() }
    }
}

fn words(command: Option<&CommandLine>) -> Vec<OsString> {
    command.map(|words| words.0.clone()).unwrap_or_default()
}

/// Splits a command at its blanks, respecting quotes. No shell runs it, so nothing is expanded.
fn command(text: &str) -> Result<CommandLine, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(CommandLine(words.into_iter().map(OsString::from).collect())),
        Some(_) => Err("the command is empty".to_owned()),
        None => Err("a quote is not closed".to_owned()),
    }
}
