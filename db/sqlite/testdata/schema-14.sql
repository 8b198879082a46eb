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
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-27 21:43:34');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-27 21:43:34');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-27 21:43:34');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-27 21:43:34');
INSERT INTO goose_db_version VALUES (5, 14, 1, '2026-11-27 21:43:34');
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
INSERT INTO journal VALUES (1, 1795815814606203, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}');
INSERT INTO journal VALUES (2, 1795815814607288, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}');
INSERT INTO journal VALUES (3, 1795815814609810, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}');
INSERT INTO journal VALUES (4, 1795815814610557, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}');
INSERT INTO journal VALUES (5, 1795815814611570, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}');
INSERT INTO journal VALUES (6, 1795815814614600, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}');
INSERT INTO journal VALUES (7, 1795815814615280, 'test', 'r1', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL);
INSERT INTO journal VALUES (8, 1795815814615776, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}');
INSERT INTO journal VALUES (9, 1795815814622874, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}');
INSERT INTO journal VALUES (10, 1795815814626556, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}');
INSERT INTO journal VALUES (11, 1795815814633026, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (12, 1795815814633610, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (13, 1795815814636966, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}');
INSERT INTO journal VALUES (14, 1795815814654152, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}');
INSERT INTO journal VALUES (15, 1767355200000000, 'app restore', '', 'restores', 15, NULL, '{"id":15,"file":"backup.db","seq":14,"hash":"96520c8a8e3d89e0be53741a50038629ace0bb6338bf6583c79fb761e12bae39"}');
INSERT INTO journal_links VALUES (1, X'497847A1EBD182874FDF3D34CCB8BB9B01828A728E95B98ACC711AD185CBEA09');
INSERT INTO journal_links VALUES (2, X'0C7AA4FD9B77729D1DDC0BA435C7ACE7036A2C0DC8A8D86749C40CB73478B70B');
INSERT INTO journal_links VALUES (3, X'EF5BA4990BC6A5C3AA7B3490F47408025B3B389EA4E3262481F55BF13E79AF37');
INSERT INTO journal_links VALUES (4, X'33B46B62ADBB60B87F32F9387013F22087F6D34FE658444996066B9DF2A35F7B');
INSERT INTO journal_links VALUES (5, X'96AD7DEBBD2F6AADBD14616E1C9F2B30402911FB83F270F666581BAE20CDD88C');
INSERT INTO journal_links VALUES (6, X'14DBF4381AB7D3116EC63205D8076ACA852EC09E05CCB007CFD9A02280F63CA8');
INSERT INTO journal_links VALUES (7, X'670AA5432F1F3F2E05EA6FD6DF95FEE41667DD12D8AB7BAD4DE4BB3E97E7FC68');
INSERT INTO journal_links VALUES (8, X'1EC89C985E2CC535FBF6515E202AC28C1E280535D082EA52FCD8D1B40FEC8FA9');
INSERT INTO journal_links VALUES (9, X'176C3149FC286CAB9A0D0AE3AA229D670CCEE7ED9A07A79B03275DC0841813A8');
INSERT INTO journal_links VALUES (10, X'321F23C4D854DC4A9D4A246021193D41ED2C454E390C6EA66269411D859D28DC');
INSERT INTO journal_links VALUES (11, X'8B85BA28AB45DDE4685FE1658F058547963F844D7F8080DD76DF46C61EEC88F2');
INSERT INTO journal_links VALUES (12, X'0F85AFA4C26F763F6E8BCC85F95BB5414B60B195DEAB316F6F54014B864EEBC8');
INSERT INTO journal_links VALUES (13, X'F7FA69CC810838C07C9853AED0F33053F6E20563CEDFF18210C0C4365CAB027A');
INSERT INTO journal_links VALUES (14, X'96520C8A8E3D89E0BE53741A50038629ACE0BB6338BF6583C79FB761E12BAE39');
INSERT INTO journal_links VALUES (15, X'72DDF8591B432AA6491B56E38DAA0EFEF6059204273166B08ED329C23F1305D3');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 5);
INSERT INTO sqlite_sequence VALUES ('currencies', 1);
INSERT INTO sqlite_sequence VALUES ('companies', 1);
INSERT INTO sqlite_sequence VALUES ('revenues', 1);
INSERT INTO sqlite_sequence VALUES ('trades', 3);
INSERT INTO sqlite_sequence VALUES ('departments', 1);
INSERT INTO sqlite_sequence VALUES ('gl_accounts', 1);
INSERT INTO sqlite_sequence VALUES ('tokens', 1);
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
