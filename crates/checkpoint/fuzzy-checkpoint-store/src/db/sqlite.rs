//! `SQLite`: one file, which several processes may share.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_system::{self as sys, Identity};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql, Transaction, TransactionBehavior, params_from_iter};

use super::{Cell, Connection, Database, Mode, Row, Value, odd};
use crate::{Error, Result};

/// The longest wait for another process's transaction. Transactions take milliseconds, so a longer one belongs to a
/// process that hangs.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(10);

/// A database in one file, or in memory.
#[derive(Debug)]
pub(crate) struct Sqlite {
    writer: Mutex<rusqlite::Connection>,
    /// Reads while a writer waits for the disk; a database in memory has only one connection.
    reader: Option<Mutex<rusqlite::Connection>>,
    /// The path and identity of the opened file.
    file: Option<(PathBuf, Identity)>,
    /// Whether the file or its directory is read-only.
    read_only: bool,
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DatabaseCorrupt) => Self::Unusable("it is damaged"),
            Some(ErrorCode::ReadOnly) => Self::Database("it is read-only".to_owned()),
            Some(ErrorCode::NotADatabase) => Self::Unusable("it is not a database, or it is damaged"),
            // The library's message may contain the whole statement.
            _ => Self::Database(error.to_string().lines().next().unwrap_or_default().to_owned()),
        }
    }
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        // Only the owner may read the sessions. The files beside the database get the same permissions.
        let _ = sys::private_file().write(true).create_new(true).open(path);
        let read_only = is_read_only(path);
        Self::open_as(path, read_only).map_err(|error| if is_full(path) { Error::Full } else { error })
    }

    fn open_as(path: &Path, read_only: bool) -> Result<Self> {
        let open = || if read_only { open_to_read(path) } else { rusqlite::Connection::open(path) };
        let writer = open()?;
        refuse_foreign(&writer)?;
        let (writer, reader) = if read_only { (writer, open()?) } else { (prepared(writer)?, prepared(open()?)?) };
        let file = Some((path.to_owned(), sys::identity(path).map_err(|_| vanished(path))?));
        Ok(Self { writer: Mutex::new(writer), reader: Some(Mutex::new(reader)), file, read_only })
    }

    pub(crate) fn in_memory() -> Result<Self> {
        let writer = Mutex::new(prepared(rusqlite::Connection::open_in_memory()?)?);
        Ok(Self { writer, reader: None, file: None, read_only: false })
    }

    fn transact<T>(
        &self,
        connection: &mut rusqlite::Connection,
        behavior: TransactionBehavior,
        work: impl FnOnce(&mut dyn Connection) -> Result<T>,
    ) -> Result<T> {
        let mut transaction = connection.transaction_with_behavior(behavior)?;
        let done = work(&mut transaction)?;
        self.is_there()?;
        transaction.commit()?;
        Ok(done)
    }

    /// Replaces an error of the library by `Full` if the disk is full.
    fn unless_full(&self, error: Error) -> Error {
        match (&error, &self.file) {
            (Error::Database(_), Some((path, _))) if !self.read_only && is_full(path) => Error::Full,
            _ => error,
        }
    }

    /// Checks that the file is still the opened one: writes to a removed file would be lost with the process,
    /// unnoticed. A file in its place is not opened, because the log beside it belongs to the removed file and would be
    /// written into the new one.
    fn is_there(&self) -> Result<()> {
        match &self.file {
            Some((path, known)) if sys::identity(path).ok() != Some(*known) => Err(vanished(path)),
            _ => Ok(()),
        }
    }
}

/// The size of a page, in bytes.
const PAGE: usize = 4096;

/// Returns whether no file can be written beside a database, because the disk has no space or no inodes, or the user's
/// quota is exceeded: the library reports only that it cannot open or write a file.
fn is_full(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push(format!("-probe-{}", std::process::id()));
    let probe = sys::private_file().write(true).create_new(true).open(&name);
    let probe = probe.and_then(|mut file| file.write_all(&[1; PAGE]));
    let _ = fs::remove_file(&name);
    probe.is_err_and(|error| sys::is_disk_full(&error))
}

/// Returns whether a database exists that is read-only, or whose directory is.
fn is_read_only(path: &Path) -> bool {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.is_file() && (OpenOptions::new().append(true).open(path).is_err() || sys::check_writable(dir).is_err())
}

/// Opens a read-only database.
fn open_to_read(path: &Path) -> rusqlite::Result<rusqlite::Connection> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    // Without a log file there is no writer, and readers need no lock files.
    let alone = fs::metadata(log).map_or(true, |log| log.len() == 0);
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => uri.push(char::from(*byte)),
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri.push_str(if alone { "?immutable=1" } else { "?mode=ro" });
    rusqlite::Connection::open_with_flags(uri, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
}

/// Refuses another program's database before anything is written to it.
fn refuse_foreign(connection: &rusqlite::Connection) -> Result<()> {
    connection.busy_timeout(MAX_LOCK_WAIT)?;
    let mut statement = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
    let tables = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let has = |name: &str| tables.iter().any(|table| table == name);
    let is_ours = tables.is_empty() || has("schema_migrations") && has("checkpoints");
    if is_ours { Ok(()) } else { Err(Error::Unusable("it belongs to another program")) }
}

fn vanished(path: &Path) -> Error {
    Error::Database(format!(
        "{} was removed or replaced since it was opened; put it back, or restart the program",
        path.display()
    ))
}

/// Configures a connection: it waits for locks, writes ahead and durably, and checks references.
fn prepared(connection: rusqlite::Connection) -> Result<rusqlite::Connection> {
    connection.busy_timeout(MAX_LOCK_WAIT)?;
    // SQLite itself waits for every lock except this one, which fails at once if two processes create the same file.
    let deadline = Instant::now() + MAX_LOCK_WAIT;
    while let Err(error) = connection.pragma_update(None, "journal_mode", "WAL") {
        if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) || Instant::now() > deadline {
            return Err(error.into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    // A committed restore must survive a power failure; otherwise files and transcript would disagree.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // Deleted texts must not remain in the file.
    connection.pragma_update(None, "secure_delete", "ON")?;
    Ok(connection)
}

impl Database for Sqlite {
    const NOW: &str = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

    fn is_read_only(&self) -> bool {
        self.read_only
    }

    fn purge(&self) -> Result<()> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_there()?;
        // Rows that were moved to another page remain in the old one: only a new file has none of them. Then the log has
        // the new pages, and the file and the log have the old ones until the log is merged and emptied.
        let vacuumed = writer.execute_batch("VACUUM");
        let merged = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        let is_busy = vacuumed.and(merged).map_err(|error| self.unless_full(error.into()))?;
        if is_busy { Err(Error::Busy) } else { Ok(()) }
    }

    fn run<T>(&self, mode: Mode, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T> {
        let (connection, behavior) = match mode {
            Mode::Read | Mode::Snapshot => {
                (self.reader.as_ref().unwrap_or(&self.writer), TransactionBehavior::Deferred)
            }
            // Takes the write lock at once, so that the rows read before the first write do not change.
            Mode::Write | Mode::Create => (&self.writer, TransactionBehavior::Immediate),
        };
        // After a panic no partial transaction remains: it is rolled back when dropped.
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_there()?;
        self.transact(&mut connection, behavior, work).map_err(|error| self.unless_full(error))
    }
}

impl Connection for Transaction<'_> {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.prepare_cached(sql)?.execute(params_from_iter(values))? as u64)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let mut statement = self.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let cells = (0..columns).map(|column| cell(row.get_ref(column)?));
            all.push(Row::new(cells.collect::<Result<_>>()?));
        }
        Ok(all)
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        Ok(self.execute_batch(sql)?)
    }

    fn lock(&mut self, _: &str, _: &[Value<'_>]) -> Result<()> {
        Ok(())
    }
}

/// Reads a value that this program may have written.
fn cell(value: ValueRef<'_>) -> Result<Cell> {
    match value {
        ValueRef::Null => Ok(Cell::Null),
        ValueRef::Integer(number) => Ok(Cell::Int(number)),
        ValueRef::Text(text) => Ok(Cell::Text(std::str::from_utf8(text).map_err(|_| odd())?.to_owned())),
        ValueRef::Real(_) | ValueRef::Blob(_) => Err(odd()),
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Null => ValueRef::Null,
        }))
    }
}
