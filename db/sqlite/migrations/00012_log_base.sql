-- +goose Up

-- The first transaction of a write-ahead log notes in this one row the header that the database
-- had when the log was begun. The log shows by it to which database it belongs.
CREATE TABLE log_base (
  id     INTEGER PRIMARY KEY,
  header BLOB    NOT NULL,
  CONSTRAINT log_base_one CHECK (id = 1),
  CONSTRAINT log_base_header CHECK (length(header) = 100)
) STRICT;
