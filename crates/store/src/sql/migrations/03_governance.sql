-- API keys: everything but the secret. `record` is JSON.
CREATE TABLE api_keys (
    key_id      TEXT PRIMARY KEY,
    principal   TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    record      TEXT NOT NULL
) STRICT;

-- Changes that wait for somebody's yes, and those that were decided. `record` is what is shown, `draft` what is committed.
CREATE TABLE approvals (
    approval_id     TEXT PRIMARY KEY,
    status          TEXT NOT NULL,
    principal       TEXT NOT NULL,
    request_sha256  TEXT NOT NULL,
    model_id        TEXT NOT NULL,
    blob_sha256     TEXT,
    requested_ms    INTEGER NOT NULL,
    expires_ms      INTEGER NOT NULL,
    record          TEXT NOT NULL,
    draft           TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_by_time ON approvals (requested_ms, approval_id);
CREATE INDEX approvals_by_request ON approvals (principal, request_sha256, status);
