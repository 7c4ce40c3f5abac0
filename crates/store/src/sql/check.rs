//! What has to hold of the database as a whole.

use super::{audit, events, models};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::replay::Projection;

/// Returns the faults of the tables as sentences; empty if all is well.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut problems = connection.problems()?;
    for (what, query) in [
        (
            "models have no main ref",
            "SELECT count(*) FROM models WHERE model_id NOT IN (SELECT model_id FROM refs WHERE name = 'main')",
        ),
        (
            "refs point into another model",
            "SELECT count(*) FROM refs r JOIN versions v USING (version_id) WHERE v.model_id <> r.model_id",
        ),
        (
            "versions have a parent in another model",
            "SELECT count(*) FROM versions v JOIN versions p ON p.version_id = v.parent_id
             WHERE p.model_id <> v.model_id",
        ),
        (
            "versions have a second parent in another model",
            "SELECT count(*) FROM versions v JOIN versions p ON p.version_id = v.merged_id
             WHERE p.model_id <> v.model_id",
        ),
        (
            "versions are not of a later generation than their parents",
            "SELECT count(*) FROM versions v JOIN versions p ON p.version_id IN (v.parent_id, v.merged_id)
             WHERE p.generation >= v.generation",
        ),
        (
            "versions have no event",
            "SELECT count(*) FROM versions WHERE event_id NOT IN (SELECT event_id FROM events)",
        ),
    ] {
        let count: i64 = connection.one(query, values![])?;
        if count > 0 {
            problems.push(format!("{count} {what}"));
        }
    }
    let mut replayed = Projection::default();
    events::each(connection, |event| {
        replayed.apply(event);
        Ok(())
    })?;
    problems.extend(replayed.differences(&models::projection(connection)?));
    if let Err(problem) = audit::verify(connection)? {
        problems.push(problem);
    }
    Ok(problems)
}

/// Every blob that something points to: those that have to be there, and those that can be made again.
pub(crate) fn blobs(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut blobs = needed(connection)?;
    blobs.extend(derived(connection)?);
    blobs.extend(linked(connection)?);
    blobs.sort_unstable();
    blobs.dedup();
    Ok(blobs)
}

/// Blobs that can be made again.
pub(crate) fn derived(connection: &Connection) -> Result<Vec<String>, StoreError> {
    connection.rows("SELECT DISTINCT sha256 FROM derived", values![], |row| row.get(0))
}

/// Blobs that links lead to which still hold.
fn linked(connection: &Connection) -> Result<Vec<String>, StoreError> {
    connection.rows(
        "SELECT DISTINCT blob_sha256 FROM links WHERE blob_sha256 IS NOT NULL AND expires_ms >= ?1",
        values![crate::now_ms()],
        |row| row.get(0),
    )
}

/// Blobs that have to be there.
pub(crate) fn needed(connection: &Connection) -> Result<Vec<String>, StoreError> {
    connection.rows(
        "SELECT delta_sha256 FROM versions WHERE delta_sha256 IS NOT NULL
         UNION SELECT file_sha256 FROM versions WHERE file_sha256 IS NOT NULL
         UNION SELECT checkpoint_sha256 FROM versions WHERE checkpoint_sha256 IS NOT NULL
         UNION SELECT blob_sha256 FROM approvals WHERE blob_sha256 IS NOT NULL
         UNION SELECT sha256 FROM files UNION SELECT sha256 FROM objects WHERE sha256 IS NOT NULL",
        values![],
        |row| row.get(0),
    )
}
