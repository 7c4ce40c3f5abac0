//! Models and their refs.

use super::{kind_of, signed, unsigned};
use crate::error::StoreError;
use crate::types::MAIN;
use contract::{ModelId, ModelRecord, Page, RefRecord, VersionId};
use rusqlite::{Connection, OptionalExtension as _, Row};

const COLUMNS: &str = "SELECT m.model_id, m.name, m.kind, r.version_id, m.created_ms, r.changed_ms
    FROM models m JOIN refs r ON r.model_id = m.model_id";

type Raw = (String, String, String, String, i64, i64);

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
}

fn record((id, name, kind, head, created, changed): Raw) -> Result<ModelRecord, StoreError> {
    Ok(ModelRecord {
        model_id: ModelId(id),
        name,
        kind: kind_of(&kind)?,
        head: VersionId(head),
        created_ms: unsigned(created),
        changed_ms: unsigned(changed),
    })
}

/// The model with this id.
pub(crate) fn by_id(connection: &Connection, id: &str) -> Result<Option<ModelRecord>, StoreError> {
    connection
        .prepare_cached(&format!("{COLUMNS} WHERE r.name = ?1 AND m.model_id = ?2"))?
        .query_row((MAIN, id), raw)
        .optional()?
        .map(record)
        .transpose()
}

/// The models with exactly this name, the latest changed first; at most six.
pub(crate) fn by_name(connection: &Connection, name: &str) -> Result<Vec<ModelRecord>, StoreError> {
    connection
        .prepare_cached(&format!(
            "{COLUMNS} WHERE r.name = ?1 AND m.name = ?2 ORDER BY r.changed_ms DESC, m.model_id DESC LIMIT 6"
        ))?
        .query_map((MAIN, name), raw)?
        .map(|row| record(row?))
        .collect()
}

/// A page of models, the latest changed first. The cursor is time and id of the last row.
pub(crate) fn page(
    connection: &Connection,
    limit: u32,
    after: Option<(u64, String)>,
) -> Result<Page<ModelRecord>, StoreError> {
    let (time, id) = after.map_or((i64::MAX, String::new()), |(time, id)| (signed(time), id));
    let mut items: Vec<ModelRecord> = connection
        .prepare_cached(&format!(
            "{COLUMNS} WHERE r.name = ?1 AND (r.changed_ms, r.model_id) < (?2, ?3)
             ORDER BY r.changed_ms DESC, r.model_id DESC LIMIT ?4"
        ))?
        .query_map((MAIN, time, id, i64::from(limit) + 1), raw)?
        .map(|row| record(row?))
        .collect::<Result<_, _>>()?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next_cursor =
        items.last().filter(|_| more).map(|last| format!("{}.{}", last.changed_ms, last.model_id));
    Ok(Page { items, next_cursor })
}

/// The refs of a model, by name.
pub(crate) fn refs(connection: &Connection, model: &ModelId) -> Result<Vec<RefRecord>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT name, version_id FROM refs WHERE model_id = ?1 ORDER BY name")?;
    let rows = statement
        .query_map([model.as_str()], |row| {
            Ok(RefRecord { name: row.get(0)?, version: VersionId(row.get(1)?) })
        })?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}

/// Names of models, the latest changed first, to offer near matches from.
pub(crate) fn names(connection: &Connection, limit: u32) -> Result<Vec<String>, StoreError> {
    let rows = connection
        .prepare_cached(
            "SELECT m.name FROM models m JOIN refs r ON r.model_id = m.model_id AND r.name = ?1
             ORDER BY r.changed_ms DESC LIMIT ?2",
        )?
        .query_map((MAIN, i64::from(limit)), |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}
