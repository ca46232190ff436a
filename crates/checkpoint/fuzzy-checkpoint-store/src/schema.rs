//! The tables of a database, and their version.

use crate::db::{Connection, Row, values};
use crate::{Error, Result};

/// The tables.
const TABLES: &str = include_str!("schema.sql");

/// Their version. A database with another one is refused: versions 1 to 13 were those of unreleased programs.
const VERSION: i64 = 14;

/// Returns the version of a database that has the table of versions.
pub(crate) fn version(c: &mut dyn Connection) -> Result<Option<i64>> {
    let mut rows = c.query("SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1", &[])?;
    rows.first_mut().map(Row::int).transpose()
}

/// Refuses another version than this program's.
pub(crate) fn check(found: i64) -> Result<()> {
    if found == VERSION { Ok(()) } else { Err(Error::OtherVersion { found, known: VERSION }) }
}

/// Creates the tables, unless another process just did.
pub(crate) fn create(c: &mut dyn Connection) -> Result<()> {
    c.batch("CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY)")?;
    if let Some(found) = version(c)? {
        return check(found);
    }
    c.batch(TABLES)?;
    c.execute("INSERT INTO schema_migrations (version) VALUES (?1)", values![VERSION]).map(drop)
}
