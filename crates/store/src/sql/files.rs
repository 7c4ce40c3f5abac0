//! Names for blobs: files that clients gave or operations made, and blobs that can be made again.

use crate::database::{Connection, Row, values};
use crate::error::StoreError;
use crate::types::{Blob, FileRecord};
use contract::{ModelId, VersionId};

const COLUMNS: &str =
    "file_key, name, media_type, sha256, size, principal, operation_id, time_ms, model_id, model_version";

fn record(row: &Row<'_>) -> Result<FileRecord, StoreError> {
    let (model, version): (Option<ModelId>, Option<VersionId>) = (row.get(8)?, row.get(9)?);
    Ok(FileRecord {
        key: row.get(0)?,
        name: row.get(1)?,
        media_type: row.get(2)?,
        sha256: row.get(3)?,
        size: row.get(4)?,
        principal: row.get(5)?,
        operation_id: row.get(6)?,
        time_ms: row.get(7)?,
        made_of: model.zip(version),
    })
}

/// Records a file; one that is already there under this key stays.
pub(crate) fn put(connection: &Connection, file: &FileRecord) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO files (file_key, name, media_type, sha256, size, principal, operation_id, time_ms,
             model_id, model_version)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
        values![
            &file.key,
            &file.name,
            &file.media_type,
            &file.sha256,
            file.size,
            &file.principal,
            file.operation_id.as_ref(),
            file.time_ms,
            file.made_of.as_ref().map(|(model, _)| model),
            file.made_of.as_ref().map(|(_, version)| version),
        ],
    )?;
    Ok(())
}

/// The file under a key.
pub(crate) fn by_key(connection: &Connection, key: &str) -> Result<Option<FileRecord>, StoreError> {
    connection.row(&format!("SELECT {COLUMNS} FROM files WHERE file_key = ?1"), values![key], record)
}

/// The latest file of this name that a principal gave.
pub(crate) fn by_name(
    connection: &Connection,
    principal: &str,
    name: &str,
) -> Result<Option<FileRecord>, StoreError> {
    connection.row(
        &format!(
            "SELECT {COLUMNS} FROM files WHERE principal = ?1 AND name = ?2 ORDER BY time_ms DESC LIMIT 1"
        ),
        values![principal, name],
        record,
    )
}

/// Files of a principal, the latest first, those after a time and key.
pub(crate) fn of_principal(
    connection: &Connection,
    principal: &str,
    after: Option<(u64, String)>,
    limit: u32,
) -> Result<Vec<FileRecord>, StoreError> {
    let (time_ms, key) = after.unwrap_or((i64::MAX as u64, String::new()));
    connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM files WHERE principal = ?1 AND (time_ms < ?2 OR (time_ms = ?2 AND file_key > ?3))
             ORDER BY time_ms DESC, file_key LIMIT ?4"
        ),
        values![principal, time_ms, &key, limit],
        record,
    )
}

/// Files that were made of a version, the latest first.
pub(crate) fn of_version(
    connection: &Connection,
    model: &ModelId,
    version: &VersionId,
    limit: u32,
) -> Result<Vec<FileRecord>, StoreError> {
    connection.rows(
        &format!(
            "SELECT {COLUMNS} FROM files WHERE model_id = ?1 AND model_version = ?2
             ORDER BY time_ms DESC, file_key LIMIT ?3"
        ),
        values![model, version, limit],
        record,
    )
}

/// Records a blob that can be made again.
pub(crate) fn put_derived(
    connection: &Connection,
    key: &str,
    blob: &Blob,
    media_type: &str,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO derived (derived_key, sha256, size, media_type, time_ms) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (derived_key) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size",
        values![key, &blob.sha256, blob.size, media_type, crate::now_ms()],
    )?;
    Ok(())
}

/// The blob recorded under a key that can be made again.
pub(crate) fn derived(connection: &Connection, key: &str) -> Result<Option<Blob>, StoreError> {
    connection.row("SELECT sha256, size FROM derived WHERE derived_key = ?1", values![key], |row| {
        Ok(Blob { sha256: row.get(0)?, size: row.get(1)? })
    })
}
