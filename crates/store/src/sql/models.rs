//! Models and their refs.

use super::events::origin_of;
use super::kind_of;
use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::replay::Projection;
use crate::types::MAIN;
use contract::{ModelBegun, ModelId, ModelKind, ModelOrigin, ModelRecord, Page, RefRecord, VersionId};

const COLUMNS: &str = "SELECT m.model_id, m.name, m.kind, r.version_id, m.created_ms, r.changed_ms
    FROM models m JOIN refs r ON r.model_id = m.model_id";

fn record(row: &Row<'_>) -> Result<ModelRecord, StoreError> {
    Ok(ModelRecord {
        model_id: row.get(0)?,
        name: row.get(1)?,
        kind: kind_of(&row.get::<String>(2)?)?,
        head: row.get(3)?,
        created_ms: row.get(4)?,
        changed_ms: row.get(5)?,
    })
}

/// The model with this id.
pub(crate) fn by_id(connection: &Connection, id: &str) -> Result<Option<ModelRecord>, StoreError> {
    connection.row(&format!("{COLUMNS} WHERE r.name = ?1 AND m.model_id = ?2"), values![MAIN, id], record)
}

/// The models with exactly this name, the latest changed first; at most six.
pub(crate) fn by_name(connection: &Connection, name: &str) -> Result<Vec<ModelRecord>, StoreError> {
    connection.rows(
        &format!(
            "{COLUMNS} WHERE r.name = ?1 AND m.name = ?2 ORDER BY r.changed_ms DESC, m.model_id DESC LIMIT 6"
        ),
        values![MAIN, name],
        record,
    )
}

/// Returns the model that a model was made from, if any.
pub(crate) fn origin(connection: &Connection, model: &ModelId) -> Result<Option<ModelOrigin>, StoreError> {
    let text: Option<Option<String>> =
        connection.row("SELECT origin FROM models WHERE model_id = ?1", values![model], |row| row.get(0))?;
    origin_of(text.flatten())
}

/// A page of models, the latest changed first. The cursor is time and id of the last row.
pub(crate) fn page(
    connection: &Connection,
    limit: u32,
    after: Option<(u64, String)>,
) -> Result<Page<ModelRecord>, StoreError> {
    let (time, id) = after.unwrap_or((u64::MAX, String::new()));
    let mut items = connection.rows(
        &format!(
            "{COLUMNS} WHERE r.name = ?1 AND (r.changed_ms, r.model_id) < (?2, ?3)
             ORDER BY r.changed_ms DESC, r.model_id DESC LIMIT ?4"
        ),
        values![MAIN, time, &id, limit + 1],
        record,
    )?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next_cursor =
        items.last().filter(|_| more).map(|last| format!("{}.{}", last.changed_ms, last.model_id));
    Ok(Page { items, next_cursor })
}

/// The refs of a model, by name.
pub(crate) fn refs(connection: &Connection, model: &ModelId) -> Result<Vec<RefRecord>, StoreError> {
    connection.rows(
        "SELECT name, version_id FROM refs WHERE model_id = ?1 ORDER BY name",
        values![model],
        |row| Ok(RefRecord { name: row.get(0)?, version: row.get(1)? }),
    )
}

/// Every ref: model, kind, name, version.
pub(crate) fn heads(
    connection: &Connection,
) -> Result<Vec<(ModelId, ModelKind, String, VersionId)>, StoreError> {
    connection.rows(
        "SELECT r.model_id, m.kind, r.name, r.version_id FROM refs r JOIN models m ON m.model_id = r.model_id
         ORDER BY r.model_id, r.name",
        values![],
        |row| Ok((row.get(0)?, kind_of(&row.get::<String>(1)?)?, row.get(2)?, row.get(3)?)),
    )
}

/// Names of models, the latest changed first, to offer near matches from.
pub(crate) fn names(connection: &Connection, limit: u32) -> Result<Vec<String>, StoreError> {
    connection.rows(
        "SELECT m.name FROM models m JOIN refs r ON r.model_id = m.model_id AND r.name = ?1
         ORDER BY r.changed_ms DESC LIMIT ?2",
        values![MAIN, limit],
        |row| row.get(0),
    )
}

/// Every model and every ref, as the tables have them.
pub(crate) fn projection(connection: &Connection) -> Result<Projection, StoreError> {
    let models = connection.rows("SELECT model_id, name, kind, origin FROM models", values![], |row| {
        let origin = origin_of(row.get(3)?)?.map(Box::new);
        Ok((row.get(0)?, ModelBegun { name: row.get(1)?, kind: kind_of(&row.get::<String>(2)?)?, origin }))
    })?;
    let refs = connection.rows("SELECT model_id, name, version_id FROM refs", values![], |row| {
        Ok(((row.get(0)?, row.get(1)?), row.get(2)?))
    })?;
    Ok(Projection { models: models.into_iter().collect(), refs: refs.into_iter().collect() })
}
