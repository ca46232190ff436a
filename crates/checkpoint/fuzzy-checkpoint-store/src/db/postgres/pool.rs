//! The connection pool of one server.

use std::error::Error as _;
use std::fmt::Write as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use postgres::config::Host;
use postgres::{Client, Config, NoTls};

use crate::{Error, Result};

/// The largest number of connections of a store: a server has about a hundred, and transactions are short.
const MAX_CONNECTIONS: usize = 8;
/// The longest wait for a connection while all are in use; each is used for one transaction, which takes milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// The time after which a connection that does not respond counts as broken.
const MAX_PING: Duration = Duration::from_secs(5);

/// Provides connections, and replaces broken ones.
pub(super) struct Pool {
    config: Config,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Client>,
    lent: usize,
}

/// A guard that counts one connection as in use.
struct Place<'a>(&'a Pool);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().lent -= 1;
        self.0.freed.notify_one();
    }
}

impl Pool {
    pub(super) fn new(config: Config) -> Self {
        Self { config, state: Mutex::default(), freed: Condvar::new() }
    }

    /// Runs `work` with a connection that has just responded.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Client) -> Result<T>) -> Result<T> {
        let (_place, idle) = self.place()?;
        let alive = idle.and_then(|mut client| client.is_valid(MAX_PING).is_ok().then_some(client));
        let mut client = alive.map_or_else(|| connect(&self.config), Ok)?;
        let done = work(&mut client);
        if !client.is_closed() {
            self.state().idle.push(client);
        }
        done
    }

    /// Waits until a connection is available, and returns an idle one if there is one.
    fn place(&self) -> Result<(Place<'_>, Option<Client>)> {
        let waited = self.freed.wait_timeout_while(self.state(), MAX_WAIT, |state| state.lent >= MAX_CONNECTIONS);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Err(Error::Database(format!("all {MAX_CONNECTIONS} connections are in use: try again")));
        }
        state.lent += 1;
        Ok((Place(self), state.idle.pop()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    /// Closes the connections in a separate thread: each contains a runtime, which must not end inside another one, and
    /// an asynchronous server may drop its store there.
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.state().idle);
        let _ = thread::spawn(move || drop(idle)).join();
    }
}

/// Connects to the server.
fn connect(config: &Config) -> Result<Client> {
    config.connect(NoTls).map_err(|error| {
        let hosts: Vec<_> = config.get_hosts().iter().map(name).collect();
        let (server, why) = (hosts.join(", "), reasons(&error));
        Error::Database(format!(
            "no connection to {} on {server} ({why}): check that the server is running, and that host, port, user and \
             password are correct",
            config.get_dbname().unwrap_or("the default database"),
        ))
    })
}

/// Formats a host for messages.
pub(super) fn name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        // The driver has this variant only on Unix.
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    }
}

/// Formats an error with its causes. None of them contains the password.
pub(super) fn reasons(error: &postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}
