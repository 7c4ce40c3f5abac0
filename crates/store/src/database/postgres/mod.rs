//! PostgreSQL: one database for many gateways.
//!
//! *Order.* A transaction that writes begins by taking an advisory lock that it holds until it ends, so all gateways
//! together write one transaction at a time: what SQLite does by itself. The chain of audit entries and the numbers of
//! events need that order anyway; several waiting writes of one gateway share a transaction, which makes up for it. No two
//! transactions can wait for each other, and one that was given up with its gateway is ended by the server.
//!
//! *In doubt.* When the connection is lost while a transaction is being committed, its number is asked for afterwards, so
//! that what is answered is what happened.

pub(super) mod target;

use super::values::{Cell, Row, RowOf, Value};
use crate::error::StoreError;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, SimpleQueryMessage, Statement};
use std::cell::{Cell as Slot, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};
use target::Target;

/// The first half of the lock's name; the other half is the schema that the tables are in.
const LOCK: i32 = 0x5045_4e53;
/// The time that the server may take to say what became of a transaction.
const IN_DOUBT: Duration = Duration::from_secs(10);

/// A connection to a server.
pub(crate) struct Session {
    client: RefCell<Client>,
    statements: RefCell<HashMap<String, Statement>>,
    /// The channel on which other gateways hear of events.
    channel: String,
    open: Slot<bool>,
    /// True after a statement failed that was not undone: nothing more can be committed.
    failed: Slot<bool>,
    /// The number of the transaction under way.
    transaction: Slot<Option<i64>>,
    /// The event to tell of when the transaction is committed.
    announced: Slot<Option<u64>>,
}

impl Session {
    pub(super) fn connect(target: &Target, writes: bool) -> Result<Self, StoreError> {
        let mut client = target.connect()?;
        // A write has to be on disk when it is answered, whatever the server's default is. A gateway that stops in the
        // middle of a transaction must not keep all others waiting.
        client.batch_execute(&format!(
            "SET statement_timeout = '{}s'; SET lock_timeout = '20s';
             SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = 'warning';
             SELECT set_config('synchronous_commit', 'on', false)
                 WHERE current_setting('synchronous_commit') IN ('off', 'local');
             SET default_transaction_read_only = {};",
            if writes { 30 } else { 300 },
            if writes { "off" } else { "on" },
        ))?;
        let row = client.query_one("SELECT current_schema()::text, current_setting('fsync')", &[])?;
        let schema: Option<String> = row.get(0);
        let Some(schema) = schema else {
            return Err(StoreError::Database("the search path of the connection names no schema".into()));
        };
        if writes && row.get::<_, String>(1) != "on" {
            tracing::warn!("the PostgreSQL server runs with fsync off: a power cut there loses versions");
        }
        Ok(Self {
            client: RefCell::new(client),
            statements: RefCell::default(),
            channel: format!("pensaer_events_{schema}"),
            open: Slot::new(false),
            failed: Slot::new(false),
            transaction: Slot::new(None),
            announced: Slot::new(None),
        })
    }

    /// True if it can be used no more.
    pub(super) fn is_closed(&self) -> bool {
        self.client.borrow().is_closed()
    }

    fn prepared(&self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.noted(self.client.borrow_mut().prepare(sql))?;
        self.statements.borrow_mut().insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(super) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize, StoreError> {
        let statement = self.prepared(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let changed = self.noted(self.client.borrow_mut().execute(&statement, &values))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub(super) fn each(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let statement = self.prepared(sql)?;
        let mut client = self.client.borrow_mut();
        let mut rows = self.noted(client.query_raw(&statement, values))?;
        while let Some(row) = self.noted(rows.next())? {
            if !each(&Row(RowOf::Postgres(&row)))? {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.noted(self.client.borrow_mut().batch_execute(sql))
    }

    fn noted<T>(&self, result: Result<T, postgres::Error>) -> Result<T, StoreError> {
        if result.is_err() {
            self.failed.set(true);
        }
        Ok(result?)
    }

    /// Undoes what was done since the savepoint.
    pub(super) fn back_to_savepoint(&self, savepoint: &str) -> Result<(), StoreError> {
        self.batch(&format!("ROLLBACK TO SAVEPOINT {savepoint}"))?;
        self.failed.set(false);
        Ok(())
    }

    pub(super) fn begin_write(&self) -> Result<(), StoreError> {
        self.announced.set(None);
        self.transaction.set(None);
        self.failed.set(false);
        self.open.set(true);
        let messages = self.client.borrow_mut().simple_query(&format!(
            "BEGIN; SELECT pg_advisory_xact_lock({LOCK}, current_schema()::regnamespace::oid::int);
             SELECT txid_current();"
        ))?;
        let row = messages.iter().rev().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        self.transaction.set(row.and_then(|number| number.parse().ok()));
        Ok(())
    }

    pub(super) fn begin_read(&self) -> Result<(), StoreError> {
        self.open.set(true);
        self.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Tells all gateways of an event once the transaction is committed.
    pub(super) fn announce(&self, sequence: u64) {
        self.announced.set(Some(sequence));
    }

    pub(super) fn commit(&self) -> Result<(), StoreError> {
        // The server would answer COMMIT by rolling back, and not call it an error.
        if self.failed.get() {
            return Err(StoreError::Database("a statement failed and was passed over".into()));
        }
        if let Some(sequence) = self.announced.take() {
            self.execute(
                "SELECT pg_notify($1, $2)",
                &[Value::Text(&self.channel), Value::Text(&sequence.to_string())],
            )?;
        }
        crate::fault_points::pass("before COMMIT");
        let committed = self.client.borrow_mut().batch_execute("COMMIT");
        match committed {
            Ok(()) => {
                self.open.set(false);
                self.transaction.set(None);
                Ok(())
            }
            // The server answered: it did not.
            Err(error) if error.as_db_error().is_some() && !is_away(&error) => Err(error.into()),
            Err(error) => {
                Err(StoreError::InDoubt { transaction: self.transaction.take(), why: text(&error) })
            }
        }
    }

    pub(super) fn rollback(&self) {
        if self.open.replace(false)
            && !self.is_closed()
            && let Err(error) = self.batch("ROLLBACK")
        {
            tracing::debug!(%error, "a transaction was not rolled back by this end");
        }
    }

    /// Returns true if a transaction of an earlier connection was committed; nothing if that cannot be told.
    pub(super) fn was_committed(&self, transaction: i64) -> Result<Option<bool>, StoreError> {
        let until = Instant::now() + IN_DOUBT;
        loop {
            let row = self.client.borrow_mut().query_one("SELECT txid_status($1)", &[&transaction])?;
            match row.get::<_, Option<&str>>(0) {
                Some("committed") => return Ok(Some(true)),
                Some("aborted") => return Ok(Some(false)),
                // The server has not noticed yet that the other end is gone, and everybody waits for what it holds.
                Some(_) if Instant::now() < until => {
                    self.end_other(transaction)?;
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => return Ok(None),
            }
        }
    }

    /// Ends the server's side of a connection that was lost in a transaction. If that was committing, it first does so.
    fn end_other(&self, transaction: i64) -> Result<(), StoreError> {
        self.client.borrow_mut().execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND backend_xid::text::bigint = $1 & 4294967295",
            &[&transaction],
        )?;
        Ok(())
    }

    /// Begins to hear of events.
    pub(super) fn listen(&self) -> Result<(), StoreError> {
        self.batch(&format!("LISTEN \"{}\"", self.channel.replace('"', "\"\"")))
    }

    /// Waits until an event is announced, at most so long; an error once the connection is lost.
    pub(super) fn wait(&self, at_most: Duration) -> Result<(), StoreError> {
        let mut client = self.client.borrow_mut();
        {
            let mut notifications = client.notifications();
            if notifications.timeout_iter(at_most).next()?.is_some() {
                // Those that came with it say nothing more: the log is read to its end.
                let mut more = notifications.iter();
                while more.next()?.is_some() {}
            }
        }
        if client.is_closed() {
            Err(StoreError::Unavailable("the connection was closed".into()))
        } else {
            Ok(())
        }
    }
}

pub(super) fn cell(row: &postgres::Row, column: usize) -> Cell {
    row.try_get(column).unwrap_or(Cell::Other)
}

impl<'a> FromSql<'a> for Cell {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *of {
            Type::BOOL => Self::Integer(bool::from_sql(of, raw)?.into()),
            Type::INT2 => Self::Integer(i16::from_sql(of, raw)?.into()),
            Type::INT4 => Self::Integer(i32::from_sql(of, raw)?.into()),
            Type::INT8 => Self::Integer(i64::from_sql(of, raw)?),
            Type::BYTEA => Self::Blob(raw.to_vec()),
            _ => Self::Text(String::from_sql(of, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(of: &Type) -> bool {
        matches!(
            *of,
            Type::BOOL
                | Type::INT2
                | Type::INT4
                | Type::INT8
                | Type::BYTEA
                | Type::TEXT
                | Type::VARCHAR
                | Type::NAME
        )
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, of: &Type, out: &mut bytes::BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, of) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Integer(number), &Type::INT2) => i16::try_from(*number)?.to_sql(of, out),
            (Self::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(of, out),
            (Self::Integer(number), &Type::INT8) => number.to_sql(of, out),
            // PostgreSQL's text has no NUL.
            (Self::Text(text), &Type::TEXT | &Type::VARCHAR) if text.contains('\0') => {
                text.replace('\0', "\u{fffd}").to_sql(of, out)
            }
            (Self::Text(text), &Type::TEXT | &Type::VARCHAR) => text.to_sql(of, out),
            (Self::Blob(bytes), &Type::BYTEA) => bytes.to_sql(of, out),
            (value, of) => Err(format!("{value:?} is given where {of} is asked for").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// True if the server is away or going, as against having refused.
fn is_away(error: &postgres::Error) -> bool {
    match error.code() {
        // connection exception, too many connections, shutting down, starting up; timeouts of lock and statement
        Some(code) => {
            let code = code.code();
            code.starts_with("08")
                || code.starts_with("57P")
                || ["53300", "55P03", "57014", "25P03"].contains(&code)
        }
        None => error.is_closed() || error.source().is_some_and(<dyn Error>::is::<std::io::Error>),
    }
}

/// The whole of what the server or the connection says.
fn text(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => match said.detail() {
            Some(detail) => format!("{} ({detail})", said.message()),
            None => said.message().to_owned(),
        },
        None => match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        if is_away(&error) { Self::Unavailable(text(&error)) } else { Self::Database(text(&error)) }
    }
}
