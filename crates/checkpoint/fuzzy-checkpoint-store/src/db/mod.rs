//! The interface of a database: statements, rows and transactions. All code above it is shared.

#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::vec::IntoIter;

use crate::{Error, Result};

/// A parameter of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Int(i64),
    /// A missing text; numbers are never missing.
    Null,
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

/// Creates the parameters of a statement, `?1` first.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Value::from($value)),*] };
}
pub(crate) use values;

/// A value of a row.
#[derive(Debug)]
pub(crate) enum Cell {
    Text(String),
    Int(i64),
    Null,
}

/// A row, read from its first column to its last.
#[derive(Debug)]
pub(crate) struct Row(IntoIter<Cell>);

impl Row {
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        Self(cells.into_iter())
    }

    /// Returns the next column, which has a text.
    pub(crate) fn text(&mut self) -> Result<String> {
        self.optional()?.ok_or_else(odd)
    }

    /// Returns the next column, which may have a text.
    pub(crate) fn optional(&mut self) -> Result<Option<String>> {
        match self.0.next() {
            Some(Cell::Text(text)) => Ok(Some(text)),
            Some(Cell::Null) => Ok(None),
            _ => Err(odd()),
        }
    }

    /// Returns the next column, which has a number.
    pub(crate) fn int(&mut self) -> Result<i64> {
        match self.0.next() {
            Some(Cell::Int(number)) => Ok(number),
            _ => Err(odd()),
        }
    }
}

/// Returns the error for a value that this program never writes.
pub(crate) fn odd() -> Error {
    Error::Database("it contains a value that this program never writes".into())
}

/// A connection, which runs statements with the parameters `?1`, `?2` and so on.
pub(crate) trait Connection {
    /// Runs a statement and returns the number of changed rows.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64>;

    /// Runs a statement and returns its rows.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>>;

    /// Runs several statements.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// Locks the selected rows until the transaction ends, unless the transaction is exclusive anyway.
    fn lock(&mut self, sql: &str, values: &[Value<'_>]) -> Result<()>;
}

/// The isolation of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A single reading statement.
    Read,
    /// Several reading statements that see the same state.
    Snapshot,
    /// A writing transaction, which is isolated on the rows that it has locked.
    Write,
    /// A transaction that creates the tables, exclusive among those of this mode.
    Create,
}

/// A database, which several threads can use at once.
pub(crate) trait Database: Send + Sync {
    /// The SQL expression of the database's time, in milliseconds since 1970.
    const NOW: &str;

    /// Returns whether the database is read-only.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Removes the bytes of deleted rows from the files of the database, if they belong to this program.
    fn purge(&self) -> Result<()> {
        Ok(())
    }

    /// Runs `work` in a transaction, which is committed if it returns `Ok`. Nothing is ever retried, because it is
    /// unknown whether a commit without a response took effect.
    fn run<T>(&self, mode: Mode, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T>;
}
