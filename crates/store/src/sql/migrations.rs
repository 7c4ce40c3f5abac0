//! The tables, as a list of steps that is only ever appended to. A database remembers how far it has come.

use crate::error::StoreError;
use rusqlite::{Connection, TransactionBehavior};

const STEPS: &[&str] = &[
    // 1: models, versions, refs, events, audit, sessions, idempotency keys, files
    "
    CREATE TABLE models (
        model_id    TEXT PRIMARY KEY,
        name        TEXT NOT NULL,
        kind        TEXT NOT NULL,
        created_ms  INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX models_by_name ON models (name);

    -- A version is a delta to its parent (in the row or as a blob) or a whole file. A checkpoint is a whole file made
    -- from it later, so that opening need not start further back. `deltas` and `bytes` count the chain back to the
    -- nearest whole file.
    CREATE TABLE versions (
        version_id        TEXT PRIMARY KEY,
        model_id          TEXT NOT NULL REFERENCES models (model_id),
        parent_id         TEXT REFERENCES versions (version_id),
        delta             BLOB,
        delta_sha256      TEXT,
        file_sha256       TEXT,
        checkpoint_sha256 TEXT,
        deltas            INTEGER NOT NULL,
        bytes             INTEGER NOT NULL,
        movement          TEXT,
        moved_to          TEXT REFERENCES versions (version_id),
        operation_id      TEXT NOT NULL,
        tool              TEXT NOT NULL,
        author            TEXT NOT NULL,
        reasoning         TEXT,
        time_ms           INTEGER NOT NULL,
        event_id          TEXT NOT NULL,
        event_type        TEXT NOT NULL,
        summary           TEXT,
        CHECK ((delta IS NOT NULL) + (delta_sha256 IS NOT NULL) + (file_sha256 IS NOT NULL) = 1),
        CHECK (parent_id IS NOT NULL OR file_sha256 IS NOT NULL),
        CHECK ((movement IS NULL) = (moved_to IS NULL))
    ) STRICT;
    CREATE INDEX versions_by_model ON versions (model_id, version_id);
    CREATE INDEX versions_by_parent ON versions (parent_id);

    CREATE TABLE refs (
        model_id    TEXT NOT NULL REFERENCES models (model_id),
        name        TEXT NOT NULL,
        version_id  TEXT NOT NULL REFERENCES versions (version_id),
        changed_ms  INTEGER NOT NULL,
        PRIMARY KEY (model_id, name)
    ) STRICT;
    CREATE INDEX refs_by_time ON refs (name, changed_ms, model_id);

    CREATE TABLE events (
        sequence       INTEGER PRIMARY KEY AUTOINCREMENT,
        event_id       TEXT NOT NULL UNIQUE,
        event_type     TEXT NOT NULL,
        model_id       TEXT NOT NULL REFERENCES models (model_id),
        version_id     TEXT NOT NULL REFERENCES versions (version_id),
        actor          TEXT NOT NULL,
        reasoning      TEXT,
        tool           TEXT NOT NULL,
        params_sha256  TEXT NOT NULL,
        operation_id   TEXT NOT NULL,
        time_ms        INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_by_model ON events (model_id, sequence);

    -- `entry` is canonical JSON without the hash; `hash` covers the hash before it and the entry.
    CREATE TABLE audit (
        sequence   INTEGER PRIMARY KEY,
        time_ms    INTEGER NOT NULL,
        principal  TEXT NOT NULL,
        tool       TEXT NOT NULL,
        model_id   TEXT,
        entry      TEXT NOT NULL,
        hash       TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_model ON audit (model_id, sequence);
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

    CREATE TABLE sessions (
        session_key  TEXT PRIMARY KEY,
        state        TEXT NOT NULL,
        changed_ms   INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE answers (
        principal       TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        request_sha256  TEXT NOT NULL,
        answer          TEXT NOT NULL,
        time_ms         INTEGER NOT NULL,
        PRIMARY KEY (principal, idempotency_key)
    ) STRICT;
    CREATE INDEX answers_by_time ON answers (time_ms);

    CREATE TABLE files (
        file_key      TEXT PRIMARY KEY,
        name          TEXT NOT NULL,
        media_type    TEXT NOT NULL,
        sha256        TEXT NOT NULL,
        size          INTEGER NOT NULL,
        principal     TEXT NOT NULL,
        operation_id  TEXT,
        time_ms       INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX files_by_name ON files (principal, name, time_ms);

    -- Blobs made from versions, which may be thrown away and made again: tiles by key, tilesets by version.
    CREATE TABLE derived (
        derived_key  TEXT PRIMARY KEY,
        sha256       TEXT NOT NULL,
        size         INTEGER NOT NULL,
        media_type   TEXT NOT NULL,
        time_ms      INTEGER NOT NULL
    ) STRICT;
    ",
];

/// Brings the database to the present form.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL) STRICT;",
    )?;
    let done: usize = transaction
        .query_row("SELECT coalesce(max(step), 0) FROM migrations", [], |row| row.get::<_, i64>(0))
        .map(|step| usize::try_from(step).unwrap_or(0))?;
    if done > STEPS.len() {
        return Err(StoreError::Database(format!(
            "the data folder was written by a later program (step {done}, this one knows {}); update Pensaer",
            STEPS.len()
        )));
    }
    for (at, step) in STEPS.iter().enumerate().skip(done) {
        transaction.execute_batch(step)?;
        transaction.execute(
            "INSERT INTO migrations (step, time_ms) VALUES (?1, ?2)",
            (super::signed(at as u64 + 1), super::signed(crate::now_ms())),
        )?;
    }
    transaction.commit()?;
    Ok(())
}
