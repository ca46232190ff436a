//! What the store needs of a database: statements, rows and transactions. Everything above is written once.

#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::vec::IntoIter;

use crate::{Error, Result};

/// A value that goes into a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Int(i64),
    /// A text that is not there; numbers always are.
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

/// Makes the values of a statement, `?1` first.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Value::from($value)),*] };
}
pub(crate) use values;

/// A value that comes out of a row.
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

/// Returns the error for what this program never writes.
pub(crate) fn odd() -> Error {
    Error::Database("it holds a value that was never written by this program".into())
}

/// Runs statements. Their parameters are `?1`, `?2` and so on.
pub(crate) trait Connection {
    /// Runs a statement and returns how many rows it changed.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64>;

    /// Runs a statement and returns its rows.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>>;

    /// Runs several statements.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// Locks the rows that a query selects until the transaction ends, unless it keeps everybody else out anyway.
    fn lock(&mut self, sql: &str, values: &[Value<'_>]) -> Result<()>;
}

/// What the statements of a run may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One statement that reads.
    Read,
    /// Several statements that read the same state.
    Snapshot,
    /// A transaction that writes: on what it has locked, it is as if it were alone.
    Write,
    /// A transaction that is alone among those of this mode, and changes the schema.
    Migrate,
}

/// Gives out connections to one database, to several threads at once.
pub(crate) trait Database: Send + Sync {
    /// The time by the database's clock, in milliseconds since 1970.
    const NOW: &str;

    /// Returns whether nothing can be written to it.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Runs `work`; what it writes happens as a whole when it returns `Ok`, and not at all otherwise. Nothing is ever
    /// tried twice: whether a commit that got no answer has happened is not known.
    fn run<T>(&self, mode: Mode, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T>;
}
