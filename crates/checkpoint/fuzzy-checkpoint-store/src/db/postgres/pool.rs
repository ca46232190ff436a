//! The connections to one server: makes and lends them.

use std::error::Error as _;
use std::fmt::Write as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use postgres::config::Host;
use postgres::{Client, Config, NoTls};

use crate::{Error, Result};

/// Connections that one store opens at the most: a server has about a hundred, and transactions are short.
const MAX_CONNECTIONS: usize = 8;
/// How long to wait for a connection while all are lent; each is lent for a transaction, which takes milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// How long a connection may take to answer before it counts as broken.
const MAX_PING: Duration = Duration::from_secs(5);

/// Lends connections, and makes new ones for those that broke.
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

/// Counts as one connection lent for as long as it lives.
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

    /// Lends a connection that has just answered.
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

    /// Waits until a connection may be lent, and returns one that is idle if there is one.
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
    /// Ends the connections in a thread of its own: each has a runtime inside, which must not end within another one, and
    /// an asynchronous server may well drop its store there.
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.state().idle);
        let _ = thread::spawn(move || drop(idle)).join();
    }
}

/// Makes a connection.
fn connect(config: &Config) -> Result<Client> {
    config.connect(NoTls).map_err(|error| {
        let hosts: Vec<_> = config.get_hosts().iter().map(name).collect();
        let (server, why) = (hosts.join(", "), reasons(&error));
        Error::Database(format!(
            "no connection to {} on {server} ({why}): see that the server runs, and that host, port, user and password \
             are right",
            config.get_dbname().unwrap_or("the default database"),
        ))
    })
}

/// Returns a host as messages show it.
pub(super) fn name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        // The driver knows it there alone.
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    }
}

/// Returns an error with its causes. None of them holds the password.
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
