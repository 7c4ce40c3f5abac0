//! SQLite: one file beside the blobs, for one daemon.

use super::values::{Cell, Row, RowOf, Value};
use crate::error::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::types::{Null, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::path::Path;
use std::time::Duration;

const BUSY: Duration = Duration::from_secs(10);

/// A connection to the file, which only a writer makes.
pub(super) fn connect(path: &Path, writes: bool) -> Result<Connection, StoreError> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if writes {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "query_only", !writes)?;
    // otherwise a kept statement is planned again whenever a value is bound that its plan could depend on
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// A connection to a file that nobody uses.
pub(super) fn look_at(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Copies the database as it is at one moment into a new file, while others use it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let connection = look_at(from)?;
    connection.busy_timeout(BUSY)?;
    let to = to.to_str().ok_or_else(|| StoreError::Config(format!("{} is no UTF-8 path", to.display())))?;
    connection.execute("VACUUM INTO ?1", [to])?;
    Ok(())
}

/// Returns the faults that the engine itself finds in its file, as sentences.
pub(super) fn problems(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    let integrity: String = connection.query_row("PRAGMA integrity_check(10)", [], |row| row.get(0))?;
    if integrity != "ok" {
        problems.push(format!("SQLite: {integrity}"));
    }
    let dangling: i64 =
        connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    if dangling > 0 {
        problems.push(format!("{dangling} rows refer to something that is not there"));
    }
    Ok(problems)
}

pub(super) fn execute(connection: &Connection, sql: &str, values: &[Value<'_>]) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(sql)?.execute(params_from_iter(values))?)
}

/// Gives every row to `each` until it has enough.
pub(super) fn each(
    connection: &Connection,
    sql: &str,
    values: &[Value<'_>],
    each: &mut dyn FnMut(&Row<'_>) -> Result<bool, StoreError>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        if !each(&Row(RowOf::Sqlite(row)))? {
            break;
        }
    }
    Ok(())
}

pub(super) fn cell(row: &rusqlite::Row<'_>, column: usize) -> Cell {
    match row.get_ref(column) {
        Ok(ValueRef::Null) => Cell::Null,
        Ok(ValueRef::Integer(number)) => Cell::Integer(number),
        Ok(ValueRef::Text(text)) => {
            std::str::from_utf8(text).map_or(Cell::Other, |text| Cell::Text(text.to_owned()))
        }
        Ok(ValueRef::Blob(bytes)) => Cell::Blob(bytes.to_vec()),
        Ok(ValueRef::Real(_)) | Err(_) => Cell::Other,
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Null => Ok(ToSqlOutput::from(Null)),
            Self::Integer(number) => Ok(ToSqlOutput::from(*number)),
            Self::Text(text) => Ok(ToSqlOutput::from(*text)),
            Self::Blob(bytes) => Ok(ToSqlOutput::from(*bytes)),
        }
    }
}
