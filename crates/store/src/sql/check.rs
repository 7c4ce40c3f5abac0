//! What has to hold of the database as a whole.

use super::{audit, events, log, models, vouched};
use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::finding::{About, Finding};
use crate::replay::Projection;

/// Returns the faults of the tables, and what cannot be said of them; neither if all is well. Heads of the audit log that were noted
/// elsewhere have to be in it still.
pub(crate) fn problems(
    connection: &Connection,
    heads: &[(u64, String)],
) -> Result<(Vec<Finding>, Vec<String>), StoreError> {
    let mut found: Vec<Finding> =
        connection.problems()?.into_iter().map(|problem| Finding::new(problem, About::Other)).collect();
    let log = log::read(connection, true)?;
    found.extend(log.problems.iter().map(|problem| Finding::new(problem.clone(), About::Log)));
    found.extend(not_in_log(connection, heads)?.into_iter().map(|problem| Finding::new(problem, About::Log)));
    let (rows, notes) = vouched::hold(connection, &log)?;
    found.extend(rows);
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
        (
            "events are about a version that is not there",
            "SELECT count(*) FROM events WHERE version_id IS NOT NULL
             AND version_id NOT IN (SELECT version_id FROM versions)",
        ),
    ] {
        let count: i64 = connection.one(query, values![])?;
        if count > 0 {
            found.push(Finding::new(format!("{count} {what}"), About::Other));
        }
    }
    match unlike_the_log(connection) {
        Ok(differences) => {
            found.extend(differences.into_iter().map(|problem| Finding::new(problem, About::Projection)));
        }
        // where a row was damaged so that it cannot be read, it was named above
        Err(StoreError::Damaged(why)) => {
            found
                .push(Finding::new(format!("the log of events cannot be read through: {why}"), About::Other));
        }
        Err(error) => return Err(error),
    }
    Ok((found, notes))
}

/// Models and refs that are not as the log of events says.
fn unlike_the_log(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut replayed = Projection::default();
    events::each(connection, |event| {
        replayed.apply(event);
        Ok(())
    })?;
    Ok(replayed.differences(&models::projection(connection)?))
}

/// Heads that were noted elsewhere and are not in the audit log any more.
pub(crate) fn not_in_log(
    connection: &Connection,
    heads: &[(u64, String)],
) -> Result<Option<String>, StoreError> {
    for (sequence, hash) in heads {
        match audit::hash_of(connection, *sequence)? {
            None => {
                let count: i64 = connection.one("SELECT count(*) FROM audit", values![])?;
                return Ok(Some(format!(
                    "audit entry {sequence} was there and is gone: the log was cut off after {count}"
                )));
            }
            Some(found) if found != *hash => {
                return Ok(Some(format!(
                    "audit entry {sequence} is another than the one noted: the log was written anew"
                )));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Returns what names a blob, as far as it has to be there or can be made again.
pub(crate) fn names_of(connection: &Connection, sha256: &str) -> Result<Vec<String>, StoreError> {
    connection.rows(
        "SELECT 'delta of version ' || version_id || ' of model ' || model_id FROM versions WHERE delta_sha256 = ?1
         UNION ALL SELECT 'file of version ' || version_id || ' of model ' || model_id FROM versions WHERE file_sha256 = ?1
         UNION ALL SELECT 'whole file made later of version ' || version_id || ' of model ' || model_id
             FROM versions WHERE checkpoint_sha256 = ?1
         UNION ALL SELECT 'content of approval ' || approval_id || ' of model ' || model_id
             FROM approvals WHERE blob_sha256 = ?1
         UNION ALL SELECT 'file ' || file_key FROM files WHERE sha256 = ?1
         UNION ALL SELECT 'object ' || object_key || ' version ' || object_version FROM objects WHERE sha256 = ?1
         UNION ALL SELECT 'what is made again when it is asked for: ' || derived_key FROM derived WHERE sha256 = ?1
         LIMIT 6",
        values![sha256],
        |row| row.get(0),
    )
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

/// True of a blob that is made of versions when it is asked for, and that nothing else names.
pub(crate) fn can_be_made_again(connection: &Connection, sha256: &str) -> Result<bool, StoreError> {
    let others: i64 = connection.one(
        "SELECT (SELECT count(*) FROM versions WHERE delta_sha256 = ?1 OR file_sha256 = ?1)
             + (SELECT count(*) FROM approvals WHERE blob_sha256 = ?1) + (SELECT count(*) FROM files WHERE sha256 = ?1)
             + (SELECT count(*) FROM objects WHERE sha256 = ?1) + (SELECT count(*) FROM links WHERE blob_sha256 = ?1)",
        values![sha256],
    )?;
    Ok(others == 0)
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
