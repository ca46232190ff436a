//! The schema, as the steps that led to it: numbered, each one transaction, never changed once released.

use crate::{Error, Result};

/// Makes the table of the migrations that a database has had.
pub(crate) const VERSIONS_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY)";

/// Every migration, in order; the first is version 1. In the part of SQL that both databases understand.
const MIGRATIONS: [&str; 6] = [
    include_str!("../migrations/0001-first.sql"),
    include_str!("../migrations/0002-turns.sql"),
    include_str!("../migrations/0003-changes.sql"),
    include_str!("../migrations/0004-index.sql"),
    include_str!("../migrations/0005-said.sql"),
    include_str!("../migrations/0006-kept.sql"),
];

/// Returns the migration after version `found` with its own version; `None` when the database is up to date.
///
/// # Errors
///
/// [`Error::Newer`] when a newer program made the database.
pub(crate) fn next(found: i64) -> Result<Option<(i64, &'static str)>> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let place = usize::try_from(found).ok().filter(|_| found <= known).ok_or(Error::Newer { found, known })?;
    Ok(MIGRATIONS.get(place).map(|sql| (found + 1, *sql)))
}
