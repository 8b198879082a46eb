PRAGMA application_id = 1145133378;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
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
CREATE TABLE sequences (
  name TEXT    NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT sequences_key PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
CREATE TABLE journal (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT    NOT NULL,
  request   TEXT    NOT NULL,
  entity    TEXT    NOT NULL,
  entity_id INTEGER NOT NULL,
  before    TEXT,
  after     TEXT, first INTEGER CONSTRAINT journal_first CHECK (first BETWEEN 1 AND seq - 1), reason TEXT CONSTRAINT journal_reason CHECK (reason <> ''), batch INTEGER CONSTRAINT journal_batch CHECK (batch >= 1),
  CONSTRAINT journal_change CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT;
CREATE TABLE journal_links (
  through INTEGER PRIMARY KEY,
  hash    BLOB NOT NULL,
  CONSTRAINT journal_links_hash CHECK (length(hash) = 32)
) STRICT;
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
  CONSTRAINT tokens_expires_at CHECK (expires_at >= 0),
  CONSTRAINT tokens_revoked_at CHECK (revoked_at >= 0),
  CONSTRAINT tokens_last_used_at CHECK (last_used_at >= 0)
, CONSTRAINT tokens_scope CHECK (scope IN ('metrics', 'read', 'ingest', 'write', 'admin'))) STRICT;
CREATE TABLE sessions (
  digest     BLOB    NOT NULL,
  token_id   INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT sessions_key PRIMARY KEY (digest),
  CONSTRAINT sessions_token FOREIGN KEY (token_id) REFERENCES tokens (id),
  CONSTRAINT sessions_digest_length CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;
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
  last      INTEGER NOT NULL, doubtful INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT batches_via CHECK (via IN ('import', 'bulk', 'copy', 'undo')),
  CONSTRAINT batches_state CHECK (state IN ('committed', 'partial', 'undone')),
  CONSTRAINT batches_undoes CHECK (undoes BETWEEN 1 AND id - 1),
  CONSTRAINT batches_undone_by CHECK (undone_by > id),
  CONSTRAINT batches_entries CHECK (first BETWEEN 1 AND last)
) STRICT;
CREATE TABLE maps (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT    NOT NULL,
  kind TEXT    NOT NULL,
  map  TEXT    NOT NULL,
  at   INTEGER NOT NULL,
  CONSTRAINT maps_name UNIQUE (name),
  CONSTRAINT maps_name_length CHECK (length(name) BETWEEN 1 AND 64)
) STRICT;
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
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-28 10:58:36');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-28 10:58:36');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (5, 14, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (6, 15, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (7, 16, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (8, 17, 1, '2026-11-28 10:58:37');
INSERT INTO goose_db_version VALUES (9, 18, 1, '2026-11-28 10:58:37');
INSERT INTO currencies VALUES (1, 'USD', 'US dollar');
INSERT INTO companies VALUES (1, 'ACME', 0, 100, 1);
INSERT INTO revenues VALUES (1, 1, 'Lamps', 50000, NULL, NULL);
INSERT INTO trades VALUES (1, 'ACME', 'USD', 10, 0, 1, 500, 1767398400000000000);
INSERT INTO trades VALUES (3, 'ACME', 'USD', 10, 0, 1, 500, 1767225600000000000);
INSERT INTO positions VALUES ('ACME', 'USD', 0, 20, 500, 0, 1767398400000000000, 500, 1767225600000000000, 2, 0, 10000);
INSERT INTO position_checkpoints VALUES ('ACME', 'USD', 0, 10, 500, 0, 1767225600000000000, 500, 1767225600000000000, 1, 0, 5000);
INSERT INTO departments VALUES (1, 'FIN', 'fin', 'Finance', '', 1);
INSERT INTO gl_accounts VALUES (1, '6000', '6000', '', 'opex', 0);
INSERT INTO budget_lines VALUES (1, 1, 1, 2026, 1, 'original', 1, 'USD', '');
INSERT INTO actuals VALUES (1, 1, 1, 2026, 1, 1, 'USD', 'erp');
INSERT INTO actuals VALUES (2, 1, 1, 2026, 2, 0, 'USD', 'erp');
INSERT INTO sequences VALUES ('actuals', 2);
INSERT INTO sequences VALUES ('budget_lines', 1);
INSERT INTO journal VALUES (1, 1795863517231583, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (2, 1795863517233210, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}', NULL, NULL, NULL);
INSERT INTO journal VALUES (3, 1795863517233626, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}', NULL, NULL, NULL);
INSERT INTO journal VALUES (4, 1795863517238437, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (5, 1795863517239062, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (6, 1795863517239625, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (7, 1795863517240042, 'test', 'r2', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL, 'entered twice', NULL);
INSERT INTO journal VALUES (8, 1795863517240712, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}', NULL, NULL, NULL);
INSERT INTO journal VALUES (9, 1795863517241114, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}', NULL, NULL, NULL);
INSERT INTO journal VALUES (10, 1795863517241486, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}', NULL, NULL, NULL);
INSERT INTO journal VALUES (11, 1795863517241896, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (12, 1795863517241896, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}', 11, NULL, NULL);
INSERT INTO journal VALUES (13, 1795863517242551, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', NULL, NULL, NULL);
INSERT INTO journal VALUES (14, 1795863517246798, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (15, 1795863517247535, 'test', 'r1', 'actuals', 2, NULL, '{"id":2,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":2,"amount":0,"currency":"USD","source":"erp"}', NULL, NULL, 1);
INSERT INTO journal VALUES (16, 1795863517247535, 'test', 'r1', 'batches', 1, NULL, '{"id":1,"kind":"actuals","via":"import","state":"committed","file":"a.csv","sha256":"","map":"erp","source":"erp","actor":"test","at":"2026-11-28T10:58:37.247535Z","new":1,"changed":0,"unchanged":0,"already":0,"cleared":0,"skipped":0,"wrong":0,"undoes":null,"undone_by":null,"first":15,"last":16}', 15, NULL, 1);
INSERT INTO journal VALUES (17, 1795863517248367, 'test', 'r1', 'maps', 1, NULL, '{"id":1,"name":"erp","kind":"actuals","map":"{}","at":"2026-11-28T10:58:37.248367Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (18, 1767355200000000, 'app restore', '', 'restores', 18, NULL, '{"id":18,"file":"backup.db","seq":17,"hash":"6ee0e92b964a441682941696e345afdba99b9a8543b41fc720f22c845bbc71e1"}', NULL, NULL, NULL);
INSERT INTO journal_links VALUES (1, X'C2593EDC48AB3491A83B46647D7A04796505B7D5129A58BB218D63FF17020CB2');
INSERT INTO journal_links VALUES (2, X'4AD807475685D481FCC47D0485699CD112082EABE19755E2D056E8AD3EDB67D9');
INSERT INTO journal_links VALUES (3, X'2A18B2CBA0930B83B8170E7C441C8809478204D388DC2466B89E89A94309F5E2');
INSERT INTO journal_links VALUES (4, X'51EB9F1008DF145CBE2FDDBA34B5EE86B1285C3514482B1DE11CB7228310C4B2');
INSERT INTO journal_links VALUES (5, X'C96B177333CDB092375DC15869E305D5EFF52B2C8BE897575A116A5FCD0DF922');
INSERT INTO journal_links VALUES (6, X'606D851372A2F7381EF0C678824C35F11862AE2E32DA2B68FA4291322DE581FC');
INSERT INTO journal_links VALUES (7, X'6F9133658D423EDD493068A6570293A66F490FC6125218D78B31117190C4F383');
INSERT INTO journal_links VALUES (8, X'6A2544551C62133A3867B7F72E66B7D5931F3E80BF05E74018500CE927BE7DE1');
INSERT INTO journal_links VALUES (9, X'C75C9C0DEE3E3BA0CCBBAA9938B19D92D8997E164BBF6B43757F0AB76EB0C032');
INSERT INTO journal_links VALUES (10, X'2AEAFE0B79F664C248B96D90BFF9849479F3694757233629BA91A465AEA36A38');
INSERT INTO journal_links VALUES (12, X'3A115877F1B7648C6F393A453F9833F7BF1BF353FF9DD3F42E597A84333B7579');
INSERT INTO journal_links VALUES (13, X'AC87648289D5179608B76A493691EAE3755FADD553CF67B3096D72235C7BFB76');
INSERT INTO journal_links VALUES (14, X'F4CADEB47ACAD6CEC5FB5FBC78AB1B5F5D96FAE6D7FB514BAE9F415EDD1EF2E2');
INSERT INTO journal_links VALUES (16, X'93E13197525DE7F8BB35D722CA89683328ACE1B370417D26CE2593A7BA27615B');
INSERT INTO journal_links VALUES (17, X'6EE0E92B964A441682941696E345AFDBA99B9A8543B41FC720F22C845BBC71E1');
INSERT INTO journal_links VALUES (18, X'8F7A337B47E41127B8861CD7195328AD1BED0A8F3601369B8908FCE54D0A3E24');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
INSERT INTO batches VALUES (1, 'actuals', 'import', 'committed', 'a.csv', '', 'erp', 'erp', 'test', 1795863517247535, 1, 0, 0, 0, 0, 0, 0, NULL, NULL, 15, 16, 0);
INSERT INTO maps VALUES (1, 'erp', 'actuals', '{}', 1795863517248367);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 9);
INSERT INTO sqlite_sequence VALUES ('currencies', 1);
INSERT INTO sqlite_sequence VALUES ('companies', 1);
INSERT INTO sqlite_sequence VALUES ('revenues', 1);
INSERT INTO sqlite_sequence VALUES ('trades', 3);
INSERT INTO sqlite_sequence VALUES ('departments', 1);
INSERT INTO sqlite_sequence VALUES ('gl_accounts', 1);
INSERT INTO sqlite_sequence VALUES ('tokens', 1);
INSERT INTO sqlite_sequence VALUES ('batches', 1);
INSERT INTO sqlite_sequence VALUES ('maps', 1);
CREATE INDEX revenues_by_company ON revenues (company_id);
CREATE INDEX revenues_by_category ON revenues (company_id, category);
CREATE INDEX trades_by_instrument ON trades (symbol, currency_code, product, traded_at, id, shares, side, price);
CREATE INDEX trades_by_date ON trades (traded_at, id);
CREATE INDEX departments_by_name ON departments (name);
CREATE INDEX departments_by_cost_center ON departments (cost_center);
CREATE INDEX budget_lines_by_department ON budget_lines (department_id, id);
CREATE INDEX budget_lines_by_gl_account ON budget_lines (gl_account_id, id);
CREATE INDEX actuals_by_department ON actuals (department_id, id);
CREATE INDEX actuals_by_gl_account ON actuals (gl_account_id, id);
CREATE INDEX journal_by_record ON journal (seq >> 12, entity, entity_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);
CREATE INDEX idempotency_keys_by_bytes ON idempotency_keys (principal, running_bytes);
CREATE INDEX remembered_trades_by_external_id ON remembered_trades (source, external_id) WHERE external_id <> '';
CREATE INDEX remembered_trades_by_hash ON remembered_trades (hash, source);
CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_refuses_replace BEFORE INSERT ON journal
WHEN NEW.seq <= (SELECT max(seq) FROM journal)
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_links_refuse_update BEFORE UPDATE ON journal_links
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_links_refuse_delete BEFORE DELETE ON journal_links
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_links_refuse_replace BEFORE INSERT ON journal_links
WHEN NEW.through <= (SELECT max(through) FROM journal_links)
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
