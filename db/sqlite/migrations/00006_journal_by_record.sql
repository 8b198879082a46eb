-- +goose Up

-- A record's entries are found block by block, 4,096 entries each: a new one goes to
-- a place that was written a moment ago, whichever record it tells of, and not to one
-- of the pages of all records that there are.
DROP INDEX journal_by_entity;
CREATE INDEX journal_by_record ON journal (seq >> 12, entity, entity_id);
