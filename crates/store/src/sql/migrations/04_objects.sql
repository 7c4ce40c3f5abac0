-- Objects: names that a principal chose, each with versions. A version without a blob says that the object was deleted.
CREATE TABLE object_keys (
    object_key  TEXT PRIMARY KEY,
    changes     INTEGER NOT NULL
) STRICT;

CREATE TABLE objects (
    object_key      TEXT NOT NULL REFERENCES object_keys (object_key),
    sequence        INTEGER NOT NULL,
    object_version  TEXT NOT NULL UNIQUE,
    sha256          TEXT,
    size            INTEGER NOT NULL,
    media_type      TEXT NOT NULL,
    principal       TEXT NOT NULL,
    time_ms         INTEGER NOT NULL,
    model_id        TEXT REFERENCES models (model_id),
    model_version   TEXT REFERENCES versions (version_id),
    PRIMARY KEY (object_key, sequence)
) STRICT;
CREATE INDEX objects_by_model ON objects (model_id, model_version);
