-- Links that need no other right, to read one file or to give one. Of a link's secret only the hash is kept; `principal` is who made
-- it, in whose name it is followed. A link to give a file is used up by the first one.
CREATE TABLE links (
    link_sha256    TEXT PRIMARY KEY,
    principal      TEXT NOT NULL,
    name           TEXT NOT NULL,
    media_type     TEXT NOT NULL,
    blob_sha256    TEXT,
    bytes          INTEGER NOT NULL,
    created_ms     INTEGER NOT NULL,
    expires_ms     INTEGER NOT NULL,
    used_ms        INTEGER
) STRICT;
CREATE INDEX links_by_expiry ON links (expires_ms);
