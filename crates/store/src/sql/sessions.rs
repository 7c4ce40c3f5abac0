//! Sessions, and answers kept for retries.

use super::signed;
use crate::error::StoreError;
use crate::types::Remembered;
use contract::SessionState;
use rusqlite::{Connection, OptionalExtension as _};

/// What a client was working on.
pub(crate) fn session(connection: &Connection, key: &str) -> Result<Option<SessionState>, StoreError> {
    let state: Option<String> = connection
        .prepare_cached("SELECT state FROM sessions WHERE session_key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(state.map(|state| serde_json::from_str(&state)).transpose()?)
}

/// Keeps what a client is working on.
pub(crate) fn set_session(
    connection: &Connection,
    key: &str,
    state: &SessionState,
    time_ms: u64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO sessions (session_key, state, changed_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (session_key) DO UPDATE SET state = excluded.state, changed_ms = excluded.changed_ms",
        )?
        .execute((key, serde_json::to_string(state)?, signed(time_ms)))?;
    Ok(())
}

/// Forgets a session.
pub(crate) fn clear_session(connection: &Connection, key: &str) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM sessions WHERE session_key = ?1")?.execute([key])?;
    Ok(())
}

/// The answer kept under a key.
pub(crate) fn answer(
    connection: &Connection,
    principal: &str,
    key: &str,
) -> Result<Option<Remembered>, StoreError> {
    let found: Option<(String, String)> = connection
        .prepare_cached(
            "SELECT request_sha256, answer FROM answers WHERE principal = ?1 AND idempotency_key = ?2",
        )?
        .query_row((principal, key), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    found
        .map(|(request_sha256, answer)| {
            Ok(Remembered {
                principal: principal.to_owned(),
                key: key.to_owned(),
                request_sha256,
                answer: serde_json::from_str(&answer)?,
            })
        })
        .transpose()
}

/// Keeps an answer; one to the same request that is there already is replaced, another stays.
pub(crate) fn remember(
    connection: &Connection,
    remembered: &Remembered,
    time_ms: u64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO answers (principal, idempotency_key, request_sha256, answer, time_ms)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (principal, idempotency_key)
             DO UPDATE SET answer = excluded.answer WHERE request_sha256 = excluded.request_sha256",
        )?
        .execute((
            &remembered.principal,
            &remembered.key,
            &remembered.request_sha256,
            remembered.answer.to_string(),
            signed(time_ms),
        ))?;
    Ok(())
}

/// Forgets answers older than this.
pub(crate) fn forget_answers(connection: &Connection, before_ms: u64) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached("DELETE FROM answers WHERE time_ms < ?1")?.execute([signed(before_ms)])?)
}
