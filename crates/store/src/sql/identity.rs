//! The database's own id. With it begins what audit entries vouch for: in a database that is older, an entry says so.

use super::audit;
use super::written::{STORE, Written};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::types::AuditEntry;
use serde_json::{Value, json};

/// The tool in the entry after which rows are vouched for.
pub(crate) const VOUCHING: &str = "admin upgrade";
/// The member of its arguments that says how many events were written before.
pub(crate) const EVENTS_BEFORE: &str = "events_before";

/// Gives the database an id, unless it has one. Runs in a transaction that writes.
pub(crate) fn ensure(connection: &Connection) -> Result<(), StoreError> {
    if read(connection)?.is_some() {
        return Ok(());
    }
    let (id, time_ms) = (uuid::Uuid::now_v7().to_string(), crate::now_ms());
    connection
        .execute("INSERT INTO identity (database_id, time_ms) VALUES (?1, ?2)", values![&id, time_ms])?;
    let before = super::events::last(connection)?;
    if before == 0 {
        return Ok(());
    }
    let entry = AuditEntry {
        time_ms,
        principal: STORE.to_owned(),
        client: None,
        tool: VOUCHING.to_owned(),
        arguments: json!({ "database_id": id, EVENTS_BEFORE: before }),
        model_id: None,
        version_before: None,
        version_after: None,
        event_id: None,
        outcome: "ok".into(),
        result: Value::Null,
        manifest: None,
        reasoning: None,
        duration_us: 0,
    };
    audit::append(connection, entry, Written::default()).map(|_| ())
}

/// Reads the id; none where somebody took it away.
pub(crate) fn read(connection: &Connection) -> Result<Option<String>, StoreError> {
    connection.row("SELECT database_id FROM identity", values![], |row| row.get(0))
}
