//! The audit log: appended to, and read backwards. `log` reads it from its first entry on and verifies it.

use super::written::Written;
use crate::audit::{GENESIS, canonical_entry, chain_hash};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::types::AuditEntry;
use contract::{AuditFilter, AuditRecord, Page};

/// Puts an entry at the end of the chain, with the rows that were written in its transaction. A transaction that writes has the
/// chain to itself.
pub(crate) fn append(
    connection: &Connection,
    entry: AuditEntry,
    written: Written,
) -> Result<AuditRecord, StoreError> {
    let last = connection.row(
        "SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1",
        values![],
        |row| Ok((row.get::<u64>(0)?, row.get::<String>(1)?)),
    )?;
    let (sequence, previous) = last.map_or((1, GENESIS.to_owned()), |(sequence, hash)| (sequence + 1, hash));
    let mut record = entry.into_record(sequence);
    record.rows = written.into_rows();
    let canonical = canonical_entry(&record)?;
    record.hash = chain_hash(&previous, &canonical);
    connection.execute(
        "INSERT INTO audit (sequence, time_ms, principal, tool, model_id, entry, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        values![
            sequence,
            record.time_ms,
            &record.principal,
            &record.tool,
            record.model_id.as_ref(),
            &canonical,
            &record.hash,
        ],
    )?;
    Ok(record)
}

/// A page of entries that fit, the latest first.
pub(crate) fn page(
    connection: &Connection,
    filter: &AuditFilter,
    limit: u32,
    before: Option<u64>,
) -> Result<Page<AuditRecord>, StoreError> {
    let rows = connection.rows(
        "SELECT entry, hash FROM audit WHERE sequence < ?1 AND (CAST(?2 AS TEXT) IS NULL OR model_id = ?2)
         AND (CAST(?4 AS TEXT) IS NULL OR principal = ?4) AND (CAST(?5 AS TEXT) IS NULL OR tool = ?5)
         AND time_ms >= ?6 AND time_ms < ?7
         ORDER BY sequence DESC LIMIT ?3",
        values![
            before.unwrap_or(u64::MAX),
            filter.model.as_ref(),
            limit + 1,
            filter.principal.as_deref(),
            filter.tool.as_deref(),
            filter.since_ms.unwrap_or(0),
            filter.until_ms.unwrap_or(u64::MAX),
        ],
        |row| Ok((row.get::<String>(0)?, row.get(1)?)),
    )?;
    let more = rows.len() > limit as usize;
    let mut items = Vec::new();
    for (entry, hash) in rows.into_iter().take(limit as usize) {
        items.push(read(&entry, hash)?);
    }
    let next_cursor = items.last().filter(|_| more).map(|last: &AuditRecord| last.sequence.to_string());
    Ok(Page { items, next_cursor })
}

/// Entries after one, in order.
pub(crate) fn after(connection: &Connection, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError> {
    connection.rows(
        "SELECT entry, hash FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2",
        values![after, limit],
        |row| read(&row.get::<String>(0)?, row.get(1)?),
    )
}

/// An entry as it is kept.
pub(crate) fn entry(connection: &Connection, sequence: u64) -> Result<Option<AuditRecord>, StoreError> {
    let text: Option<(String, String)> =
        connection.row("SELECT entry, hash FROM audit WHERE sequence = ?1", values![sequence], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    text.map(|(entry, hash)| read(&entry, hash)).transpose()
}

/// The hash of an entry.
pub(crate) fn hash_of(connection: &Connection, sequence: u64) -> Result<Option<String>, StoreError> {
    connection.row("SELECT hash FROM audit WHERE sequence = ?1", values![sequence], |row| row.get(0))
}

/// The last entry's place and hash.
pub(crate) fn head(connection: &Connection) -> Result<Option<(u64, String)>, StoreError> {
    let sql = "SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1";
    connection.row(sql, values![], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn read(entry: &str, hash: String) -> Result<AuditRecord, StoreError> {
    let mut value: serde_json::Value = serde_json::from_str(entry)?;
    if let serde_json::Value::Object(map) = &mut value {
        map.insert("hash".into(), hash.into());
    }
    Ok(serde_json::from_value(value)?)
}
