-- Work beside the calls that one gateway does for all, and until when others leave it alone.

CREATE TABLE claims (
    work      TEXT PRIMARY KEY,
    holder    TEXT NOT NULL,
    until_ms  INTEGER NOT NULL
) STRICT;
