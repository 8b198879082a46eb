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
  last      INTEGER NOT NULL,
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
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (5, 14, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (6, 15, 1, '2026-11-28 08:56:08');
INSERT INTO goose_db_version VALUES (7, 16, 1, '2026-11-28 08:56:08');
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
INSERT INTO journal VALUES (1, 1795856168289011, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (2, 1795856168296455, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}', NULL, NULL, NULL);
INSERT INTO journal VALUES (3, 1795856168297798, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}', NULL, NULL, NULL);
INSERT INTO journal VALUES (4, 1795856168298676, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (5, 1795856168299273, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (6, 1795856168301538, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (7, 1795856168310495, 'test', 'r2', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL, 'entered twice', NULL);
INSERT INTO journal VALUES (8, 1795856168315543, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}', NULL, NULL, NULL);
INSERT INTO journal VALUES (9, 1795856168316258, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}', NULL, NULL, NULL);
INSERT INTO journal VALUES (10, 1795856168317193, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}', NULL, NULL, NULL);
INSERT INTO journal VALUES (11, 1795856168327234, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (12, 1795856168327234, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}', 11, NULL, NULL);
INSERT INTO journal VALUES (13, 1795856168328371, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', NULL, NULL, NULL);
INSERT INTO journal VALUES (14, 1795856168346881, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (15, 1795856168377083, 'test', 'r1', 'actuals', 2, NULL, '{"id":2,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":2,"amount":0,"currency":"USD","source":"erp"}', NULL, NULL, 1);
INSERT INTO journal VALUES (16, 1795856168377083, 'test', 'r1', 'batches', 1, NULL, '{"id":1,"kind":"actuals","via":"import","state":"committed","file":"a.csv","sha256":"","map":"erp","source":"erp","actor":"test","at":"2026-11-28T08:56:08.377083Z","new":1,"changed":0,"unchanged":0,"already":0,"cleared":0,"skipped":0,"wrong":0,"undoes":null,"undone_by":null,"first":15,"last":16}', 15, NULL, 1);
INSERT INTO journal VALUES (17, 1795856168394639, 'test', 'r1', 'maps', 1, NULL, '{"id":1,"name":"erp","kind":"actuals","map":"{}","at":"2026-11-28T08:56:08.394639Z"}', NULL, NULL, NULL);
INSERT INTO journal VALUES (18, 1767355200000000, 'app restore', '', 'restores', 18, NULL, '{"id":18,"file":"backup.db","seq":17,"hash":"88edee2f0077ae950abb644ede31918cc064d1f2cf1b0c4e9255ed4e44955067"}', NULL, NULL, NULL);
INSERT INTO journal_links VALUES (1, X'FBDA43C04F90599656E81DAC47EE5151975F08C3F988F7EC29094B699CD765F5');
INSERT INTO journal_links VALUES (2, X'1AA9B2C7029794FFCA207C798D05E1687DB724348D844E279D91E44C93E93CEA');
INSERT INTO journal_links VALUES (3, X'9904778128551D6C05DE097B51984F9EE66BD524A32935F35E8EC477200E13F0');
INSERT INTO journal_links VALUES (4, X'751F7B830866BC9083E2BBAB614A52080853DCBC657AC70B70B6A69D04D86895');
INSERT INTO journal_links VALUES (5, X'34022A25C60D31789C45AEC3F2C12765CD0D3989570C8E3038AF73EA52CCA0D6');
INSERT INTO journal_links VALUES (6, X'67A6BDCE58869DFB32FB3585C50DB3139367F5147DE7AA0CB34776BB300EEB87');
INSERT INTO journal_links VALUES (7, X'0C2DBA71F2E2878810F4C91E8DDE37C33E6EAEF90DC210DCC69B9E92D634969B');
INSERT INTO journal_links VALUES (8, X'E21C3BFFF2CFCE1AC0FC8D1597B6B5752A0A5D2F896463C41F3F81F23A097320');
INSERT INTO journal_links VALUES (9, X'3D88E961D901D2117AF1396EDBABB3FABBDCEAC32A013C8FD9E83FA13C105C12');
INSERT INTO journal_links VALUES (10, X'B4B30A941C4131EF9840601AD62C0B79F2FA6D34AB229371154781E06FAE61FD');
INSERT INTO journal_links VALUES (12, X'C8CDFA5B45987D9CB98D83C99ED81EA54E0EA0FA26C8D210BDC984119BB04654');
INSERT INTO journal_links VALUES (13, X'2FD6E7FB3D9EFE9A7AC011D1166E931E136B5E0DBB2F8C1C4DAF76FD412B15C2');
INSERT INTO journal_links VALUES (14, X'3869ADE6396DF036354C911EE60AF3FB6CE5159ECC612EF6C1A8B2BA2648D701');
INSERT INTO journal_links VALUES (16, X'1982EBC53DCF493B73D84936774027AC019CEA480C864E9836BE7363D911C3CA');
INSERT INTO journal_links VALUES (17, X'88EDEE2F0077AE950ABB644EDE31918CC064D1F2CF1B0C4E9255ED4E44955067');
INSERT INTO journal_links VALUES (18, X'D072C5843053697DE2506BA325C9161D38FAEBDF7C6557C5E79DD03A487207AA');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
INSERT INTO batches VALUES (1, 'actuals', 'import', 'committed', 'a.csv', '', 'erp', 'erp', 'test', 1795856168377083, 1, 0, 0, 0, 0, 0, 0, NULL, NULL, 15, 16);
INSERT INTO maps VALUES (1, 'erp', 'actuals', '{}', 1795856168394639);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 7);
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
