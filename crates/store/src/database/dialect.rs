//! Where SQLite and PostgreSQL differ in words. Every statement in this crate is written once, in what both understand, and
//! turned here.
//!
//! What both understand, beside plain SQL: `?1` for parameters, `ON CONFLICT … DO UPDATE SET x = excluded.x`,
//! `RETURNING`, `WITH RECURSIVE`, row values, `CAST(?1 AS BIGINT)` where nothing else says of which type a parameter is
//! (PostgreSQL asks). Tables are written as SQLite's: `INTEGER` is a signed number of 64 bits, `TEXT` is compared byte by
//! byte, `BLOB` is bytes, and they end in `) STRICT;`.

use std::borrow::Cow;

/// The database engine behind the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// A statement as the engine wants it.
    pub(crate) fn statement(self, sql: &str) -> Cow<'_, str> {
        match self {
            Self::Sqlite => Cow::Borrowed(sql),
            Self::Postgres => Cow::Owned(sql.replace('?', "$")),
        }
    }

    /// Statements that make tables and indexes, as the engine wants them.
    pub(crate) fn tables(self, sql: &str) -> Cow<'_, str> {
        match self {
            Self::Sqlite => Cow::Borrowed(sql),
            Self::Postgres => Cow::Owned(in_postgres_types(sql)),
        }
    }

    /// The clause at the end of a statement that reads rows to change them, so that it passes over those that others are changing.
    pub(crate) fn passing_over_locked(self) -> &'static str {
        match self {
            // There is one writer, and it has the whole file.
            Self::Sqlite => "",
            Self::Postgres => "FOR UPDATE SKIP LOCKED",
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
            Self::Postgres => format!(
                "CREATE OR REPLACE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
                     $$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$;
                 CREATE TRIGGER {table}_is_not_changed BEFORE UPDATE OR DELETE ON {table}
                     FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only();
                 CREATE TRIGGER {table}_is_not_removed BEFORE TRUNCATE ON {table}
                     FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_append_only();"
            ),
        }
    }

    /// Statements after which rows of such a table can be changed again.
    pub(crate) fn no_longer_append_only(self, table: &str) -> String {
        let on = match self {
            Self::Sqlite => String::new(),
            Self::Postgres => format!(" ON {table}"),
        };
        format!(
            "DROP TRIGGER IF EXISTS {table}_is_not_changed{on}; DROP TRIGGER IF EXISTS {table}_is_not_removed{on};"
        )
    }
}

fn in_postgres_types(sql: &str) -> String {
    let mut turned = String::new();
    let mut rest = sql;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        turned.push_str(match word {
            "INTEGER" => "BIGINT",
            "TEXT" => "TEXT COLLATE \"C\"",
            "BLOB" => "BYTEA",
            "STRICT" => "",
            other => other,
        });
        let (between, next) = after.split_at(after.find(is_word).unwrap_or(after.len()));
        turned.push_str(between);
        rest = next;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_sqlite_become_those_of_postgresql() {
        let table =
            "CREATE TABLE t (\n  a INTEGER PRIMARY KEY, b TEXT NOT NULL, TEXT_INTEGER BLOB\n) STRICT;";
        let turned = Engine::Postgres.tables(table);
        let wanted = "CREATE TABLE t (\n  a BIGINT PRIMARY KEY, b TEXT COLLATE \"C\" NOT NULL, TEXT_INTEGER BYTEA\n) ;";
        assert_eq!(turned, wanted);
        assert_eq!(Engine::Sqlite.tables(table), table);
    }
}
