//! The audit log: appended to, read backwards, verified from its first entry.

use super::{signed, unsigned};
use crate::audit::{GENESIS, canonical_entry, chain_hash};
use crate::error::StoreError;
use crate::types::AuditEntry;
use contract::{AuditRecord, ModelId, Page};
use rusqlite::{Connection, OptionalExtension as _};

/// Puts an entry at the end of the chain.
pub(crate) fn append(connection: &Connection, entry: AuditEntry) -> Result<AuditRecord, StoreError> {
    let last = connection
        .prepare_cached("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let (sequence, previous) = last.map_or((1, GENESIS.to_owned()), |(sequence, hash)| (sequence + 1, hash));
    let mut record = entry.into_record(unsigned(sequence));
    let canonical = canonical_entry(&record)?;
    record.hash = chain_hash(&previous, &canonical);
    connection
        .prepare_cached(
            "INSERT INTO audit (sequence, time_ms, principal, tool, model_id, entry, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((
            sequence,
            signed(record.time_ms),
            &record.principal,
            &record.tool,
            record.model_id.as_ref().map(ModelId::as_str),
            &canonical,
            &record.hash,
        ))?;
    Ok(record)
}

/// A page of entries, the latest first; of one model, if given.
pub(crate) fn page(
    connection: &Connection,
    model: Option<&ModelId>,
    limit: u32,
    before: Option<u64>,
) -> Result<Page<AuditRecord>, StoreError> {
    let before = before.map_or(i64::MAX, signed);
    let mut statement = connection.prepare_cached(
        "SELECT entry, hash FROM audit WHERE sequence < ?1 AND (?2 IS NULL OR model_id = ?2)
         ORDER BY sequence DESC LIMIT ?3",
    )?;
    let rows = statement
        .query_map((before, model.map(ModelId::as_str), i64::from(limit) + 1), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let more = rows.len() > limit as usize;
    let mut items = Vec::new();
    for (entry, hash) in rows.into_iter().take(limit as usize) {
        items.push(read(&entry, hash)?);
    }
    let next_cursor = items.last().filter(|_| more).map(|last: &AuditRecord| last.sequence.to_string());
    Ok(Page { items, next_cursor })
}

fn read(entry: &str, hash: String) -> Result<AuditRecord, StoreError> {
    let mut value: serde_json::Value = serde_json::from_str(entry)?;
    if let serde_json::Value::Object(map) = &mut value {
        map.insert("hash".into(), hash.into());
    }
    Ok(serde_json::from_value(value)?)
}

/// The number of entries if the whole chain holds, else what is wrong with it.
pub(crate) fn verify(connection: &Connection) -> Result<Result<u64, String>, StoreError> {
    let mut statement = connection.prepare("SELECT sequence, entry, hash FROM audit ORDER BY sequence")?;
    let mut rows = statement.query([])?;
    let mut previous = GENESIS.to_owned();
    let mut count = 0_u64;
    while let Some(row) = rows.next()? {
        let (sequence, entry, hash): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        count += 1;
        if unsigned(sequence) != count {
            return Ok(Err(format!("audit entry {count} is missing")));
        }
        if chain_hash(&previous, &entry) != hash {
            return Ok(Err(format!("audit entry {count} was changed: its hash does not match")));
        }
        previous = hash;
    }
    Ok(Ok(count))
}
