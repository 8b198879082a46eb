-- +goose Up

-- A batch is what one import, one write of many rows, one copy or one undo of a batch stored. Its entries follow each
-- other: first to last, and the last one creates the batch. file, sha256, map and source are '' for none; sha256 is
-- in hexadecimal. The counts are of records, skipped of rows. at is in microseconds since 1970.
CREATE TABLE batches (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  kind      TEXT    NOT NULL,
  via       TEXT    NOT NULL,
  state     TEXT    NOT NULL,
  file      TEXT    NOT NULL,
  sha256    TEXT    NOT NULL,
  map       TEXT    NOT NULL,
  source    TEXT    NOT NULL,
  actor     TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  new       INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  already   INTEGER NOT NULL,
  cleared   INTEGER NOT NULL,
  skipped   INTEGER NOT NULL,
  wrong     INTEGER NOT NULL,
  undoes    INTEGER,
  undone_by INTEGER,
  first     INTEGER NOT NULL,
  last      INTEGER NOT NULL,
  CONSTRAINT batches_via CHECK (via IN ('import', 'bulk', 'copy', 'undo')),
  CONSTRAINT batches_state CHECK (state IN ('committed', 'partial', 'undone')),
  CONSTRAINT batches_undoes CHECK (undoes BETWEEN 1 AND id - 1),
  CONSTRAINT batches_undone_by CHECK (undone_by > id),
  CONSTRAINT batches_entries CHECK (first BETWEEN 1 AND last)
) STRICT;

ALTER TABLE journal ADD COLUMN batch INTEGER CONSTRAINT journal_batch CHECK (batch >= 1);

-- How a file is read, under a name. map is JSON. at is when it was stored last, in microseconds since 1970.
CREATE TABLE maps (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT    NOT NULL,
  kind TEXT    NOT NULL,
  map  TEXT    NOT NULL,
  at   INTEGER NOT NULL,
  CONSTRAINT maps_name UNIQUE (name),
  CONSTRAINT maps_name_length CHECK (length(name) BETWEEN 1 AND 64)
) STRICT;

-- The memory of imports of trades: from which source a trade came, under which id of the source ('' for none), the
-- SHA-256 of its content there, and that it was the n-th with this content. A row is not journalled, and stays when
-- its trade is voided. It does not count while undone is 1: the import of the trade was undone.
CREATE TABLE remembered_trades (
  trade_id    INTEGER NOT NULL,
  source      TEXT    NOT NULL,
  external_id TEXT    NOT NULL,
  hash        BLOB    NOT NULL,
  n           INTEGER NOT NULL,
  undone      INTEGER NOT NULL,
  CONSTRAINT remembered_trades_key PRIMARY KEY (trade_id, source),
  CONSTRAINT remembered_trades_hash CHECK (length(hash) = 32),
  CONSTRAINT remembered_trades_n CHECK (n >= 1),
  CONSTRAINT remembered_trades_undone CHECK (undone IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX remembered_trades_by_external_id ON remembered_trades (source, external_id) WHERE external_id <> '';
CREATE INDEX remembered_trades_by_hash ON remembered_trades (hash, source);
