//! A separate schema for each test, on the Postgres server of the tests.

use std::env;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use ::postgres::{Client, NoTls};

/// The environment variable with the URL of a database in which tests may create schemas.
pub const VARIABLE: &str = "FUZZY_EDIT_TEST_POSTGRES";

/// A schema that is dropped with its owner.
pub struct Schema {
    server: String,
    name: String,
}

impl Schema {
    /// Creates a schema; returns `None`, with a note on standard error, if there is no server. Under `CI` a missing
    /// server is an error.
    ///
    /// # Panics
    ///
    /// Panics if the server cannot be used, and under `CI` without one.
    #[must_use]
    pub fn new() -> Option<Self> {
        let Ok(server) = env::var(VARIABLE) else {
            assert!(env::var_os("CI").is_none(), "{VARIABLE} is not set");
            eprintln!("left out: {VARIABLE} is not set");
            return None;
        };
        let schema = Self { server, name: name() };
        schema.admin().batch_execute(&format!("CREATE SCHEMA {}", schema.name)).expect("a schema");
        Some(schema)
    }

    /// Returns the URL of this schema for a store.
    #[must_use]
    pub fn url(&self) -> String {
        let joint = if self.server.contains('?') { '&' } else { '?' };
        format!("{}{joint}application_name={}&options=-csearch_path%3D{}", self.server, self.name, self.name)
    }

    /// Connects to the schema without a store.
    ///
    /// # Panics
    ///
    /// Panics if the server does not answer.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::connect(&self.url(), NoTls).expect("a connection")
    }

    /// Breaks all connections of stores to this schema.
    ///
    /// # Panics
    ///
    /// Panics if the server does not answer.
    pub fn cut(&self) {
        let sql = "SELECT pg_terminate_backend(l.pid) FROM pg_stat_activity l WHERE l.pid <> pg_backend_pid()
                   AND l.application_name = $1";
        self.admin().execute(sql, &[&self.name]).expect("answered");
    }

    fn admin(&self) -> Client {
        Client::connect(&self.server, NoTls).expect("a connection")
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let _ = self.admin().batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// Returns a name that no other schema has.
fn name() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("t{now:x}_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed))
}
