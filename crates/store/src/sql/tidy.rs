//! What may be thrown away, and what names a blob.

use super::check;
use super::tables::CHECKPOINTS;
use super::written::{Doing, STORE, Written};
use crate::database::{Connection, values};
use crate::error::StoreError;
use serde_json::json;
use std::collections::HashSet;

/// A version, as far as whole files are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    /// True if it was committed as a whole file.
    pub(crate) file: bool,
    /// True if a whole file was made from it later.
    pub(crate) checkpoint: bool,
}

impl Node {
    pub(crate) fn is_whole(&self) -> bool {
        self.file || self.checkpoint
    }
}

/// Unix times in milliseconds before which names are given up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Horizons {
    pub(crate) derived: u64,
    pub(crate) files: Option<u64>,
}

/// Every version, parents before their children: in the order in which they were committed.
pub(crate) fn nodes(connection: &Connection) -> Result<Vec<Node>, StoreError> {
    connection.rows(
        "SELECT v.version_id, v.parent_id, v.file_sha256 IS NOT NULL, v.checkpoint_sha256 IS NOT NULL
         FROM versions v JOIN events e ON e.event_id = v.event_id ORDER BY e.sequence",
        values![],
        |row| Ok(Node { id: row.get(0)?, parent: row.get(1)?, file: row.get(2)?, checkpoint: row.get(3)? }),
    )
}

/// Every blob that something names.
pub(crate) fn named(connection: &Connection) -> Result<HashSet<String>, StoreError> {
    Ok(check::blobs(connection)?.into_iter().collect())
}

/// Counts derived blobs and files older than they are kept, and returns the blobs that would be named without those and without some
/// checkpoints.
pub(crate) fn would_keep(
    connection: &Connection,
    horizons: &Horizons,
    spare: &HashSet<String>,
) -> Result<(u64, u64, HashSet<String>), StoreError> {
    let files = horizons.files.unwrap_or(0);
    let old_derived =
        connection.one("SELECT count(*) FROM derived WHERE time_ms < ?1", values![horizons.derived])?;
    let old_files = connection.one(
        "SELECT count(*) FROM files WHERE time_ms < ?1 OR (model_version IS NOT NULL AND time_ms < ?2)",
        values![files, horizons.derived],
    )?;
    let mut named: HashSet<String> = connection
        .rows(
            "SELECT delta_sha256 FROM versions WHERE delta_sha256 IS NOT NULL
             UNION SELECT file_sha256 FROM versions WHERE file_sha256 IS NOT NULL
             UNION SELECT sha256 FROM objects WHERE sha256 IS NOT NULL
             UNION SELECT blob_sha256 FROM approvals WHERE blob_sha256 IS NOT NULL
             UNION SELECT sha256 FROM files WHERE time_ms >= ?1 AND (model_version IS NULL OR time_ms >= ?2)
             UNION SELECT sha256 FROM derived WHERE time_ms >= ?2
             UNION SELECT blob_sha256 FROM links WHERE blob_sha256 IS NOT NULL AND expires_ms >= ?3",
            values![files, horizons.derived, crate::now_ms()],
            |row| row.get(0),
        )?
        .into_iter()
        .collect();
    let checkpoints = connection.rows(
        "SELECT version_id, checkpoint_sha256 FROM versions WHERE checkpoint_sha256 IS NOT NULL",
        values![],
        |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)),
    )?;
    named.extend(checkpoints.into_iter().filter(|(id, _)| !spare.contains(id)).map(|(_, sha256)| sha256));
    Ok((old_derived, old_files, named))
}

/// Forgets the names of what is older than it is kept, and some checkpoints; answers how many derived blobs and files.
pub(crate) fn forget(
    connection: &Connection,
    horizons: &Horizons,
    spare: &[String],
) -> Result<(u64, u64), StoreError> {
    let derived = connection.execute("DELETE FROM derived WHERE time_ms < ?1", values![horizons.derived])?;
    let files = connection.execute(
        "DELETE FROM files WHERE time_ms < ?1 OR (model_version IS NOT NULL AND time_ms < ?2)",
        values![horizons.files.unwrap_or(0), horizons.derived],
    )?;
    let mut written = Written::default();
    for version in spare {
        written.by(
            connection,
            &CHECKPOINTS,
            "UPDATE versions SET checkpoint_sha256 = NULL WHERE version_id = ?1",
            values![version],
        )?;
    }
    let of = Doing {
        time_ms: crate::now_ms(),
        model: None,
        arguments: json!({ "checkpoints": spare.len() }),
        outcome: "ok",
    };
    written.enter(connection, STORE, "admin gc", of)?;
    Ok((derived as u64, files as u64))
}
