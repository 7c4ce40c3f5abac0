-- How a version came about (`contract::Manifest`), and what an event is about (`contract::EventSubject`), as JSON.
ALTER TABLE versions ADD COLUMN manifest TEXT;
ALTER TABLE events ADD COLUMN subject TEXT;
