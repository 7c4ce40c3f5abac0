-- The database's own id, which checkpoints of its audit log name. One row.
CREATE TABLE identity (
    database_id  TEXT PRIMARY KEY,
    time_ms      INTEGER NOT NULL
) STRICT;
