//! Sessions, and answers kept for retries.

use crate::database::{Connection, values};
use crate::error::StoreError;
use crate::types::Remembered;
use contract::SessionState;

/// Returns the stored state of a client's session.
pub(crate) fn session(connection: &Connection, key: &str) -> Result<Option<SessionState>, StoreError> {
    connection.row("SELECT state FROM sessions WHERE session_key = ?1", values![key], |row| {
        Ok(serde_json::from_str(&row.get::<String>(0)?)?)
    })
}

/// Keeps what a client is working on.
pub(crate) fn set_session(
    connection: &Connection,
    key: &str,
    state: &SessionState,
    time_ms: u64,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO sessions (session_key, state, changed_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (session_key) DO UPDATE SET state = excluded.state, changed_ms = excluded.changed_ms",
        values![key, &serde_json::to_string(state)?, time_ms],
    )?;
    Ok(())
}

/// Forgets a session.
pub(crate) fn clear_session(connection: &Connection, key: &str) -> Result<(), StoreError> {
    connection.execute("DELETE FROM sessions WHERE session_key = ?1", values![key])?;
    Ok(())
}

/// The answer kept under a key.
pub(crate) fn answer(
    connection: &Connection,
    principal: &str,
    key: &str,
) -> Result<Option<Remembered>, StoreError> {
    connection.row(
        "SELECT request_sha256, answer FROM answers WHERE principal = ?1 AND idempotency_key = ?2",
        values![principal, key],
        |row| {
            Ok(Remembered {
                principal: principal.to_owned(),
                key: key.to_owned(),
                request_sha256: row.get(0)?,
                answer: serde_json::from_str(&row.get::<String>(1)?)?,
            })
        },
    )
}

/// Keeps an answer; one to the same request that is there already is replaced, another stays.
pub(crate) fn remember(
    connection: &Connection,
    remembered: &Remembered,
    time_ms: u64,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO answers (principal, idempotency_key, request_sha256, answer, time_ms)
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (principal, idempotency_key)
         DO UPDATE SET answer = excluded.answer WHERE answers.request_sha256 = excluded.request_sha256",
        values![
            &remembered.principal,
            &remembered.key,
            &remembered.request_sha256,
            &remembered.answer.to_string(),
            time_ms,
        ],
    )?;
    Ok(())
}

/// Forgets answers older than this.
pub(crate) fn forget_answers(connection: &Connection, before_ms: u64) -> Result<usize, StoreError> {
    connection.execute("DELETE FROM answers WHERE time_ms < ?1", values![before_ms])
}
