//! What has to hold of the database as a whole.

use super::audit;
use crate::error::StoreError;
use rusqlite::Connection;

/// What is wrong with the tables; empty if all is well.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    let integrity: String = connection.query_row("PRAGMA integrity_check(10)", [], |row| row.get(0))?;
    if integrity != "ok" {
        problems.push(format!("SQLite: {integrity}"));
    }
    let dangling: i64 =
        connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    if dangling > 0 {
        problems.push(format!("{dangling} rows refer to something that is not there"));
    }
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
            "versions have no event",
            "SELECT count(*) FROM versions WHERE event_id NOT IN (SELECT event_id FROM events)",
        ),
    ] {
        let count: i64 = connection.query_row(query, [], |row| row.get(0))?;
        if count > 0 {
            problems.push(format!("{count} {what}"));
        }
    }
    if let Err(problem) = audit::verify(connection)? {
        problems.push(problem);
    }
    Ok(problems)
}

/// Every blob that something points to: those that have to be there, and those that can be made again.
pub(crate) fn blobs(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT delta_sha256 FROM versions WHERE delta_sha256 IS NOT NULL
         UNION SELECT file_sha256 FROM versions WHERE file_sha256 IS NOT NULL
         UNION SELECT checkpoint_sha256 FROM versions WHERE checkpoint_sha256 IS NOT NULL
         UNION SELECT sha256 FROM files UNION SELECT sha256 FROM derived",
    )?;
    let rows = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(rows)
}
