-- A database as the first release made it: its schema at version 11, with records of every kind,
-- of which some were changed and some removed.
PRAGMA application_id = 1145133378;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version VALUES(1,0,1,'2026-01-01 12:00:00');
INSERT INTO goose_db_version VALUES(2,11,1,'2026-01-01 12:00:00');
CREATE TABLE currencies (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  CONSTRAINT currencies_code UNIQUE (code),
  CONSTRAINT currencies_code_length CHECK (length(code) BETWEEN 1 AND 64)
) STRICT;
INSERT INTO currencies VALUES(1,'USD','US dollar');
INSERT INTO currencies VALUES(2,'EUR','Euro');
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
INSERT INTO companies VALUES(1,'ACME',0,100,1);
INSERT INTO companies VALUES(2,'Bücher & Söhne',1000000,0,NULL);
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
INSERT INTO revenues VALUES(1,1,'Lamps',50000,NULL,NULL);
INSERT INTO revenues VALUES(2,2,'Repairs',-1,2025,'EUR');
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
INSERT INTO trades VALUES(1,'ACME','USD',10,0,1,500,1767398400000000000);
INSERT INTO trades VALUES(3,'ACME','USD',10,0,1,500,1767225600000000000);
INSERT INTO trades VALUES(4,'ACME','EUR',3,1,-1,1,1767225600000000001);
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
INSERT INTO positions VALUES('ACME','EUR',1,-3,1,0,1767225600000000001,1,1767225600000000001,1,-1,-3);
INSERT INTO positions VALUES('ACME','USD',0,20,500,0,1767398400000000000,500,1767225600000000000,2,0,10000);
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
INSERT INTO position_checkpoints VALUES('ACME','USD',0,10,500,0,1767225600000000000,500,1767225600000000000,1,0,5000);
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
INSERT INTO departments VALUES(1,'FIN','fin','Finance','',1);
INSERT INTO departments VALUES(2,'Ärzte','ärzte','Doctors','CC-1',1);
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
INSERT INTO gl_accounts VALUES(1,'6000','6000','','opex',0);
INSERT INTO gl_accounts VALUES(2,'4000','4000','Sales','revenue',1);
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
INSERT INTO budget_lines VALUES(1,1,1,2026,1,'original',8,'USD','');
INSERT INTO budget_lines VALUES(2,2,2,2026,12,'forecast1',-5,'EUR',replace('said "so"\nand ''so''','\n',char(10)));
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
INSERT INTO actuals VALUES(1,1,1,2026,1,1,'USD','erp');
INSERT INTO actuals VALUES(3,2,2,2026,12,11,'EUR','');
CREATE TABLE sequences (
  name TEXT    NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT sequences_key PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
INSERT INTO sequences VALUES('actuals',3);
INSERT INTO sequences VALUES('budget_lines',3);
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
INSERT INTO journal VALUES(1,1767268800001000,'test','r1','currencies',1,NULL,'{"id":1,"code":"USD","name":"US dollar"}');
INSERT INTO journal VALUES(2,1767268800004000,'test','r1','companies',1,NULL,'{"id":1,"name":"ACME","shares_outstanding":0,"price":0.000001,"currency_id":1}');
INSERT INTO journal VALUES(3,1767268800007000,'test','r1','revenues',1,NULL,'{"id":1,"company_id":1,"category":"Lamps","amount":5,"fiscal_year":null,"currency_code":null}');
INSERT INTO journal VALUES(4,1767268800010000,'test','r1','trades',1,NULL,'{"id":1,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-03T00:00:00Z"}');
INSERT INTO journal VALUES(5,1767268800013000,'test','r1','trades',2,NULL,'{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}');
INSERT INTO journal VALUES(6,1767268800016000,'test','r1','trades',3,NULL,'{"id":3,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-01T00:00:00Z"}');
INSERT INTO journal VALUES(7,1767268800019000,'test','r1','trades',2,'{"id":2,"symbol":"ACME","currency_code":"USD","shares":10,"product":0,"side":1,"price":0.000005,"traded_at":"2026-01-02T00:00:00Z"}',NULL);
INSERT INTO journal VALUES(8,1767268800022000,'test','r1','departments',1,NULL,'{"id":1,"code":"FIN","name":"Finance","cost_center":"","active":true}');
INSERT INTO journal VALUES(9,1767268800025000,'test','r1','gl_accounts',1,NULL,'{"id":1,"code":"6000","description":"","type":"opex","favour_high":false}');
INSERT INTO journal VALUES(10,1767268800028000,'test','r1','budget_lines',1,NULL,'{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}');
INSERT INTO journal VALUES(11,1767268800031000,'test','r1','actuals',1,NULL,'{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES(12,1767268800034000,'test','r1','actuals',1,'{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0,"currency":"USD","source":"erp"}','{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":0.0001,"currency":"USD","source":"erp"}');
INSERT INTO journal VALUES(13,1767268800037000,'test','r1','tokens',1,NULL,'{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}');
INSERT INTO journal VALUES(14,1767268800046000,'test','r1','tokens',1,'{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":null}','{"id":1,"name":"feed","scope":"ingest","sha256":"0100000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-02T00:00:00.000001Z","expires_at":"2027-01-02T00:00:00.000001Z","revoked_at":"2026-01-02T01:00:00.000001Z"}');
INSERT INTO journal VALUES(15,1767268800052000,'feed (token 2)','r2','tokens',2,NULL,'{"id":2,"name":"Büro","scope":"write","sha256":"0400000000000000000000000000000000000000000000000000000000000000","created_at":"2026-01-01T12:00:00.051Z","expires_at":null,"revoked_at":null}');
INSERT INTO journal VALUES(16,1767268800058000,'feed (token 2)','r2','currencies',2,NULL,'{"id":2,"code":"EUR","name":"Euro"}');
INSERT INTO journal VALUES(17,1767268800061000,'feed (token 2)','r2','companies',2,NULL,'{"id":2,"name":"Bücher & Söhne","shares_outstanding":1000000,"price":0,"currency_id":null}');
INSERT INTO journal VALUES(18,1767268800064000,'feed (token 2)','r2','revenues',2,NULL,'{"id":2,"company_id":2,"category":"Repairs","amount":-0.0001,"fiscal_year":2025,"currency_code":"EUR"}');
INSERT INTO journal VALUES(19,1767268800067000,'feed (token 2)','r2','trades',4,NULL,'{"id":4,"symbol":"ACME","currency_code":"EUR","shares":3,"product":1,"side":-1,"price":0.00000001,"traded_at":"2026-01-01T00:00:00.000000001Z"}');
INSERT INTO journal VALUES(20,1767268800070000,'feed (token 2)','r2','departments',2,NULL,'{"id":2,"code":"Ärzte","name":"Doctors","cost_center":"CC-1","active":false}');
INSERT INTO journal VALUES(21,1767268800073000,'feed (token 2)','r2','departments',2,'{"id":2,"code":"Ärzte","name":"Doctors","cost_center":"CC-1","active":false}','{"id":2,"code":"Ärzte","name":"Doctors","cost_center":"CC-1","active":true}');
INSERT INTO journal VALUES(22,1767268800076000,'feed (token 2)','r2','departments',3,NULL,'{"id":3,"code":"OLD","name":"Old","cost_center":"","active":true}');
INSERT INTO journal VALUES(23,1767268800079000,'feed (token 2)','r2','departments',3,'{"id":3,"code":"OLD","name":"Old","cost_center":"","active":true}',NULL);
INSERT INTO journal VALUES(24,1767268800082000,'feed (token 2)','r2','gl_accounts',2,NULL,'{"id":2,"code":"4000","description":"Sales","type":"revenue","favour_high":true}');
INSERT INTO journal VALUES(25,1767268800085000,'feed (token 2)','r2','gl_accounts',3,NULL,'{"id":3,"code":"9999","description":"","type":"capex","favour_high":false}');
INSERT INTO journal VALUES(26,1767268800088000,'feed (token 2)','r2','gl_accounts',3,'{"id":3,"code":"9999","description":"","type":"capex","favour_high":false}',NULL);
INSERT INTO journal VALUES(27,1767268800091000,'feed (token 2)','r2','budget_lines',2,NULL,'{"id":2,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"version":"forecast1","amount":-0.0005,"currency":"EUR","notes":"said \"so\"\nand ''so''"}');
INSERT INTO journal VALUES(28,1767268800091000,'feed (token 2)','r2','budget_lines',3,NULL,'{"id":3,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"version":"original","amount":0.0007,"currency":"EUR","notes":""}');
INSERT INTO journal VALUES(29,1767268800094000,'feed (token 2)','r2','budget_lines',1,'{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0001,"currency":"USD","notes":""}','{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"version":"original","amount":0.0008,"currency":"USD","notes":""}');
INSERT INTO journal VALUES(30,1767268800097000,'feed (token 2)','r2','budget_lines',3,'{"id":3,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"version":"original","amount":0.0007,"currency":"EUR","notes":""}',NULL);
INSERT INTO journal VALUES(31,1767268800100000,'feed (token 2)','r2','actuals',2,NULL,'{"id":2,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"amount":0.0009,"currency":"EUR","source":"by hand"}');
INSERT INTO journal VALUES(32,1767268800103000,'feed (token 2)','r2','actuals',2,'{"id":2,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"amount":0.0009,"currency":"EUR","source":"by hand"}',NULL);
INSERT INTO journal VALUES(33,1767268800106000,'feed (token 2)','r2','actuals',3,NULL,'{"id":3,"department_id":2,"gl_account_id":2,"fiscal_year":2026,"fiscal_period":12,"amount":0.0011,"currency":"EUR","source":""}');
INSERT INTO journal VALUES(34,1767268800107000,'app restore','','abandoned_heads',1,NULL,'{"id":1,"seq":40,"hash":"abababababababababababababababababababababababababababababababab","fork":30,"until":"2026-01-01T12:00:00Z","source":"app-20251231-120000.db"}');
CREATE TABLE journal_links (
  through INTEGER PRIMARY KEY,
  hash    BLOB NOT NULL,
  CONSTRAINT journal_links_hash CHECK (length(hash) = 32)
) STRICT;
INSERT INTO journal_links VALUES(1,X'8b16767c3d02f54a01b6a1987eb503c631719e87909ad0fc367cce0d202e6783');
INSERT INTO journal_links VALUES(2,X'f05689e3a69e36a09d22d6b127370aaf27cc8aaf26cc77c3fc5db6776c9525ec');
INSERT INTO journal_links VALUES(3,X'9b710b931ba5664ac9f1817edb9064022d83905a269ce74cbd179eeb532a68b4');
INSERT INTO journal_links VALUES(4,X'c9277ea28c6fe45b97ae1bda6740b1f6752bdeefc173928df43553448fa5d086');
INSERT INTO journal_links VALUES(5,X'8caf55b3144ae74012bb4c47e41dd163443390c1c09b9c8da12b8c7190270401');
INSERT INTO journal_links VALUES(6,X'5b3fcd7a4ca9410fcd857f984f42902b54fd4bd3a2b53c1ce0c8667d4dc493ed');
INSERT INTO journal_links VALUES(7,X'721167ecf3035a9efcb9ab1ff2bb16d9e40c9b57c9747271c1725c69e206d000');
INSERT INTO journal_links VALUES(8,X'c4ac9cf156e2c474fbc779f8c041e579320c43f415148fb8280aa19d1b564ab0');
INSERT INTO journal_links VALUES(9,X'25f2e21ff0cde8fae8c6bdd02a86249b87bbffdd2d7156e76713f16ddf24c579');
INSERT INTO journal_links VALUES(10,X'3ebe157e321ff36aa3d33503daa9ad0ed694248454a0bb8e6477bb2dc46e08e0');
INSERT INTO journal_links VALUES(11,X'91200d07eaae3e097e4070cf2cc08914603bdace1b150a7c8657e15eac3dbc91');
INSERT INTO journal_links VALUES(12,X'0909381cff10c6d3753512f8dc4b15c3b647b3408733ff204251a2f6bf68ee12');
INSERT INTO journal_links VALUES(13,X'343518f31bd286b89b1d4d1061a57678dc4ce20069d2b54a2b072e1ff3e4c8b7');
INSERT INTO journal_links VALUES(14,X'43296ca5817717a92fe4ce303514a44717aa92d6f33dd95b83fc3527b9a40b4d');
INSERT INTO journal_links VALUES(15,X'c07cd269cd9d7d133684a12dff2145bd4b3f555c4fc679ac1cb917bce73caef4');
INSERT INTO journal_links VALUES(16,X'43ceae06e7c7e3caba132ae2bdc58ebe5ee92a84f4666a20e21b742875d4ba0f');
INSERT INTO journal_links VALUES(17,X'a884f6881dcca5e9283ea1d3e18a3c22066406f5b0377b7475310b71033fa84c');
INSERT INTO journal_links VALUES(18,X'ac227dd603479ac434cdf3a9f7bc4ac7e7a8671ea38a90df7f368bd4dea86c6e');
INSERT INTO journal_links VALUES(19,X'909954b981377d9a603641956017fa1b10f2734f7907d32cdc7e19073c61e4b4');
INSERT INTO journal_links VALUES(20,X'0fc4d85fa687099062271b752224187c260545cefb25ac602248b1a52aca97b6');
INSERT INTO journal_links VALUES(21,X'ceaff290966bf9ef02e006222b24116d33a64ef16fc9f4bf8ea8ff4684ab42ec');
INSERT INTO journal_links VALUES(22,X'9a6f7513876409d5dd9f1cf75e118b817183248a267b555397ccc4b6904d79a7');
INSERT INTO journal_links VALUES(23,X'6ca926fb9c192d4554caa8c83e76bb02b989501ab5286961a1bb3a3503307899');
INSERT INTO journal_links VALUES(24,X'188b7406e9960f23f00d7c7499a21fe94e9d61bb2a61b892b81f88701d7f52ee');
INSERT INTO journal_links VALUES(25,X'042329171c6143e513799ea9ef9854bcf8e48418b7e014ba222db09c190648cf');
INSERT INTO journal_links VALUES(26,X'd81811a023a6483d88f5a38f478528d72976ee3232d81fe8e95f65f7cf5efa5e');
INSERT INTO journal_links VALUES(28,X'ae094b08978b358a6bc5a4eda2b4a81ce1fcb70673fdbf5db1f9b4591f884336');
INSERT INTO journal_links VALUES(29,X'29926f4ee1126b8277da053aa1d7d0b8295713ff60b4aef5b7a4e254bdb87167');
INSERT INTO journal_links VALUES(30,X'29d2e2be1e7e0e5622957c13bbc79f6b0e0e55a0a91d9b3a13f66b703a751939');
INSERT INTO journal_links VALUES(31,X'83842e830c9721f0f0f7508c7ed95589b140a0ca713f6ed0fa186159e9f6e04a');
INSERT INTO journal_links VALUES(32,X'35f5c546b55eef04b1b2cd7a6f6d27015ee02354a905d3db1ee58fbf485117ad');
INSERT INTO journal_links VALUES(33,X'5279df6852f27b8f7e276684326738d24fae57be9ebd2cb15229bd59e462618c');
INSERT INTO journal_links VALUES(34,X'29bb90d3a506ec66a05515e2a892b5247c0642828b0ce4b151f9c10b3727d7fd');
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
INSERT INTO abandoned_heads VALUES(1,40,X'abababababababababababababababababababababababababababababababab',30,1767268800000000,'app-20251231-120000.db');
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
INSERT INTO tokens VALUES(1,'feed','ingest',X'0100000000000000000000000000000000000000000000000000000000000000',1767312000000001,1798848000000001,1767315600000001,1767312060000001);
INSERT INTO tokens VALUES(2,'Büro','write',X'0400000000000000000000000000000000000000000000000000000000000000',1767268800051000,NULL,NULL,NULL);
CREATE TABLE sessions (
  digest     BLOB    NOT NULL,
  token_id   INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT sessions_key PRIMARY KEY (digest),
  CONSTRAINT sessions_token FOREIGN KEY (token_id) REFERENCES tokens (id),
  CONSTRAINT sessions_digest_length CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;
INSERT INTO sessions VALUES(X'0300000000000000000000000000000000000000000000000000000000000000',1,1767315600000001);
INSERT INTO sessions VALUES(X'0500000000000000000000000000000000000000000000000000000000000000',2,1767272400054000);
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
INSERT INTO idempotency_keys VALUES('2','eur-1',X'0100000000000000000000000000000000000000000000000000000000000000',201,X'7b226964223a322c22636f6465223a22455552222c226e616d65223a224575726f227d',1767268800058000,16,297);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('goose_db_version',2);
INSERT INTO sqlite_sequence VALUES('currencies',2);
INSERT INTO sqlite_sequence VALUES('companies',2);
INSERT INTO sqlite_sequence VALUES('revenues',2);
INSERT INTO sqlite_sequence VALUES('trades',4);
INSERT INTO sqlite_sequence VALUES('departments',3);
INSERT INTO sqlite_sequence VALUES('gl_accounts',3);
INSERT INTO sqlite_sequence VALUES('tokens',2);
INSERT INTO sqlite_sequence VALUES('abandoned_heads',1);
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
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);
CREATE INDEX idempotency_keys_by_bytes ON idempotency_keys (principal, running_bytes);
COMMIT;
