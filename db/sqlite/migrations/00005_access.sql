-- +goose Up

-- Who may come in; times are in microseconds since 1970. digest is the SHA-256 of a
-- secret that is kept nowhere.

CREATE TABLE tokens (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  name         TEXT    NOT NULL,
  scope        TEXT    NOT NULL,
  digest       BLOB    NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER,
  CONSTRAINT tokens_digest UNIQUE (digest),
  CONSTRAINT tokens_digest_length CHECK (length(digest) = 32),
  CONSTRAINT tokens_scope CHECK (scope IN ('read', 'ingest', 'write', 'admin'))
) STRICT;

CREATE TABLE sessions (
  digest     BLOB    NOT NULL,
  token_id   INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT sessions_key PRIMARY KEY (digest),
  CONSTRAINT sessions_token FOREIGN KEY (token_id) REFERENCES tokens (id),
  CONSTRAINT sessions_digest_length CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_end ON sessions (expires_at);
