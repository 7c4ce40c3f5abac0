//! Where SQLite and PostgreSQL differ in words. Every statement in this crate is written once, in what both understand, and
//! turned here.
//!
//! What both understand, beside plain SQL: `?1` for parameters, `ON CONFLICT … DO UPDATE SET x = excluded.x`,
//! `RETURNING`, `WITH RECURSIVE`, row values, `CAST(?1 AS BIGINT)` where nothing else says of which type a parameter is
//! (PostgreSQL asks). Tables are written as SQLite's: `INTEGER` is a signed number of 64 bits, `TEXT` is compared byte by
//! byte, `BLOB` is bytes, and they end in `) STRICT;`. `FOR UPDATE` may stand at the end of a statement; SQLite has one
//! writer and needs none.

use std::borrow::Cow;

/// Which database stands behind the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
}

impl Engine {
    /// A statement as the engine wants it.
    pub(crate) fn statement(self, sql: &str) -> Cow<'_, str> {
        match self {
            Self::Sqlite => match sql.split_once(" FOR UPDATE") {
                Some((statement, _)) => Cow::Owned(statement.to_owned()),
                None => Cow::Borrowed(sql),
            },
        }
    }

    /// Statements that make tables and indexes, as the engine wants them.
    pub(crate) fn tables(self, sql: &str) -> Cow<'_, str> {
        match self {
            Self::Sqlite => Cow::Borrowed(sql),
        }
    }

    /// Statements after which no row of a table can be changed or removed.
    pub(crate) fn append_only(self, table: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CREATE TRIGGER {table}_is_not_changed BEFORE UPDATE ON {table}
                     BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
                 CREATE TRIGGER {table}_is_not_removed BEFORE DELETE ON {table}
                     BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;"
            ),
        }
    }
}
