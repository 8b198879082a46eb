-- +goose Up

-- The answers to requests that bore an Idempotency-Key, kept for seven days; at is in
-- microseconds since 1970.
CREATE TABLE idempotency_keys (
  key         TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL,
  status      INTEGER NOT NULL,
  body        BLOB    NOT NULL,
  at          INTEGER NOT NULL,
  CONSTRAINT idempotency_keys_key PRIMARY KEY (key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);
