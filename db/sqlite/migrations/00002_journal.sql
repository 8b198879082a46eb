-- +goose Up

-- Every change of a record above, in the transaction of the change. before and after
-- are the record as a JSON object with the table's column names, decimals and dates
-- as the interface answers them; at is in microseconds since 1970.
CREATE TABLE journal (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT    NOT NULL,
  request   TEXT    NOT NULL,
  entity    TEXT    NOT NULL,
  entity_id INTEGER NOT NULL,
  before    TEXT,
  after     TEXT,
  CONSTRAINT journal_change CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT;

CREATE INDEX journal_by_entity ON journal (entity, entity_id);

-- One link of the chain for each commit: the hash of the link before it and of all
-- entries up to and with the one named by through.
CREATE TABLE journal_links (
  through INTEGER PRIMARY KEY,
  hash    BLOB NOT NULL,
  CONSTRAINT journal_links_hash CHECK (length(hash) = 32)
) STRICT;

-- Both only grow. The triggers on INSERT refuse a REPLACE, which would delete without
-- firing a trigger on DELETE.

-- +goose StatementBegin
CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER journal_refuses_replace BEFORE INSERT ON journal
WHEN NEW.seq <= (SELECT max(seq) FROM journal)
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER journal_links_refuse_update BEFORE UPDATE ON journal_links
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER journal_links_refuse_delete BEFORE DELETE ON journal_links
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER journal_links_refuse_replace BEFORE INSERT ON journal_links
WHEN NEW.through <= (SELECT max(through) FROM journal_links)
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
-- +goose StatementEnd
