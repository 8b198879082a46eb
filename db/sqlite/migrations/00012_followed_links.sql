-- +goose Up

-- A sign-in, a sign-out and the use of a token have no entry in the journal. Their transaction
-- notes the newest link of the journal in this one row. So their write-ahead log shows which
-- journal it continues, as every other log does by its links.
CREATE TABLE followed_links (
  id      INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  hash    BLOB    NOT NULL,
  CONSTRAINT followed_links_one CHECK (id = 1),
  CONSTRAINT followed_links_hash CHECK (length(hash) = 32)
) STRICT;
