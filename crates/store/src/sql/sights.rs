//! What open pages of the viewer show.

use crate::database::{Connection, values};
use crate::error::StoreError;
use contract::{KeptSight, ModelId, VersionId};

/// Pages that are told of one model.
const PAGES: u32 = 20;

/// Keeps what a page shows.
pub(crate) fn put(connection: &Connection, kept: &KeptSight) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO sights (principal, viewer, model_id, version_id, sight, time_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (principal, viewer) DO UPDATE SET
         model_id = excluded.model_id, version_id = excluded.version_id, sight = excluded.sight, time_ms = excluded.time_ms",
        values![
            &kept.principal,
            &kept.viewer,
            kept.model.as_str(),
            &kept.version.0,
            &serde_json::to_string(&kept.sight)?,
            crate::now_ms(),
        ],
    )?;
    Ok(())
}

/// Forgets a page.
pub(crate) fn forget(connection: &Connection, principal: &str, viewer: &str) -> Result<(), StoreError> {
    connection
        .execute("DELETE FROM sights WHERE principal = ?1 AND viewer = ?2", values![principal, viewer])?;
    Ok(())
}

/// Forgets pages that were heard of before a time for the last time.
pub(crate) fn forget_before(connection: &Connection, before_ms: u64) -> Result<usize, StoreError> {
    connection.execute("DELETE FROM sights WHERE time_ms < ?1", values![before_ms])
}

/// The sights of pages that show a model, the latest first.
pub(crate) fn of_model(
    connection: &Connection,
    model: &ModelId,
    since_ms: u64,
) -> Result<Vec<KeptSight>, StoreError> {
    let now = crate::now_ms();
    connection.rows(
        "SELECT principal, viewer, version_id, sight, time_ms FROM sights
         WHERE model_id = ?1 AND time_ms >= ?2 ORDER BY time_ms DESC, viewer LIMIT ?3",
        values![model.as_str(), since_ms, PAGES],
        |row| {
            Ok(KeptSight {
                principal: row.get(0)?,
                viewer: row.get(1)?,
                model: model.clone(),
                version: VersionId(row.get(2)?),
                sight: serde_json::from_str(&row.get::<String>(3)?)?,
                seconds_ago: now.saturating_sub(row.get::<u64>(4)?) / 1000,
            })
        },
    )
}
