//! Opens a database by what the user calls it.

use std::path::Path;
use std::sync::Arc;

use crate::db::sqlite::Sqlite;
use crate::store::Store;
use crate::{CheckpointStore, Error, Result};

/// Opens what `target` names: `postgres://` or `postgresql://` begins the URL of a Postgres database (with the cargo feature
/// `postgres`), and everything else is the path of an `SQLite` file, which is made where it is missing.
///
/// A store on Postgres waits for the server: an asynchronous program calls it from threads that may block.
///
/// # Errors
///
/// [`Error::Newer`] when a newer program made the database, [`Error::Full`] when there is no space to make it, and
/// [`Error::Database`] when it cannot be opened or reached, or is another program's. No message holds the password of a URL.
pub fn open(target: &str) -> Result<Arc<dyn CheckpointStore>> {
    match target.split_once("://") {
        Some(("postgres" | "postgresql", _)) => server(target),
        Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Err(Error::Database(format!(
            "{scheme}:// is no database that is known: name a file, or a server by postgres://"
        ))),
        _ => open_file(Path::new(target)),
    }
}

/// Opens an `SQLite` file, or makes it.
///
/// # Errors
///
/// As [`open`].
pub fn open_file(path: &Path) -> Result<Arc<dyn CheckpointStore>> {
    Ok(Arc::new(Store::open(Sqlite::open(path)?)?))
}

/// Makes a store that vanishes with its owner.
///
/// # Errors
///
/// [`Error::Database`] when `SQLite` cannot start.
pub fn in_memory() -> Result<Arc<dyn CheckpointStore>> {
    Ok(Arc::new(Store::open(Sqlite::in_memory()?)?))
}

#[cfg(feature = "postgres")]
fn server(url: &str) -> Result<Arc<dyn CheckpointStore>> {
    Ok(Arc::new(Store::open(crate::db::postgres::Postgres::open(url)?)?))
}

#[cfg(not(feature = "postgres"))]
fn server(_: &str) -> Result<Arc<dyn CheckpointStore>> {
    Err(Error::Database("this program was built without Postgres: build it with the feature `postgres`".into()))
}
