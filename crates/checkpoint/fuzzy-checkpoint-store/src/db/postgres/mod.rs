//! Postgres: a server that several services may share.

mod pool;
mod text;

use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type};
use postgres::{Config, GenericClient, IsolationLevel};

use super::{Cell, Connection, Database, Mode, Row, Value, odd};
use crate::{Error, Result};
use pool::{Pool, name, reasons};

/// The longest time to connect, unless the URL has a limit; reachable servers need far less.
const MAX_CONNECT: Duration = Duration::from_secs(10);
/// The time after which a dead connection is detected during a statement, unless the URL has a limit.
const MAX_SILENCE: Duration = Duration::from_secs(30);
/// Limits the locks of a lost service and the time of a stuck server; transactions take milliseconds. The URL's own
/// options follow and override these.
const SESSION_LIMITS: &str = "-c lock_timeout=10s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s";
/// The key of the advisory lock for creating the tables, the letters of `fuzzy_ed`: before there are any, none can be
/// locked.
const CREATION_LOCK: i64 = 0x6675_7a7a_795f_6564;

/// A database on a server.
pub(crate) struct Postgres {
    pool: Pool,
}

impl Postgres {
    /// Connects once, so that problems are reported at once.
    pub(crate) fn open(url: &str) -> Result<Self> {
        // The parser's message may quote a part of the password, and a password with an @ ends up in other fields.
        let config = url.parse().ok().filter(|config: &Config| {
            !config
                .get_hosts()
                .iter()
                .map(name)
                .chain(config.get_dbname().map(str::to_owned))
                .any(|name| name.contains('@'))
        });
        let mut config = config.ok_or_else(|| {
            Error::Database(
                "its URL cannot be read: write postgres://USER:PASSWORD@HOST:PORT/NAME, with everything but letters, \
                 digits and -._~ in USER and PASSWORD as %XX"
                    .into(),
            )
        })?;
        if config.get_ssl_mode() != SslMode::Disable && !config.get_hosts().iter().all(is_local) {
            return Err(Error::Database(
                "connections are not encrypted, and the server is on another machine: use a tunnel, or add \
                 ?sslmode=disable to the URL if the network is trusted"
                    .into(),
            ));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(MAX_CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(MAX_SILENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("fuzzy-edit");
        }
        config.keepalives_idle(MAX_SILENCE);
        let options = format!("{SESSION_LIMITS} {}", config.get_options().unwrap_or_default());
        config.options(&options);
        let database = Self { pool: Pool::new(config) };
        let encoding = database.run(Mode::Read, |connection| {
            connection.query("SELECT current_setting('server_encoding')", &[])?.remove(0).text()
        })?;
        if encoding != "UTF8" {
            let why =
                format!("its encoding is {encoding}, which cannot store every text: create one with ENCODING 'UTF8'");
            return Err(Error::Database(why));
        }
        Ok(database)
    }
}

/// Returns whether the server is on this machine.
fn is_local(host: &Host) -> bool {
    match host {
        // The driver has this variant only on Unix.
        #[cfg(unix)]
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

impl Database for Postgres {
    const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

    fn run<T>(&self, mode: Mode, work: impl FnOnce(&mut dyn Connection) -> Result<T>) -> Result<T> {
        self.pool.with(|client| {
            if mode == Mode::Read {
                return work(&mut Live(client));
            }
            let start = client.build_transaction();
            let start = match mode {
                Mode::Snapshot => start.isolation_level(IsolationLevel::RepeatableRead).read_only(true),
                // Every statement sees all earlier commits, and locked rows have no other writer.
                _ => start.isolation_level(IsolationLevel::ReadCommitted).read_only(false),
            };
            let mut transaction = start.start()?;
            if mode == Mode::Create {
                transaction.query("SELECT pg_advisory_xact_lock($1)", &[&CREATION_LOCK])?;
            }
            let done = work(&mut Live(&mut transaction))?;
            transaction.commit()?;
            Ok(done)
        })
    }
}

/// Runs statements in or outside a transaction.
struct Live<'a, G>(&'a mut G);

impl<G: GenericClient> Connection for Live<'_, G> {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.0.execute_typed(&numbered(sql), &typed(values))?)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let rows = self.0.query_typed(&numbered(sql), &typed(values))?;
        rows.iter().map(cells).collect()
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        Ok(self.0.batch_execute(sql)?)
    }

    fn lock(&mut self, sql: &str, values: &[Value<'_>]) -> Result<()> {
        self.query(&format!("{sql} FOR UPDATE"), values).map(drop)
    }
}

/// Rewrites parameters in the server's syntax. No statement has a question mark elsewhere.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

/// Returns values with their types, which saves a request to the server.
fn typed<'a>(values: &'a [Value<'a>]) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    values
        .iter()
        .map(|value| {
            let kind = if matches!(value, Value::Int(_)) { Type::INT8 } else { Type::TEXT };
            (value as &(dyn ToSql + Sync), kind)
        })
        .collect()
}

/// Reads a row.
fn cells(row: &postgres::Row) -> Result<Row> {
    Ok(Row::new((0..row.len()).map(|column| cell(row, column)).collect::<Result<_>>()?))
}

/// Reads a column of a row.
fn cell(row: &postgres::Row, column: usize) -> Result<Cell> {
    if *row.columns()[column].type_() == Type::INT8 {
        return Ok(row.try_get::<_, Option<i64>>(column)?.map_or(Cell::Null, Cell::Int));
    }
    let text = row.try_get::<_, Option<String>>(column)?;
    text.map_or(Ok(Cell::Null), |text| text::decoded(text).map(Cell::Text).ok_or_else(odd))
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Text(text) => text::encoded(text).as_ref().to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Null => Ok(IsNull::Yes),
        }
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TEXT || *kind == Type::INT8
    }

    postgres::types::to_sql_checked!();
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        if error.code() == Some(&SqlState::DISK_FULL) {
            return Self::Full;
        }
        let why = reasons(&error);
        Self::Database(match error.code() {
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => {
                format!("another service has locked this worktree for too long ({why}): try again")
            }
            Some(code) if !ends_connection(code) => why,
            _ => format!(
                "the connection was lost ({why}): the transaction may or may not have been stored; check that the server \
                 is running, and try again"
            ),
        })
    }
}

/// Returns whether an error ends its connection: the classes "connection exception" and "operator intervention".
fn ends_connection(code: &SqlState) -> bool {
    code.code().starts_with("08") || code.code().starts_with("57P")
}
