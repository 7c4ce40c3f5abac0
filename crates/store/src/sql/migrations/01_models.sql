-- Models, versions, refs, events, audit, sessions, idempotency keys, files.

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
    CHECK (1 = CASE WHEN delta IS NULL THEN 0 ELSE 1 END + CASE WHEN delta_sha256 IS NULL THEN 0 ELSE 1 END
             + CASE WHEN file_sha256 IS NULL THEN 0 ELSE 1 END),
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
    sequence       INTEGER PRIMARY KEY,
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
