-- +goose Up

-- A transaction that may begin a write-ahead log notes in this one row the newest link of the
-- journal before it. So does one without entries in the journal, as a sign-in. The log shows by
-- it which journal it continues.
CREATE TABLE followed_links (
  id      INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  hash    BLOB    NOT NULL,
  CONSTRAINT followed_links_one CHECK (id = 1),
  CONSTRAINT followed_links_hash CHECK (length(hash) = 32)
) STRICT;
