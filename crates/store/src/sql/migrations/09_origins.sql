-- What a model was made from, as JSON: another model, its version, and which of its elements became what.
ALTER TABLE models ADD COLUMN origin TEXT;
ALTER TABLE events ADD COLUMN model_origin TEXT;
