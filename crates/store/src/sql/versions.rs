//! Versions: records of the history, and what a version is opened from.

use super::tables::CHECKPOINTS;

use super::written::{Doing, STORE, Written};
use crate::ancestry::Node;
use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::history::Step;
use crate::types::{Lineage, Movement, StoredDelta};
use contract::{EventType, Manifest, ModelId, Page, VersionId, VersionRecord};
use serde_json::{Value, json};

const COLUMNS: &str = "v.version_id, v.parent_id, v.tool, v.author, v.reasoning, v.time_ms, v.event_id,
    v.event_type, v.moved_to, v.summary, v.merged_id";

fn record(row: &Row<'_>) -> Result<VersionRecord, StoreError> {
    let summary: Option<String> = row.get(9)?;
    Ok(VersionRecord {
        version: row.get(0)?,
        parent: row.get(1)?,
        merged: row.get(10)?,
        tool: row.get(2)?,
        author: row.get(3)?,
        reasoning: row.get(4)?,
        time_ms: row.get(5)?,
        event_id: row.get(6)?,
        event_type: EventType::from(row.get::<String>(7)?),
        same_as: row.get(8)?,
        changes: summary.and_then(|text| serde_json::from_str(&text).ok()),
    })
}

/// A version by its id, whole or shortened to its first digits.
pub(crate) fn find(connection: &Connection, model: &ModelId, id: &str) -> Result<VersionRecord, StoreError> {
    let missing = || StoreError::NotFound { what: "version", id: id.to_owned() };
    if id.len() < 4 || !id.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()) {
        return Err(missing());
    }
    let mut found = connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM versions v
             WHERE v.model_id = ?1 AND v.version_id >= ?2 AND v.version_id < ?2 || 'g' ORDER BY v.version_id LIMIT 4"
        ),
        values![model, id],
        record,
    )?;
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

/// Returns how a version came about.
pub(crate) fn manifest(connection: &Connection, version: &VersionId) -> Result<Option<Manifest>, StoreError> {
    let text: Option<Option<String>> =
        connection
            .row("SELECT manifest FROM versions WHERE version_id = ?1", values![version], |row| row.get(0))?;
    Ok(text.flatten().map(|text| serde_json::from_str(&text)).transpose()?)
}

/// Versions from `start` back along the parents.
pub(crate) fn page(
    connection: &Connection,
    model: &ModelId,
    start: &VersionId,
    limit: u32,
) -> Result<Page<VersionRecord>, StoreError> {
    let mut items = connection.rows(
        &format!(
            "WITH RECURSIVE line (id, depth) AS (
                 SELECT version_id, 0 FROM versions WHERE version_id = ?1 AND model_id = ?2
                 UNION ALL
                 SELECT p.parent_id, line.depth + 1 FROM line JOIN versions p ON p.version_id = line.id
                 WHERE p.parent_id IS NOT NULL AND line.depth < ?3
             )
             SELECT {COLUMNS} FROM line JOIN versions v ON v.version_id = line.id ORDER BY line.depth"
        ),
        values![start, model, limit],
        record,
    )?;
    let next_cursor = items.get(limit as usize).map(|next| next.version.to_string());
    items.truncate(limit as usize);
    Ok(Page { items, next_cursor })
}

/// Versions of all branches by generation, after a generation and version.
pub(crate) fn history(
    connection: &Connection,
    model: &ModelId,
    limit: u32,
    after: Option<&(u64, VersionId)>,
) -> Result<Page<VersionRecord>, StoreError> {
    let (generation, id) = after.map_or((0, ""), |(generation, id)| (*generation, id.as_str()));
    let mut rows = connection.rows(
        &format!(
            "SELECT {COLUMNS}, v.generation FROM versions v
             WHERE v.model_id = ?1 AND (v.generation, v.version_id) > (?2, ?3)
             ORDER BY v.generation, v.version_id LIMIT ?4"
        ),
        values![model, generation, id, limit + 1],
        |row| Ok((record(row)?, row.get::<u64>(11)?)),
    )?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|(version, generation)| format!("{generation}.{}", version.version));
    Ok(Page { items: rows.into_iter().map(|(version, _)| version).collect(), next_cursor })
}

/// Returns the facts about a version that undo and redo need.
pub(crate) fn step(connection: &Connection, version: &VersionId) -> Result<Step, StoreError> {
    connection
        .row(
            "SELECT parent_id, movement, moved_to FROM versions WHERE version_id = ?1",
            values![version],
            |row| {
                let movement: Option<String> = row.get(1)?;
                Ok(Step {
                    parent: row.get(0)?,
                    cursor: match movement.as_deref().and_then(Movement::from_name) {
                        Some(Movement::Undo | Movement::Redo) => row.get(2)?,
                        Some(Movement::Restore) | None => None,
                    },
                })
            },
        )?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// The nearest whole file at or before a version, and the deltas from there.
pub(crate) fn lineage(connection: &Connection, version: &VersionId) -> Result<Lineage, StoreError> {
    let mut base = None;
    let mut deltas = Vec::new();
    connection.each(
        "WITH RECURSIVE chain (id, depth) AS (
             SELECT version_id, 0 FROM versions WHERE version_id = ?1
             UNION ALL
             SELECT c.parent_id, chain.depth + 1 FROM chain JOIN versions c ON c.version_id = chain.id
             WHERE c.file_sha256 IS NULL AND c.checkpoint_sha256 IS NULL
         )
         SELECT v.version_id, coalesce(v.file_sha256, v.checkpoint_sha256), v.delta, v.delta_sha256
         FROM chain JOIN versions v ON v.version_id = chain.id ORDER BY chain.depth DESC",
        values![version],
        |row| {
            if base.is_none() {
                base = Some((row.get::<VersionId>(0)?, row.get::<Option<String>>(1)?));
                return Ok(true);
            }
            deltas.push(match (row.get::<Option<Vec<u8>>>(2)?, row.get::<Option<String>>(3)?) {
                (Some(bytes), _) => StoredDelta::Inline(bytes),
                (None, Some(sha256)) => StoredDelta::Blob { sha256 },
                (None, None) => {
                    return Err(StoreError::Damaged(format!("a version before {version} has no content")));
                }
            });
            Ok(true)
        },
    )?;
    match base {
        Some((base_version, Some(base_sha256))) => Ok(Lineage { base_version, base_sha256, deltas }),
        Some((_, None)) => Err(StoreError::Damaged(format!("{version} leads back to no whole file"))),
        None => Err(StoreError::NotFound { what: "version", id: version.to_string() }),
    }
}

/// The whole file of a version, if it is kept.
pub(crate) fn whole_file(connection: &Connection, version: &VersionId) -> Result<Option<String>, StoreError> {
    connection
        .row(
            "SELECT coalesce(file_sha256, checkpoint_sha256) FROM versions WHERE version_id = ?1",
            values![version],
            |row| row.get(0),
        )?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// Records a whole file made from a version, and counts the chains of the versions after it from there.
pub(crate) fn set_checkpoint(
    connection: &Connection,
    version: &VersionId,
    sha256: &str,
) -> Result<(), StoreError> {
    let mut written = Written::default();
    let changed = written.by(
        connection,
        &CHECKPOINTS,
        "UPDATE versions SET checkpoint_sha256 = ?2 WHERE version_id = ?1 AND file_sha256 IS NULL",
        values![version, sha256],
    )?;
    if changed.is_empty() {
        return Ok(());
    }
    let of = Doing {
        time_ms: crate::now_ms(),
        model: Some(generation(connection, version)?.0),
        arguments: json!({ "model_version": version, "sha256": sha256 }),
        outcome: "ok",
    };
    written.enter(connection, STORE, "checkpoint", of)?;
    let counts = connection.rows(
        "WITH RECURSIVE after (id, deltas, bytes) AS (
             SELECT version_id, CAST(0 AS BIGINT), CAST(0 AS BIGINT) FROM versions WHERE version_id = ?1
             UNION ALL
             SELECT v.version_id, after.deltas + 1, after.bytes + v.bytes - p.bytes
             FROM after JOIN versions v ON v.parent_id = after.id JOIN versions p ON p.version_id = after.id
             WHERE v.file_sha256 IS NULL AND p.deltas + 1 = v.deltas
         )
         SELECT id, deltas, bytes FROM after WHERE deltas > 0",
        values![version],
        |row| Ok((row.get::<VersionId>(0)?, row.get::<u32>(1)?, row.get::<i64>(2)?)),
    )?;
    for (id, deltas, bytes) in counts {
        connection.execute(
            "UPDATE versions SET deltas = ?2, bytes = ?3 WHERE version_id = ?1",
            values![&id, deltas, bytes.max(0)],
        )?;
    }
    Ok(())
}

/// A version as its id names it: a hash over its parent and what it is kept as.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) version: VersionId,
    pub(crate) model: ModelId,
    pub(crate) parent: Option<VersionId>,
    /// Its delta, where that is in the row.
    pub(crate) inline: Option<Vec<u8>>,
    /// The blob of its delta.
    pub(crate) delta: Option<String>,
    /// The blob of its whole file, where it was committed as one.
    pub(crate) file: Option<String>,
}

/// Every version with what it is kept as, no version before one that it comes from.
pub(crate) fn each_kept(
    connection: &Connection,
    mut each: impl FnMut(Kept) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    connection.each(
        "SELECT version_id, model_id, parent_id, delta, delta_sha256, file_sha256 FROM versions
         ORDER BY model_id, generation, version_id",
        values![],
        |row| {
            each(Kept {
                version: row.get(0)?,
                model: row.get(1)?,
                parent: row.get(2)?,
                inline: row.get(3)?,
                delta: row.get(4)?,
                file: row.get(5)?,
            })?;
            Ok(true)
        },
    )
}

/// The model of a version, and its generation.
pub(crate) fn generation(connection: &Connection, version: &VersionId) -> Result<(ModelId, u64), StoreError> {
    connection
        .row("SELECT model_id, generation FROM versions WHERE version_id = ?1", values![version], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// Returns the generation and parents of a version, to find common ancestors.
pub(crate) fn node(connection: &Connection, version: &VersionId) -> Result<Node, StoreError> {
    connection
        .row(
            "SELECT generation, parent_id, merged_id FROM versions WHERE version_id = ?1",
            values![version],
            |row| Ok(Node { generation: row.get(0)?, parents: [row.get(1)?, row.get(2)?] }),
        )?
        .ok_or_else(|| StoreError::NotFound { what: "version", id: version.to_string() })
}

/// The note of a merge.
pub(crate) fn merge_note(connection: &Connection, version: &VersionId) -> Result<Value, StoreError> {
    let note: Option<String> = connection
        .row("SELECT merge_note FROM versions WHERE version_id = ?1", values![version], |row| row.get(0))?
        .flatten();
    Ok(note.map(|note| serde_json::from_str(&note)).transpose()?.unwrap_or(Value::Null))
}
