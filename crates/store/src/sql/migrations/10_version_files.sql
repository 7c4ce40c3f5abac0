-- The version that an operation made a file of, for files that can be made of it again.
ALTER TABLE files ADD COLUMN model_id TEXT REFERENCES models (model_id);
ALTER TABLE files ADD COLUMN model_version TEXT REFERENCES versions (version_id);
CREATE INDEX files_by_version ON files (model_id, model_version, time_ms);
