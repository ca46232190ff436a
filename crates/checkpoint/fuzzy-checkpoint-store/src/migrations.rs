//! The schema as numbered migrations. Each is one transaction, and never changes after its release.

use crate::{Error, Result};

/// Creates the table of the migrations that a database has had.
pub(crate) const VERSIONS_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY)";

/// All migrations, in order; the first is version 1. They use only SQL that both databases understand.
const MIGRATIONS: [&str; 11] = [
    include_str!("../migrations/0001-first.sql"),
    include_str!("../migrations/0002-turns.sql"),
    include_str!("../migrations/0003-changes.sql"),
    include_str!("../migrations/0004-index.sql"),
    include_str!("../migrations/0005-said.sql"),
    include_str!("../migrations/0006-kept.sql"),
    include_str!("../migrations/0007-store.sql"),
    include_str!("../migrations/0008-order.sql"),
    include_str!("../migrations/0009-files.sql"),
    include_str!("../migrations/0010-late.sql"),
    include_str!("../migrations/0011-spans.sql"),
];

/// Returns the migration after version `found` and its version; `None` if the database is up to date.
///
/// # Errors
///
/// Returns [`Error::Newer`] if a newer program created the database.
pub(crate) fn next(found: i64) -> Result<Option<(i64, &'static str)>> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let place = usize::try_from(found).ok().filter(|_| found <= known).ok_or(Error::Newer { found, known })?;
    Ok(MIGRATIONS.get(place).map(|sql| (found + 1, *sql)))
}
