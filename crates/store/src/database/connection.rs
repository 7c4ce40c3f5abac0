//! One connection, whichever engine is at its other end.

use super::dialect::Engine;
use super::sqlite;
use super::values::{Column, Row, Value};
use crate::error::StoreError;
use std::path::Path;

/// A connection that one thread uses.
pub(crate) enum Connection {
    /// To a file.
    Sqlite(rusqlite::Connection),
}

impl Connection {
    /// A connection to a database file.
    pub(super) fn to_file(path: &Path, writes: bool) -> Result<Self, StoreError> {
        sqlite::connect(path, writes).map(Self::Sqlite)
    }

    /// Which engine this is.
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
        }
    }

    /// Runs a statement; the number of rows it changed.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize, StoreError> {
        let sql = self.engine().statement(sql);
        match self {
            Self::Sqlite(connection) => sqlite::execute(connection, &sql, values),
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
        }
    }

    /// Runs statements that take no parameters.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
        }
    }

    /// Begins a transaction that writes: it has the database to itself until it ends.
    pub(super) fn begin_write(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch("BEGIN IMMEDIATE")?),
        }
    }

    /// Begins a transaction that reads one consistent state.
    pub(super) fn begin_read(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch("BEGIN")?),
        }
    }

    /// Makes a transaction durable.
    pub(super) fn commit(&self) -> Result<(), StoreError> {
        self.batch("COMMIT")
    }

    /// Undoes a transaction, if there is one. What cannot be told any more is undone by the engine itself.
    pub(super) fn rollback(&self) {
        let open = match self {
            Self::Sqlite(connection) => !connection.is_autocommit(),
        };
        if open && let Err(error) = self.batch("ROLLBACK") {
            tracing::warn!(%error, "a transaction could not be rolled back");
        }
    }

    /// What the engine itself finds wrong with what it keeps.
    pub(crate) fn problems(&self) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Sqlite(connection) => sqlite::problems(connection),
        }
    }

    /// Leaves nothing behind that the next start would have to work off.
    pub(super) fn finish(&self) {
        match self {
            Self::Sqlite(connection) => {
                let _ = connection.pragma_update(None, "wal_checkpoint", "TRUNCATE");
            }
        }
    }
}
