//! The databases that every test is run on.

use std::sync::Arc;

use fuzzy_checkpoint_store::CheckpointStore;
use fuzzy_testkit::postgres::Schema;

use crate::place::Place;

/// Makes a test for each database from functions that take one.
macro_rules! on_each_database {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name($crate::service::database::Database::Sqlite); })*
        }

        mod postgres {
            $(#[test] fn $name() {
                // Reports that there is no server.
                if fuzzy_testkit::postgres::Schema::new().is_some() {
                    super::$name($crate::service::database::Database::Postgres);
                }
            })*
        }
    };
}
pub(crate) use on_each_database;

/// The kinds of databases for sessions.
#[derive(Clone, Copy)]
pub(crate) enum Database {
    /// A file.
    Sqlite,
    /// A schema of the server for tests.
    Postgres,
}

/// A database that is deleted with its owner.
pub(crate) struct Fresh {
    /// The argument of `--database`.
    pub(crate) target: String,
    _schema: Option<Schema>,
}

impl Database {
    pub(crate) fn fresh(self, place: &Place) -> Fresh {
        match self {
            Self::Sqlite => Fresh { target: place.dir.join("state.db").display().to_string(), _schema: None },
            Self::Postgres => {
                let schema = Schema::new().expect("a server");
                Fresh { target: schema.url(), _schema: Some(schema) }
            }
        }
    }
}

impl Fresh {
    /// Opens it, for data that servers do not return.
    pub(crate) fn store(&self) -> Arc<dyn CheckpointStore> {
        fuzzy_checkpoint_store::open(&self.target).expect("opened")
    }
}
