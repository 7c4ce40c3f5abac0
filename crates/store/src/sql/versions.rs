//! Versions: records of the history, and what a version is opened from.

use super::{signed, unsigned};
use crate::error::StoreError;
use crate::history::Step;
use crate::types::{Lineage, Movement, StoredDelta};
use contract::{EventId, ModelId, Page, VersionId, VersionRecord};
use rusqlite::{Connection, OptionalExtension as _, Row};

const COLUMNS: &str = "v.version_id, v.parent_id, v.tool, v.author, v.reasoning, v.time_ms, v.event_id,
    v.event_type, v.moved_to, v.summary";

fn record(row: &Row<'_>) -> rusqlite::Result<VersionRecord> {
    let summary: Option<String> = row.get(9)?;
    Ok(VersionRecord {
        version: VersionId(row.get(0)?),
        parent: row.get::<_, Option<String>>(1)?.map(VersionId),
        tool: row.get(2)?,
        author: row.get(3)?,
        reasoning: row.get(4)?,
        time_ms: unsigned(row.get(5)?),
        event_id: EventId(row.get(6)?),
        event_type: row.get(7)?,
        same_as: row.get::<_, Option<String>>(8)?.map(VersionId),
        changes: summary.and_then(|text| serde_json::from_str(&text).ok()),
    })
}

/// A version by its id, whole or shortened to its first digits.
pub(crate) fn find(connection: &Connection, model: &ModelId, id: &str) -> Result<VersionRecord, StoreError> {
    let missing = || StoreError::NotFound { what: "version", id: id.to_owned() };
    if id.len() < 4 || !id.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()) {
        return Err(missing());
    }
    let mut found: Vec<VersionRecord> = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM versions v
             WHERE v.model_id = ?1 AND v.version_id >= ?2 AND v.version_id < ?2 || 'g' ORDER BY v.version_id LIMIT 4"
        ))?
        .query_map((model.as_str(), id), record)?
        .collect::<Result<_, _>>()?;
    match found.len() {
        0 => Err(missing()),
        1 => Ok(found.remove(0)),
        _ => Err(StoreError::Ambiguous {
            what: "version",
            id: id.to_owned(),
            candidates: found.into_iter().map(|version| version.version.0).collect(),
        }),
    }
}

/// Versions from `start` back along the parents.
pub(crate) fn page(
    connection: &Connection,
    model: &ModelId,
    start: &VersionId,
    limit: u32,
) -> Result<Page<VersionRecord>, StoreError> {
    let mut items: Vec<VersionRecord> = connection
        .prepare_cached(&format!(
            "WITH RECURSIVE line (id, depth) AS (
                 SELECT version_id, 0 FROM versions WHERE version_id = ?1 AND model_id = ?2
                 UNION ALL
                 SELECT p.parent_id, line.depth + 1 FROM line JOIN versions p ON p.version_id = line.id
                 WHERE p.parent_id IS NOT NULL AND line.depth < ?3
             )
             SELECT {COLUMNS} FROM line JOIN versions v ON v.version_id = line.id ORDER BY line.depth"
        ))?
        .query_map((start.as_str(), model.as_str(), i64::from(limit)), record)?
        .collect::<Result<_, _>>()?;
    let next_cursor = items.get(limit as usize).map(|next| next.version.to_string());
    items.truncate(limit as usize);
    Ok(Page { items, next_cursor })
}

/// What undo and redo need to know of a version.
pub(crate) fn step(connection: &Connection, version: &VersionId) -> Result<Step, StoreError> {
    connection
        .prepare_cached("SELECT parent_id, movement, moved_to FROM versions WHERE version_id = ?1")?
        .query_row([version.as_str()], |row| {
            let movement: Option<String> = row.get(1)?;
            let moved_to: Option<String> = row.get(2)?;
            Ok(Step {
                parent: row.get::<_, Option<String>>(0)?.map(VersionId),
                cursor: match movement.as_deref().and_then(Movement::from_name) {
                    Some(Movement::Undo | Movement::Redo) => moved_to.map(VersionId),
                    Some(Movement::Restore) | None => None,
                },
            })
        })
        .optional()?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// The nearest whole file at or before a version, and the deltas from there.
pub(crate) fn lineage(connection: &Connection, version: &VersionId) -> Result<Lineage, StoreError> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE chain (id, depth) AS (
             SELECT ?1, 0
             UNION ALL
             SELECT c.parent_id, chain.depth + 1 FROM chain JOIN versions c ON c.version_id = chain.id
             WHERE c.file_sha256 IS NULL AND c.checkpoint_sha256 IS NULL
         )
         SELECT v.version_id, coalesce(v.file_sha256, v.checkpoint_sha256), v.delta, v.delta_sha256
         FROM chain JOIN versions v ON v.version_id = chain.id ORDER BY chain.depth DESC",
    )?;
    let mut rows = statement.query([version.as_str()])?;
    let Some(first) = rows.next()? else {
        return Err(StoreError::NotFound { what: "version", id: version.to_string() });
    };
    let base_version = VersionId(first.get(0)?);
    let Some(base_sha256) = first.get::<_, Option<String>>(1)? else {
        return Err(StoreError::Damaged(format!("{version} leads back to no whole file")));
    };
    let mut deltas = Vec::new();
    while let Some(row) = rows.next()? {
        deltas.push(match (row.get::<_, Option<Vec<u8>>>(2)?, row.get::<_, Option<String>>(3)?) {
            (Some(bytes), _) => StoredDelta::Inline(bytes),
            (None, Some(sha256)) => StoredDelta::Blob { sha256 },
            (None, None) => {
                return Err(StoreError::Damaged(format!("a version before {version} has no content")));
            }
        });
    }
    Ok(Lineage { base_version, base_sha256, deltas })
}

/// The whole file of a version, if it is kept.
pub(crate) fn whole_file(connection: &Connection, version: &VersionId) -> Result<Option<String>, StoreError> {
    connection
        .prepare_cached(
            "SELECT coalesce(file_sha256, checkpoint_sha256) FROM versions WHERE version_id = ?1",
        )?
        .query_row([version.as_str()], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// Records a whole file made from a version, and counts the chains of the versions after it from there.
pub(crate) fn set_checkpoint(
    connection: &Connection,
    version: &VersionId,
    sha256: &str,
) -> Result<(), StoreError> {
    let changed = connection
        .prepare_cached(
            "UPDATE versions SET checkpoint_sha256 = ?2 WHERE version_id = ?1 AND file_sha256 IS NULL",
        )?
        .execute((version.as_str(), sha256))?;
    if changed == 0 {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE after (id, deltas, bytes) AS (
             SELECT version_id, 0, 0 FROM versions WHERE version_id = ?1
             UNION ALL
             SELECT v.version_id, after.deltas + 1, after.bytes + v.bytes - p.bytes
             FROM after JOIN versions v ON v.parent_id = after.id JOIN versions p ON p.version_id = after.id
             WHERE v.file_sha256 IS NULL AND p.deltas + 1 = v.deltas
         )
         SELECT id, deltas, bytes FROM after WHERE deltas > 0",
    )?;
    let counts = statement
        .query_map([version.as_str()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let mut update =
        connection.prepare_cached("UPDATE versions SET deltas = ?2, bytes = ?3 WHERE version_id = ?1")?;
    for (id, deltas, bytes) in counts {
        update.execute((id, deltas, bytes.max(0)))?;
    }
    Ok(())
}

/// Events of a model after a position in the log, in order.
pub(crate) fn events(
    connection: &Connection,
    model: Option<&ModelId>,
    after: u64,
    limit: u32,
) -> Result<Vec<contract::EventRecord>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT event_id, sequence, event_type, model_id, version_id, actor, reasoning, time_ms FROM events
         WHERE sequence > ?1 AND (?2 IS NULL OR model_id = ?2) ORDER BY sequence LIMIT ?3",
    )?;
    let rows = statement
        .query_map((signed(after), model.map(ModelId::as_str), i64::from(limit)), |row| {
            Ok(contract::EventRecord {
                event_id: EventId(row.get(0)?),
                sequence: unsigned(row.get(1)?),
                event_type: row.get(2)?,
                model_id: ModelId(row.get(3)?),
                version: VersionId(row.get(4)?),
                actor: row.get(5)?,
                reasoning: row.get(6)?,
                time_ms: unsigned(row.get(7)?),
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}
