-- +goose Up

-- The first schema that was released. It is number 11, because unreleased builds made
-- databases of the versions 1 to 10, which this program refuses.

-- Portfolio. Prices are integers in units of 0.00000001, amounts in units of 0.0001;
-- instants are nanoseconds since 1970-01-01T00:00:00Z.

CREATE TABLE currencies (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  CONSTRAINT currencies_code UNIQUE (code),
  CONSTRAINT currencies_code_length CHECK (length(code) BETWEEN 1 AND 64)
) STRICT;

CREATE TABLE companies (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  name               TEXT    NOT NULL,
  shares_outstanding INTEGER NOT NULL,
  price              INTEGER NOT NULL,
  currency_id        INTEGER,
  CONSTRAINT companies_currency FOREIGN KEY (currency_id) REFERENCES currencies (id),
  CONSTRAINT companies_currency_id CHECK (currency_id <> 0),
  CONSTRAINT companies_shares_outstanding CHECK (shares_outstanding >= 0),
  CONSTRAINT companies_price CHECK (price BETWEEN 0 AND 999999999999999999)
) STRICT;

CREATE TABLE revenues (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id    INTEGER NOT NULL,
  category      TEXT    NOT NULL,
  amount        INTEGER NOT NULL,
  fiscal_year   INTEGER,
  currency_code TEXT,
  CONSTRAINT revenues_company FOREIGN KEY (company_id) REFERENCES companies (id),
  CONSTRAINT revenues_amount CHECK (amount BETWEEN -999999999999999999 AND 999999999999999999),
  CONSTRAINT revenues_fiscal_year CHECK (fiscal_year BETWEEN 1900 AND 9999),
  CONSTRAINT revenues_currency_code CHECK (currency_code <> '')
) STRICT;

CREATE INDEX revenues_by_company ON revenues (company_id);
CREATE INDEX revenues_by_category ON revenues (company_id, category);

-- side is 1 for a purchase and -1 for a sale, the sign its shares count with.
CREATE TABLE trades (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  symbol        TEXT    NOT NULL,
  currency_code TEXT    NOT NULL,
  shares        INTEGER NOT NULL,
  product       INTEGER NOT NULL,
  side          INTEGER NOT NULL,
  price         INTEGER NOT NULL,
  traded_at     INTEGER NOT NULL,
  CONSTRAINT trades_shares CHECK (shares >= 1),
  CONSTRAINT trades_product CHECK (product BETWEEN 0 AND 4),
  CONSTRAINT trades_side CHECK (side IN (1, -1)),
  CONSTRAINT trades_price CHECK (price BETWEEN 0 AND 999999999999999999)
) STRICT;

-- All that a position takes of its trades, in the order in which it takes them: by date,
-- then by id.
CREATE INDEX trades_by_instrument ON trades (symbol, currency_code, product, traded_at, id, shares, side, price);

CREATE INDEX trades_by_date ON trades (traded_at, id);

-- What the trades of an instrument add up to, kept in the trade's own transaction.
-- quantity is negative when short. average_rest continues average_price by 18 decimals.
-- traded_at and last_price are the latest trade's. The net cost is what all purchases cost
-- less the proceeds of all sales, sum(side * shares * price), an integer of 128 bits in
-- units of 0.00000001: net_cost_high * 2^64 + net_cost_low, with the low word unsigned.
-- Where 64 bits are enough, it is net_cost_low as it stands, and net_cost_high is 0 or -1.
CREATE TABLE positions (
  symbol          TEXT    NOT NULL,
  currency_code   TEXT    NOT NULL,
  product         INTEGER NOT NULL,
  quantity        INTEGER NOT NULL,
  average_price   INTEGER NOT NULL,
  average_rest    INTEGER NOT NULL,
  traded_at       INTEGER NOT NULL,
  last_price      INTEGER NOT NULL,
  first_traded_at INTEGER NOT NULL,
  trades          INTEGER NOT NULL,
  net_cost_high   INTEGER NOT NULL,
  net_cost_low    INTEGER NOT NULL,
  CONSTRAINT positions_key PRIMARY KEY (symbol, currency_code, product),
  CONSTRAINT positions_average_rest CHECK (average_rest BETWEEN 0 AND 999999999999999999),
  CONSTRAINT positions_trades CHECK (trades >= 1)
) STRICT, WITHOUT ROWID;

-- Positions at earlier dates: what the trades dated up to and including traded_at add up to.
-- When a trade comes late or is voided, its instrument is folded again from one of them.
-- Each is earlier than the instrument's position.
CREATE TABLE position_checkpoints (
  symbol          TEXT    NOT NULL,
  currency_code   TEXT    NOT NULL,
  product         INTEGER NOT NULL,
  quantity        INTEGER NOT NULL,
  average_price   INTEGER NOT NULL,
  average_rest    INTEGER NOT NULL,
  traded_at       INTEGER NOT NULL,
  last_price      INTEGER NOT NULL,
  first_traded_at INTEGER NOT NULL,
  trades          INTEGER NOT NULL,
  net_cost_high   INTEGER NOT NULL,
  net_cost_low    INTEGER NOT NULL,
  CONSTRAINT position_checkpoints_key PRIMARY KEY (symbol, currency_code, product, traded_at),
  CONSTRAINT position_checkpoints_average_rest CHECK (average_rest BETWEEN 0 AND 999999999999999999),
  CONSTRAINT position_checkpoints_trades CHECK (trades >= 1)
) STRICT, WITHOUT ROWID;

-- Budget. code_key is the code without regard to case, beyond ASCII too.

CREATE TABLE departments (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  code        TEXT    NOT NULL,
  code_key    TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  cost_center TEXT    NOT NULL,
  active      INTEGER NOT NULL,
  CONSTRAINT departments_code UNIQUE (code_key),
  CONSTRAINT departments_active CHECK (active IN (0, 1))
) STRICT;

CREATE INDEX departments_by_name ON departments (name);
CREATE INDEX departments_by_cost_center ON departments (cost_center);

CREATE TABLE gl_accounts (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  code        TEXT    NOT NULL,
  code_key    TEXT    NOT NULL,
  description TEXT    NOT NULL,
  type        TEXT    NOT NULL,
  favour_high INTEGER NOT NULL,
  CONSTRAINT gl_accounts_code UNIQUE (code_key),
  CONSTRAINT gl_accounts_type CHECK (type IN ('revenue', 'cogs', 'opex', 'capex', 'headcount')),
  CONSTRAINT gl_accounts_favour_high CHECK (favour_high IN (0, 1))
) STRICT;

-- Budget lines and actuals are clustered on the key that reports read them by, so
-- their ids cannot be rowids; sequences numbers them.

CREATE TABLE budget_lines (
  id            INTEGER NOT NULL,
  department_id INTEGER NOT NULL,
  gl_account_id INTEGER NOT NULL,
  fiscal_year   INTEGER NOT NULL,
  fiscal_period INTEGER NOT NULL,
  version       TEXT    NOT NULL,
  amount        INTEGER NOT NULL,
  currency      TEXT    NOT NULL,
  notes         TEXT    NOT NULL,
  CONSTRAINT budget_lines_key PRIMARY KEY (fiscal_year, fiscal_period, version, department_id, gl_account_id),
  CONSTRAINT budget_lines_id UNIQUE (id),
  CONSTRAINT budget_lines_department FOREIGN KEY (department_id) REFERENCES departments (id),
  CONSTRAINT budget_lines_gl_account FOREIGN KEY (gl_account_id) REFERENCES gl_accounts (id),
  CONSTRAINT budget_lines_fiscal_year CHECK (fiscal_year BETWEEN 1900 AND 9999),
  CONSTRAINT budget_lines_fiscal_period CHECK (fiscal_period BETWEEN 1 AND 12),
  CONSTRAINT budget_lines_version CHECK (version IN ('original', 'forecast1', 'forecast2', 'forecast3')),
  CONSTRAINT budget_lines_amount CHECK (amount BETWEEN -999999999999999999 AND 999999999999999999)
) STRICT, WITHOUT ROWID;

CREATE TABLE actuals (
  id            INTEGER NOT NULL,
  department_id INTEGER NOT NULL,
  gl_account_id INTEGER NOT NULL,
  fiscal_year   INTEGER NOT NULL,
  fiscal_period INTEGER NOT NULL,
  amount        INTEGER NOT NULL,
  currency      TEXT    NOT NULL,
  source        TEXT    NOT NULL,
  CONSTRAINT actuals_key PRIMARY KEY (fiscal_year, fiscal_period, department_id, gl_account_id),
  CONSTRAINT actuals_id UNIQUE (id),
  CONSTRAINT actuals_department FOREIGN KEY (department_id) REFERENCES departments (id),
  CONSTRAINT actuals_gl_account FOREIGN KEY (gl_account_id) REFERENCES gl_accounts (id),
  CONSTRAINT actuals_fiscal_year CHECK (fiscal_year BETWEEN 1900 AND 9999),
  CONSTRAINT actuals_fiscal_period CHECK (fiscal_period BETWEEN 1 AND 12),
  CONSTRAINT actuals_amount CHECK (amount BETWEEN -999999999999999999 AND 999999999999999999)
) STRICT, WITHOUT ROWID;

-- What a list of one department or account, or of all by code, is read along.
CREATE INDEX budget_lines_by_department ON budget_lines (department_id, id);
CREATE INDEX budget_lines_by_gl_account ON budget_lines (gl_account_id, id);
CREATE INDEX actuals_by_department ON actuals (department_id, id);
CREATE INDEX actuals_by_gl_account ON actuals (gl_account_id, id);

-- The newest id given to a table that has no rowid; ids are never given twice.
CREATE TABLE sequences (
  name TEXT    NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT sequences_key PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

INSERT INTO sequences (name, last) VALUES ('budget_lines', 0), ('actuals', 0);

-- Journal. Every change of a record above, and of a token, in the transaction of the
-- change. before and after are the record as a JSON object with the table's column names,
-- decimals and dates as the interface answers them; at is in microseconds since 1970.
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

-- A record's entries are found block by block, 4,096 entries each: a new entry goes to a
-- page that was written a moment ago, whichever record it is about.
CREATE INDEX journal_by_record ON journal (seq >> 12, entity, entity_id);

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

-- The ends of the branches that the journal does not continue: seq is the last entry of
-- the branch and hash its link. The branch has the entries up to fork in common with the
-- journal, and no backup of it was taken after until, in microseconds since 1970. source
-- is the backup that was restored in its place, or the manifest by which it was accepted.
CREATE TABLE abandoned_heads (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  seq    INTEGER NOT NULL,
  hash   BLOB    NOT NULL,
  fork   INTEGER NOT NULL,
  until  INTEGER NOT NULL,
  source TEXT    NOT NULL,
  CONSTRAINT abandoned_heads_hash UNIQUE (hash),
  CONSTRAINT abandoned_heads_hash_length CHECK (length(hash) = 32),
  CONSTRAINT abandoned_heads_fork CHECK (fork >= 0 AND fork < seq)
) STRICT;

-- Access. Who may come in; times are in microseconds since 1970. digest is the SHA-256
-- of a secret that is kept nowhere.

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
  CONSTRAINT tokens_scope CHECK (scope IN ('read', 'ingest', 'write', 'admin')),
  CONSTRAINT tokens_expires_at CHECK (expires_at >= 0),
  CONSTRAINT tokens_revoked_at CHECK (revoked_at >= 0),
  CONSTRAINT tokens_last_used_at CHECK (last_used_at >= 0)
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

-- Idempotency. The answers to requests that bore an Idempotency-Key; at is in
-- microseconds since 1970. principal is who sent the request: the id of a token, or
-- 'local' where no token is needed. seq is the journal entry of the request's write: such
-- a request changes exactly one record, and body is that record. running_bytes is the sum
-- of the sizes of all answers kept for the principal so far, this one's included: the
-- newest of a principal less the oldest is how much is kept for it.
CREATE TABLE idempotency_keys (
  principal     TEXT    NOT NULL,
  key           TEXT    NOT NULL,
  fingerprint   BLOB    NOT NULL,
  status        INTEGER NOT NULL,
  body          BLOB    NOT NULL,
  at            INTEGER NOT NULL,
  seq           INTEGER NOT NULL,
  running_bytes INTEGER NOT NULL,
  CONSTRAINT idempotency_keys_key PRIMARY KEY (principal, key),
  CONSTRAINT idempotency_keys_seq CHECK (seq >= 1),
  CONSTRAINT idempotency_keys_running_bytes CHECK (running_bytes BETWEEN 1 AND 4611686018427387904)
) STRICT, WITHOUT ROWID;

-- The orders in which answers are forgotten: those of all by age, those of each principal
-- by what is kept for it.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);
CREATE INDEX idempotency_keys_by_bytes ON idempotency_keys (principal, running_bytes);
