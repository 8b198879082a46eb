-- +goose Up

-- The first transaction of a write-ahead log notes in this one row the header that the database
-- had when the log was begun. The log shows by it to which database it belongs. Two copies of a
-- database may each begin a log, so the row also names the log.
CREATE TABLE log_base (
  id     INTEGER PRIMARY KEY,
  header BLOB    NOT NULL,
  log    BLOB    NOT NULL, -- random
  CONSTRAINT log_base_one CHECK (id = 1),
  CONSTRAINT log_base_header CHECK (length(header) = 100),
  CONSTRAINT log_base_log CHECK (length(log) = 8)
) STRICT;
