//! Links that need no other right.

use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::types::LinkRow;

/// Keeps a link, and forgets those that do not hold any more.
pub(crate) fn put(connection: &Connection, link: &LinkRow) -> Result<(), StoreError> {
    connection.execute("DELETE FROM links WHERE expires_ms < ?1", values![link.created_ms])?;
    connection.execute(
        "INSERT INTO links (link_sha256, principal, name, media_type, blob_sha256, bytes, created_ms, expires_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        values![
            &link.secret_sha256,
            &serde_json::to_string(&link.principal)?,
            &link.name,
            &link.media_type,
            link.blob_sha256.as_ref(),
            link.bytes,
            link.created_ms,
            link.expires_ms,
        ],
    )?;
    Ok(())
}

/// The link of this secret, if it holds and is not used up.
pub(crate) fn find(
    connection: &Connection,
    secret_sha256: &str,
    now: u64,
) -> Result<Option<LinkRow>, StoreError> {
    connection.row(
        "SELECT principal, name, media_type, blob_sha256, bytes, created_ms, expires_ms FROM links
         WHERE link_sha256 = ?1 AND expires_ms >= ?2 AND used_ms IS NULL",
        values![secret_sha256, now],
        |row| {
            Ok(LinkRow {
                secret_sha256: secret_sha256.to_owned(),
                principal: serde_json::from_str(&row.get::<String>(0)?)?,
                name: row.get(1)?,
                media_type: row.get(2)?,
                blob_sha256: row.get(3)?,
                bytes: row.get(4)?,
                created_ms: row.get(5)?,
                expires_ms: row.get(6)?,
            })
        },
    )
}

/// Uses a link up; false where somebody did before, or it does not hold any more.
pub(crate) fn use_up(connection: &Connection, secret_sha256: &str, now: u64) -> Result<bool, StoreError> {
    let used = connection.execute(
        "UPDATE links SET used_ms = ?2 WHERE link_sha256 = ?1 AND expires_ms >= ?2 AND used_ms IS NULL",
        values![secret_sha256, now],
    )?;
    Ok(used == 1)
}
