-- Requests for approval, and decisions on them, are events, too: of models that may never come to be, and without a version
-- where there is none yet. The log itself moves as it is.
CREATE TABLE events_with_approvals (
    sequence         INTEGER PRIMARY KEY,
    event_id         TEXT NOT NULL UNIQUE,
    event_type       TEXT NOT NULL,
    model_id         TEXT NOT NULL,
    version_id       TEXT REFERENCES versions (version_id),
    actor            TEXT NOT NULL,
    reasoning        TEXT,
    tool             TEXT NOT NULL,
    params_sha256    TEXT NOT NULL,
    operation_id     TEXT NOT NULL,
    time_ms          INTEGER NOT NULL,
    ref_name         TEXT,
    model_name       TEXT,
    model_kind       TEXT,
    approval_id      TEXT,
    approval_status  TEXT,
    CHECK (approval_id IS NOT NULL OR version_id IS NOT NULL),
    CHECK ((approval_id IS NULL) = (approval_status IS NULL))
) STRICT;
INSERT INTO events_with_approvals
    SELECT sequence, event_id, event_type, model_id, version_id, actor, reasoning, tool, params_sha256, operation_id,
        time_ms, ref_name, model_name, model_kind, NULL, NULL
    FROM events ORDER BY sequence;
DROP TABLE events;
ALTER TABLE events_with_approvals RENAME TO events;
CREATE INDEX events_by_model ON events (model_id, sequence);
CREATE INDEX events_by_approval ON events (approval_id, sequence);
CREATE INDEX approvals_by_expiry ON approvals (status, expires_ms);
