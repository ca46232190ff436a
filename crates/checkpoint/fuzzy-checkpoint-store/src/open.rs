//! Opens a database by its path or URL.

use std::path::Path;
use std::sync::Arc;

use crate::db::sqlite::Sqlite;
use crate::store::Store;
use crate::{CheckpointStore, Error, Result};

/// Opens the database `target`: the URL of a Postgres database, which begins with `postgres://` or `postgresql://`
/// (cargo feature `postgres`), or the path of an `SQLite` file, which is created if it is missing.
///
/// A store on Postgres blocks while it waits for the server, so asynchronous programs must call it from blocking
/// threads.
///
/// # Errors
///
/// Returns [`Error::OtherVersion`] if another version of this program created the database, [`Error::Full`] if there is no space to create it,
/// [`Error::Unusable`] if it is damaged or another program's, and [`Error::Database`] if it cannot be opened or
/// reached. No message contains the password of a URL.
pub fn open(target: &str) -> Result<Arc<dyn CheckpointStore>> {
    match target.split_once("://") {
        Some(("postgres" | "postgresql", _)) => server(target),
        Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Err(Error::Database(format!(
            "{scheme}:// is not a supported database: use a file, or a server with postgres://"
        ))),
        _ => open_file(Path::new(target)),
    }
}

/// Opens an `SQLite` file, or creates it.
///
/// # Errors
///
/// As [`open`].
pub fn open_file(path: &Path) -> Result<Arc<dyn CheckpointStore>> {
    Ok(Arc::new(Store::open(Sqlite::open(path)?)?))
}

/// Creates a store in memory, which exists as long as its owner.
///
/// # Errors
///
/// Returns [`Error::Database`] if `SQLite` cannot start.
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
