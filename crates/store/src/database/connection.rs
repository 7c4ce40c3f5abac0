//! One connection, whichever engine is at its other end.

use super::dialect::Engine;
use super::postgres::Session;
use super::postgres::target::Target;
use super::sqlite;
use super::values::{Column, Row, Value};
use crate::error::StoreError;
use std::path::PathBuf;
use std::time::Duration;

/// The location of a database.
#[derive(Clone)]
pub(crate) enum Source {
    /// In a file of SQLite's.
    File(PathBuf),
    /// At a PostgreSQL server.
    Server(Box<Target>),
}

impl Source {
    /// The server at an address such as `postgresql://ada@db/pensaer`.
    pub(crate) fn server(url: &str) -> Result<Self, StoreError> {
        Target::parse(url).map(|target| Self::Server(Box::new(target)))
    }

    /// A new connection.
    pub(super) fn connect(&self, writes: bool) -> Result<Connection, StoreError> {
        match self {
            Self::File(path) => sqlite::connect(path, writes).map(Connection::Sqlite),
            Self::Server(target) => {
                Session::connect(target, writes).map(|session| Connection::Postgres(Box::new(session)))
            }
        }
    }
}

/// A connection that one thread uses.
pub(crate) enum Connection {
    /// To a file.
    Sqlite(rusqlite::Connection),
    /// To a server.
    Postgres(Box<Session>),
}

impl Connection {
    /// The engine of the database.
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// Runs a statement; the number of rows it changed.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize, StoreError> {
        let sql = self.engine().statement(sql);
        match self {
            Self::Sqlite(connection) => sqlite::execute(connection, &sql, values),
            Self::Postgres(session) => session.execute(&sql, values),
        }
    }

    /// Every row that a statement answers. For lists that are bounded; [`Connection::each`] is for those that are not.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.each(sql, values, |row| {
            rows.push(read(row)?);
            Ok(true)
        })?;
        Ok(rows)
    }

    /// The first row that a statement answers, if it answers one.
    pub(crate) fn row<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        self.each(sql, values, |row| {
            found = Some(read(row)?);
            Ok(false)
        })?;
        Ok(found)
    }

    /// The one value that a statement such as `SELECT count(*)` answers.
    pub(crate) fn one<T: Column>(&self, sql: &str, values: &[Value<'_>]) -> Result<T, StoreError> {
        self.row(sql, values, |row| row.get(0))?
            .ok_or_else(|| StoreError::Database(format!("no answer to {sql}")))
    }

    /// Gives one row after the other to `each` until it answers false. `each` cannot use the connection.
    pub(crate) fn each(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let sql = self.engine().statement(sql);
        match self {
            Self::Sqlite(connection) => sqlite::each(connection, &sql, values, &mut each),
            Self::Postgres(session) => session.each(&sql, values, &mut each),
        }
    }

    /// Runs statements that take no parameters.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Self::Postgres(session) => session.batch(sql),
        }
    }

    /// Tells other gateways of an event once the transaction is committed.
    pub(crate) fn announce(&self, sequence: u64) {
        match self {
            // A file has one gateway, which tells its subscribers by itself.
            Self::Sqlite(_) => {}
            Self::Postgres(session) => session.announce(sequence),
        }
    }

    /// Begins a transaction: one that writes has the database to itself until it ends, one that reads sees one state.
    pub(super) fn begin(&self, writes: bool) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => {
                sqlite::execute(connection, if writes { "BEGIN IMMEDIATE" } else { "BEGIN" }, &[]).map(|_| ())
            }
            Self::Postgres(session) if writes => session.begin_write(),
            Self::Postgres(session) => session.begin_read(),
        }
    }

    /// Undoes what was done since a savepoint, which stays.
    pub(super) fn back_to_savepoint(&self, savepoint: &str) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => {
                Ok(connection.execute_batch(&format!("ROLLBACK TO SAVEPOINT {savepoint}"))?)
            }
            Self::Postgres(session) => session.back_to_savepoint(savepoint),
        }
    }

    /// Makes a transaction durable.
    pub(super) fn commit(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => {
                crate::fault_points::pass("before COMMIT");
                sqlite::execute(connection, "COMMIT", &[]).map(|_| ())
            }
            Self::Postgres(session) => session.commit(),
        }
    }

    /// Undoes a transaction, if there is one. What cannot be told any more is undone by the engine itself.
    pub(super) fn rollback(&self) {
        match self {
            Self::Sqlite(connection) => {
                if !connection.is_autocommit()
                    && let Err(error) = sqlite::execute(connection, "ROLLBACK", &[])
                {
                    tracing::warn!(%error, "a transaction could not be rolled back");
                }
            }
            Self::Postgres(session) => session.rollback(),
        }
    }

    /// True if it can be used no more.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(session) => session.is_closed(),
        }
    }

    /// Returns true if a transaction of an earlier connection was committed; nothing if that cannot be told.
    pub(super) fn was_committed(&self, transaction: i64) -> Result<Option<bool>, StoreError> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(session) => session.was_committed(transaction),
        }
    }

    /// Begins to hear what others announce.
    pub(super) fn listen(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(session) => session.listen(),
        }
    }

    /// Waits for an announcement, at most so long.
    pub(super) fn wait(&self, at_most: Duration) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(_) => {
                std::thread::sleep(at_most);
                Ok(())
            }
            Self::Postgres(session) => session.wait(at_most),
        }
    }

    /// Returns the faults that the engine itself finds in what it keeps, as sentences.
    pub(crate) fn problems(&self) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Sqlite(connection) => sqlite::problems(connection),
            // The server checks what it reads, and its foreign keys are never off.
            Self::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Leaves nothing behind that the next start would have to work off.
    pub(super) fn finish(&self) {
        match self {
            Self::Sqlite(connection) => {
                let _ = connection.pragma_update(None, "wal_checkpoint", "TRUNCATE");
            }
            Self::Postgres(_) => {}
        }
    }
}
