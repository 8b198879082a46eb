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
  after     TEXT,
  CONSTRAINT journal_change CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT;
CREATE TABLE journal_links (
  through INTEGER PRIMARY KEY,
  hash    BLOB NOT NULL,
  CONSTRAINT journal_links_hash CHECK (length(hash) = 32)
) STRICT;
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
CREATE TABLE log_base (
  id     INTEGER PRIMARY KEY,
  header BLOB    NOT NULL,
  log    BLOB    NOT NULL, -- random
  CONSTRAINT log_base_one CHECK (id = 1),
  CONSTRAINT log_base_header CHECK (length(header) = 100),
  CONSTRAINT log_base_log CHECK (length(log) = 8)
) STRICT;
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-23 08:34:08');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-23 08:34:08');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-23 08:34:08');
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
INSERT INTO sequences VALUES ('actuals', 1);
INSERT INTO sequences VALUES ('budget_lines', 1);
INSERT INTO journal VALUES (1, 1795422848580604, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}');
INSERT INTO journal VALUES (2, 1795422848581757, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}');
INSERT INTO journal VALUES (3, 1795422848582283, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}');
INSERT INTO journal VALUES (4, 1795422848582810, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}');
INSERT INTO journal VALUES (5, 1795422848584629, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}');
INSERT INTO journal VALUES (6, 1795422848585844, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}');
INSERT INTO journal VALUES (7, 1795422848586955, 'test', 'r1', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL);
INSERT INTO journal VALUES (8, 1795422848588346, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}');
INSERT INTO journal VALUES (9, 1795422848589487, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}');
INSERT INTO journal VALUES (10, 1795422848590817, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}');
INSERT INTO journal VALUES (11, 1795422848592441, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (12, 1795422848592946, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (13, 1795422848593701, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}');
INSERT INTO journal VALUES (14, 1795422848597744, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}');
INSERT INTO journal VALUES (15, 1767355200000000, 'app restore', '', 'abandoned_heads', 1, NULL, '{"id":1,"seq":15,"hash":"30f513cf3103e5bfaba74af5ae9a0639ccc3409c7c59e03342fb5854bc5842c0","fork":14,"until":"2026-01-02T12:00:00Z","source":"backup.db"}');
INSERT INTO journal_links VALUES (1, X'E1E13031E9CA0C9AC632FA5409FA0DF32F4A99596B90FF664B9D675FD9FC0FCD');
INSERT INTO journal_links VALUES (2, X'B51E1D7B845BCACDB750C8C5F5B80646F3FCEBCF858E3A244645FAEB36F9207D');
INSERT INTO journal_links VALUES (3, X'BF685528E897DFC0745422B718B233C7B0045A1D7F60940ED2FCAE1A75FEE33D');
INSERT INTO journal_links VALUES (4, X'BEAF6E5E02A9549EADEF23B6E574FCFF4A44138D8981A992C65447A293FD0F31');
INSERT INTO journal_links VALUES (5, X'58EB374FE89C36F6B4610778009CCE19FDC071B17A4014103EA56617A2EBA12E');
INSERT INTO journal_links VALUES (6, X'7B556D20B043E63E9D668FAD083D9BF038D409C2ED1E7888967EC2CC74DA065B');
INSERT INTO journal_links VALUES (7, X'C52DEED75A944A5D65B1497F96DA3D1771C017FA1BC06BEF9A3B11B450AE11AF');
INSERT INTO journal_links VALUES (8, X'D9940511A01C77ABDD0761D519D4B63669F4E6BBEA2066B72A31C830B20681E6');
INSERT INTO journal_links VALUES (9, X'6A3F99279C23411BD5DF58954B1E488749B3D0F52633932BDB64CCA3FE015734');
INSERT INTO journal_links VALUES (10, X'E0D237E337F193EB7A017477A175AC17C600DB459D5B8F8DFFE21DBD1A3D533A');
INSERT INTO journal_links VALUES (11, X'8433207DC3C8F9118E595E4A07177D486CA6B87A1965E4E98C111066DC8B2DF9');
INSERT INTO journal_links VALUES (12, X'B55BF73024D4E7F131C8B0C5E458420011401F7B63AE6CBD84D99FD350A1D537');
INSERT INTO journal_links VALUES (13, X'F0CE0D15D4A4FCFDCB703FB75D503C30AEE1037B03F739B0507586B8B89626DE');
INSERT INTO journal_links VALUES (14, X'CE69778938759B7E7260521EBAD9D15A16D3CC48D4A7801632BF47DDC281CD63');
INSERT INTO journal_links VALUES (15, X'D878831EB72C2ECBDAF8F85C8A881A16B73BAC8CE8A42AD1474874761184A391');
INSERT INTO abandoned_heads VALUES (1, 15, X'30F513CF3103E5BFABA74AF5AE9A0639CCC3409C7C59E03342FB5854BC5842C0', 14, 1767355200000000, 'backup.db');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
INSERT INTO log_base VALUES (1, X'53514C69746520666F726D6174203300100002020040202000000009000000320000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', X'0102030405060708');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 3);
INSERT INTO sqlite_sequence VALUES ('currencies', 1);
INSERT INTO sqlite_sequence VALUES ('companies', 1);
INSERT INTO sqlite_sequence VALUES ('revenues', 1);
INSERT INTO sqlite_sequence VALUES ('trades', 3);
INSERT INTO sqlite_sequence VALUES ('departments', 1);
INSERT INTO sqlite_sequence VALUES ('gl_accounts', 1);
INSERT INTO sqlite_sequence VALUES ('tokens', 1);
INSERT INTO sqlite_sequence VALUES ('abandoned_heads', 1);
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
