-- What each open page of the viewer shows; a page that is not heard of any more is left out, and forgotten in time.
CREATE TABLE sights (
    principal    TEXT NOT NULL,
    viewer       TEXT NOT NULL,
    model_id     TEXT NOT NULL,
    version_id   TEXT NOT NULL,
    sight        TEXT NOT NULL,
    time_ms      INTEGER NOT NULL,
    PRIMARY KEY (principal, viewer)
) STRICT;
CREATE INDEX sights_of_models ON sights (model_id, time_ms);
