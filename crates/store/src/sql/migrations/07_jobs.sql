-- Work that outlasts the call that asked for it. `owner` is who has begun it, and `heartbeat_ms` when that one was last heard
-- of; `attempts` counts the beginnings.
CREATE TABLE jobs (
    job_id         TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    state          TEXT NOT NULL,
    principal      TEXT NOT NULL,
    model_id       TEXT REFERENCES models (model_id),
    version_id     TEXT REFERENCES versions (version_id),
    parameters     TEXT NOT NULL,
    owner          TEXT,
    heartbeat_ms   INTEGER NOT NULL,
    attempts       INTEGER NOT NULL,
    is_ending      INTEGER NOT NULL,
    progress       TEXT,
    result         TEXT,
    created_ms     INTEGER NOT NULL,
    CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    CHECK ((state = 'running') = (owner IS NOT NULL))
) STRICT;
CREATE INDEX jobs_by_state ON jobs (kind, state, created_ms, job_id);
CREATE INDEX jobs_by_time ON jobs (created_ms, job_id);
