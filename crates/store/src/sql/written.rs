//! The rows that a transaction wrote, as its audit entry names them: each with a hash over its columns, so that whoever changes one
//! later has to write the log anew from there on. What the store does beside calls gets entries of its own.

use super::audit;
use super::tables::Table;
use crate::database::{Cell, Connection, Value};
use crate::error::StoreError;
use crate::types::AuditEntry;
use contract::{ModelId, WrittenRow};
use serde_json::Value as Json;

/// The principal of what the store does by itself.
pub(crate) const STORE: &str = "system";

/// The rows that a transaction wrote, for its audit entry.
#[derive(Debug, Default)]
pub(crate) struct Written(Vec<WrittenRow>);

impl Written {
    /// Runs a statement that inserts or updates rows of a table, and takes them in as they are then; answers them.
    pub(crate) fn by(
        &mut self,
        connection: &Connection,
        table: &Table,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        let sql = format!("{statement} RETURNING {}", table.list(""));
        let rows = connection.rows(&sql, values, |row| Ok(table.cells(row)))?;
        for cells in &rows {
            let hashed = table.hash(cells);
            self.0.push(WrittenRow {
                table: table.name.to_owned(),
                key: hashed.key,
                sha256: Some(hashed.sha256),
                columns: Some(hashed.columns),
            });
        }
        Ok(rows)
    }

    /// Takes in that a row was removed.
    pub(crate) fn gone(&mut self, table: &Table, key: String) {
        self.0.push(WrittenRow { table: table.name.to_owned(), key, sha256: None, columns: None });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows, in the order in which they were written.
    pub(crate) fn into_rows(self) -> Vec<WrittenRow> {
        self.0
    }

    /// Puts them into the chain by an entry of the store's own, where no call's entry goes with the transaction.
    pub(crate) fn enter(
        self,
        connection: &Connection,
        by: &str,
        what: &str,
        of: Doing,
    ) -> Result<(), StoreError> {
        if self.is_empty() {
            return Ok(());
        }
        let entry = AuditEntry {
            time_ms: of.time_ms,
            principal: by.to_owned(),
            client: None,
            tool: what.to_owned(),
            arguments: of.arguments,
            model_id: of.model,
            version_before: None,
            version_after: None,
            event_id: None,
            outcome: of.outcome.into(),
            result: Json::Null,
            manifest: None,
            reasoning: None,
            duration_us: 0,
        };
        audit::append(connection, entry, self).map(|_| ())
    }
}

/// The particulars of what the store did by itself.
#[derive(Debug)]
pub(crate) struct Doing {
    /// Unix time in milliseconds.
    pub(crate) time_ms: u64,
    /// The model that it was about.
    pub(crate) model: Option<ModelId>,
    /// Further facts.
    pub(crate) arguments: Json,
    /// Its outcome.
    pub(crate) outcome: &'static str,
}
