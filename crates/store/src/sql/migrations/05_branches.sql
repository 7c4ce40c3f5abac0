-- A merge has a second parent, and a note that its adapter wants again when both sides meet another time. A version's
-- generation is one more than the larger of its parents'.
ALTER TABLE versions ADD COLUMN merged_id TEXT REFERENCES versions (version_id);
ALTER TABLE versions ADD COLUMN merge_note TEXT;
ALTER TABLE versions ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
CREATE INDEX versions_by_merged ON versions (merged_id);
CREATE INDEX versions_by_generation ON versions (model_id, generation, version_id);
WITH RECURSIVE line (id, depth) AS (
    SELECT version_id, 0 FROM versions WHERE parent_id IS NULL
    UNION ALL
    SELECT v.version_id, line.depth + 1 FROM line JOIN versions v ON v.parent_id = line.id
)
UPDATE versions SET generation = line.depth FROM line WHERE line.id = versions.version_id;

-- What an event did to a ref, and which model it began: enough to make models and refs again from the log alone.
ALTER TABLE events ADD COLUMN ref_name TEXT;
ALTER TABLE events ADD COLUMN model_name TEXT;
ALTER TABLE events ADD COLUMN model_kind TEXT;
UPDATE events SET ref_name = 'main';
UPDATE events SET
    model_name = (SELECT m.name FROM models m WHERE m.model_id = events.model_id),
    model_kind = (SELECT m.kind FROM models m WHERE m.model_id = events.model_id)
WHERE version_id IN (SELECT version_id FROM versions WHERE parent_id IS NULL);
