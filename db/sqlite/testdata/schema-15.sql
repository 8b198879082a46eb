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
  after     TEXT, first INTEGER CONSTRAINT journal_first CHECK (first BETWEEN 1 AND seq - 1), reason TEXT CONSTRAINT journal_reason CHECK (reason <> ''),
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
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-28 00:04:52');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-28 00:04:52');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-28 00:04:52');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-28 00:04:52');
INSERT INTO goose_db_version VALUES (5, 14, 1, '2026-11-28 00:04:52');
INSERT INTO goose_db_version VALUES (6, 15, 1, '2026-11-28 00:04:52');
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
INSERT INTO journal VALUES (1, 1795824292699665, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}', NULL, NULL);
INSERT INTO journal VALUES (2, 1795824292740753, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}', NULL, NULL);
INSERT INTO journal VALUES (3, 1795824292741302, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}', NULL, NULL);
INSERT INTO journal VALUES (4, 1795824292741748, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}', NULL, NULL);
INSERT INTO journal VALUES (5, 1795824292742393, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL);
INSERT INTO journal VALUES (6, 1795824292743249, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}', NULL, NULL);
INSERT INTO journal VALUES (7, 1795824292744429, 'test', 'r2', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL, NULL, 'entered twice');
INSERT INTO journal VALUES (8, 1795824292746414, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}', NULL, NULL);
INSERT INTO journal VALUES (9, 1795824292746992, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}', NULL, NULL);
INSERT INTO journal VALUES (10, 1795824292747897, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}', NULL, NULL);
INSERT INTO journal VALUES (11, 1795824292749114, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', NULL, NULL);
INSERT INTO journal VALUES (12, 1795824292749114, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}', 11, NULL);
INSERT INTO journal VALUES (13, 1795824292749685, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', NULL, NULL);
INSERT INTO journal VALUES (14, 1795824292751862, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}', NULL, NULL);
INSERT INTO journal VALUES (15, 1767355200000000, 'app restore', '', 'restores', 15, NULL, '{"id":15,"file":"backup.db","seq":14,"hash":"d1ff43170d74c98c1b354416e641522cb7ec950a277d659237dcf690a2709f5a"}', NULL, NULL);
INSERT INTO journal_links VALUES (1, X'E1D3FF492214F4AB58D4A91C8DC3AFFCF14C49FB3AE9B316D526D74B765CEE97');
INSERT INTO journal_links VALUES (2, X'A28A9E9380A4EB1DE23D18445BFC6921E7803D3E57AD692FA5EC134DFCED0C0E');
INSERT INTO journal_links VALUES (3, X'C8B6AB0CB1318118E815A9C528E2EFA11A40711FDA0A19BE160DBEE3059E32CD');
INSERT INTO journal_links VALUES (4, X'C2E610DB7A7EA19B70B9AD4EED2D61713429AB0816B3622D73484E9F06E09AD1');
INSERT INTO journal_links VALUES (5, X'6D3F188134512E017A846B260915FA2D894DA50E43AACC1B3634AEAC30F0B4E4');
INSERT INTO journal_links VALUES (6, X'506F8E7A038B1C1D00DE2D77B26C1435AB9452105F2FD418B5E91715711582FE');
INSERT INTO journal_links VALUES (7, X'0D2113A202657425A363065090203AA854D3A1ABA1CD305A853BC5F94D6397B1');
INSERT INTO journal_links VALUES (8, X'F9C519561C4074D0BBB4D0281C26BD94FA4E686D7675C03F8B799D507861E00E');
INSERT INTO journal_links VALUES (9, X'6974AC00905B3964A705ABC7283E73D869D00A382AA4A36D8B330BB1083203AD');
INSERT INTO journal_links VALUES (10, X'9DBE63317D500C5563B3B01A2EB205C5FA16117B85C3EBBB2C0530503BD8A42D');
INSERT INTO journal_links VALUES (12, X'6F3709EE806CD75254985EE2339121F7E73A000342254055638D366A2515D3F2');
INSERT INTO journal_links VALUES (13, X'B05AF280F78FAF90BC8E94AC5CB79C0253082DE369E3D43EC6891C9E269A6829');
INSERT INTO journal_links VALUES (14, X'D1FF43170D74C98C1B354416E641522CB7EC950A277D659237DCF690A2709F5A');
INSERT INTO journal_links VALUES (15, X'660FE71BECC886012939EE41A1D882B1D50076DB2B7544D0EA7DA24E3F5ADC75');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 6);
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
