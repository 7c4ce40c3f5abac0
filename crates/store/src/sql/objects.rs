//! Objects: names whose content may change, each change a version of its own.

use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::types::{ObjectDraft, ObjectRecord};
use contract::Page;

const COLUMNS: &str =
    "object_key, object_version, sha256, size, media_type, principal, time_ms, model_id, model_version";

fn record(row: &Row<'_>) -> Result<ObjectRecord, StoreError> {
    Ok(ObjectRecord {
        key: row.get(0)?,
        version: row.get(1)?,
        sha256: row.get(2)?,
        size: row.get(3)?,
        media_type: row.get(4)?,
        principal: row.get(5)?,
        time_ms: row.get(6)?,
        model_id: row.get(7)?,
        model_version: row.get(8)?,
    })
}

/// The newest version under a key, a delete marker included.
pub(crate) fn newest(connection: &Connection, key: &str) -> Result<Option<ObjectRecord>, StoreError> {
    connection.row(
        &format!("SELECT {COLUMNS} FROM objects WHERE object_key = ?1 ORDER BY sequence DESC LIMIT 1"),
        values![key],
        record,
    )
}

/// One version under a key.
pub(crate) fn version(
    connection: &Connection,
    key: &str,
    version: &str,
) -> Result<Option<ObjectRecord>, StoreError> {
    connection.row(
        &format!("SELECT {COLUMNS} FROM objects WHERE object_key = ?1 AND object_version = ?2"),
        values![key, version],
        record,
    )
}

/// Adds a version; without content it is a delete marker. With `expected`, only where the newest is of this version, or where
/// there is none for an empty one; else that newest is answered.
pub(crate) fn put(
    connection: &Connection,
    draft: &ObjectDraft,
    expected: Option<&str>,
) -> Result<Result<ObjectRecord, Option<ObjectRecord>>, StoreError> {
    // writers of one key take turns
    connection.execute(
        "INSERT INTO object_keys (object_key, changes) VALUES (?1, 1)
         ON CONFLICT (object_key) DO UPDATE SET changes = object_keys.changes + 1",
        values![&draft.key],
    )?;
    let sequence: u64 =
        connection.one("SELECT changes FROM object_keys WHERE object_key = ?1", values![&draft.key])?;
    if let Some(expected) = expected {
        let newest = newest(connection, &draft.key)?;
        let is =
            newest.as_ref().filter(|newest| newest.sha256.is_some()).map(|newest| newest.version.as_str());
        if is.unwrap_or_default() != expected {
            return Ok(Err(newest));
        }
    }
    let (sha256, size) = draft.blob.as_ref().map(|blob| (&blob.sha256, blob.size)).unzip();
    connection.execute(
        "INSERT INTO objects (object_key, sequence, object_version, sha256, size, media_type, principal, time_ms, model_id,
             model_version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        values![
            &draft.key,
            sequence,
            &draft.version,
            sha256,
            size.unwrap_or(0),
            &draft.media_type,
            &draft.principal,
            draft.time_ms,
            draft.model_id.as_ref(),
            draft.model_version.as_ref(),
        ],
    )?;
    version(connection, &draft.key, &draft.version)?
        .map(Ok)
        .ok_or_else(|| StoreError::Damaged(format!("object {} was not kept", draft.key)))
}

/// The newest versions under keys that begin so, by key; without those that were deleted.
pub(crate) fn page(
    connection: &Connection,
    prefix: &str,
    limit: u32,
    after: Option<&str>,
) -> Result<Page<ObjectRecord>, StoreError> {
    let mut items = connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM objects o
             WHERE substr(object_key, 1, length(?1)) = ?1 AND object_key > ?2 AND sha256 IS NOT NULL
                 AND sequence = (SELECT max(sequence) FROM objects n WHERE n.object_key = o.object_key)
             ORDER BY object_key LIMIT ?3"
        ),
        values![prefix, after.unwrap_or_default(), limit.saturating_add(1)],
        record,
    )?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next_cursor = items.last().filter(|_| more).map(|last| last.key.clone());
    Ok(Page { items, next_cursor })
}

/// Every version under a key, the newest first.
pub(crate) fn versions(
    connection: &Connection,
    key: &str,
    limit: u32,
    before: Option<&str>,
) -> Result<Page<ObjectRecord>, StoreError> {
    let mut items = connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM objects WHERE object_key = ?1
                 AND sequence < coalesce((SELECT sequence FROM objects WHERE object_key = ?1 AND object_version = ?2), 9223372036854775807)
             ORDER BY sequence DESC LIMIT ?3"
        ),
        values![key, before.unwrap_or_default(), limit.saturating_add(1)],
        record,
    )?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next_cursor = items.last().filter(|_| more).map(|last| last.version.clone());
    Ok(Page { items, next_cursor })
}
