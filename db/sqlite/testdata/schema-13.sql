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
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-27 21:05:14');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-27 21:05:14');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-27 21:05:14');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-27 21:05:14');
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
INSERT INTO journal VALUES (1, 1795813514442016, 'test', 'r1', 'currencies', 1, NULL, '{"id":1,"code":"USD","name":"US dollar"}');
INSERT INTO journal VALUES (2, 1795813514443320, 'test', 'r1', 'companies', 1, NULL, '{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}');
INSERT INTO journal VALUES (3, 1795813514446343, 'test', 'r1', 'revenues', 1, NULL, '{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}');
INSERT INTO journal VALUES (4, 1795813514448704, 'test', 'r1', 'trades', 1, NULL, '{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}');
INSERT INTO journal VALUES (5, 1795813514450737, 'test', 'r1', 'trades', 2, NULL, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}');
INSERT INTO journal VALUES (6, 1795813514451755, 'test', 'r1', 'trades', 3, NULL, '{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}');
INSERT INTO journal VALUES (7, 1795813514454358, 'test', 'r1', 'trades', 2, '{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}', NULL);
INSERT INTO journal VALUES (8, 1795813514456709, 'test', 'r1', 'departments', 1, NULL, '{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}');
INSERT INTO journal VALUES (9, 1795813514458461, 'test', 'r1', 'gl_accounts', 1, NULL, '{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}');
INSERT INTO journal VALUES (10, 1795813514468643, 'test', 'r1', 'budget_lines', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}');
INSERT INTO journal VALUES (11, 1795813514469228, 'test', 'r1', 'actuals', 1, NULL, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (12, 1795813514470316, 'test', 'r1', 'actuals', 1, '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}', '{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES (13, 1795813514471117, 'test', 'r1', 'tokens', 1, NULL, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}');
INSERT INTO journal VALUES (14, 1795813514478444, 'test', 'r1', 'tokens', 1, '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}', '{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}');
INSERT INTO journal VALUES (15, 1767355200000000, 'app restore', '', 'abandoned_heads', 1, NULL, '{"id":1,"seq":15,"hash":"17779559c1616b04e8b79f40ce1df8d37736fe6e709a9c535204042b81601880","fork":14,"until":"2026-01-02T12:00:00Z","source":"backup.db"}');
INSERT INTO journal_links VALUES (1, X'ABA2E7C3CC8ACA4857A64D0FFB2DF737560C7E559615DF65E7E4F2156B48CFCA');
INSERT INTO journal_links VALUES (2, X'B1592242352BEE1CDC1D0C79C88FDD9F592D8519BCFC8F014626848B65DDF507');
INSERT INTO journal_links VALUES (3, X'B7D09407E9EBF1C6E0375CE7880E925AA701AA0694D9A63871A2C781DB661DE3');
INSERT INTO journal_links VALUES (4, X'216EE626727B04ED4FD349D633444C950196C57E7FB3E26F7D06CEF8EEEC037E');
INSERT INTO journal_links VALUES (5, X'B5D977C30D027DD515A186636D85259F303056FCF99DA32F0A1C31C8A556F9F8');
INSERT INTO journal_links VALUES (6, X'9F2533C9497E4A220EAE7F976D392E3DF2E3818BECE7E945765A7348BFB59B38');
INSERT INTO journal_links VALUES (7, X'7F4FF3CF2730ABF6AEC14C567845386652EC5191385DF22A8FF10F9D1B985912');
INSERT INTO journal_links VALUES (8, X'306184DB91931AD49745A71A90EFFA95C00DD689933FAA8CB01C3C0A1E192C3E');
INSERT INTO journal_links VALUES (9, X'BF1EBD55FF0718C08CE4174B5EA0562860BD0053F77584BAA197572A9469C0CC');
INSERT INTO journal_links VALUES (10, X'6CA11E90B38D7D05441FF0A8404805011F046182CA74C838A4BC1EBE597FB6C1');
INSERT INTO journal_links VALUES (11, X'EF3521C3DB946DF3A5F22B541E9F603E30678E3E9233D4C3D26EEBE36BF53995');
INSERT INTO journal_links VALUES (12, X'9C1A7862BDDBFA9B908A0694D89D5CF4ED47AE1092C41B3FD7EF485674D0802E');
INSERT INTO journal_links VALUES (13, X'EEDEEA031D17505CE5427C101BEBFEBA83533513377BC2D3C4229D14DA085452');
INSERT INTO journal_links VALUES (14, X'81BB82F41E614E05E0D19E24F1B30A34042A966E0B1DF82F50EE2EC283C52562');
INSERT INTO journal_links VALUES (15, X'F2653B81C7BE917C424DC6D9FC48A021304DC5B39003ED20A442FA1A0C8C3D8B');
INSERT INTO abandoned_heads VALUES (1, 15, X'17779559C1616B04E8B79F40CE1DF8D37736FE6E709A9C535204042B81601880', 14, 1767355200000000, 'backup.db');
INSERT INTO tokens VALUES (1, 'feed', 'ingest', X'0100000000000000000000000000000000000000000000000000000000000000', 1767312000000001, 1798848000000001, 1767315600000001, 1767312060000001);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 4);
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
