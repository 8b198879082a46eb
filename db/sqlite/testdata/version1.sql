-- A database as the first release made it: its schema at version 1, with rows in every table.
PRAGMA application_id = 1145133378;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version VALUES(1,0,1,'2026-01-01 00:00:00');
INSERT INTO goose_db_version VALUES(2,1,1,'2026-01-01 00:00:00');
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
  CONSTRAINT companies_shares_outstanding CHECK (shares_outstanding >= 0),
  CONSTRAINT companies_price CHECK (price BETWEEN 0 AND 999999999999999999)
) STRICT;
INSERT INTO companies VALUES(1,'ACME',1000000,1234567890,1);
INSERT INTO companies VALUES(2,'Bücher & Söhne',0,0,NULL);
CREATE TABLE revenues (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id    INTEGER NOT NULL,
  category      TEXT    NOT NULL,
  amount        INTEGER NOT NULL,
  fiscal_year   INTEGER,
  currency_code TEXT,
  CONSTRAINT revenues_company FOREIGN KEY (company_id) REFERENCES companies (id),
  CONSTRAINT revenues_amount CHECK (amount BETWEEN -999999999999999999 AND 999999999999999999),
  CONSTRAINT revenues_fiscal_year CHECK (fiscal_year BETWEEN 1900 AND 9999)
) STRICT;
INSERT INTO revenues VALUES(1,1,'Lamps',50000,2025,'USD');
INSERT INTO revenues VALUES(2,1,'Repairs',-1,NULL,NULL);
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
INSERT INTO trades VALUES(1,'ACME','USD',10,0,1,10000000000,1767225600000000000);
INSERT INTO trades VALUES(2,'ACME','USD',4,0,-1,12000000000,1767312000000000000);
INSERT INTO trades VALUES(3,'ACME','EUR',3,1,-1,500000000,1767312000000000000);
CREATE TABLE positions (
  symbol        TEXT    NOT NULL,
  currency_code TEXT    NOT NULL,
  product       INTEGER NOT NULL,
  quantity      INTEGER NOT NULL,
  average_price INTEGER NOT NULL,
  average_rest  INTEGER NOT NULL,
  average_finer INTEGER NOT NULL,
  traded_at     INTEGER NOT NULL,
  CONSTRAINT positions_key PRIMARY KEY (symbol, currency_code, product),
  CONSTRAINT positions_average_rest CHECK (average_rest BETWEEN 0 AND 999999999999999999),
  CONSTRAINT positions_average_finer CHECK (average_finer BETWEEN 0 AND 999999999999999999)
) STRICT, WITHOUT ROWID;
INSERT INTO positions VALUES('ACME','EUR',1,-3,500000000,0,0,1767312000000000000);
INSERT INTO positions VALUES('ACME','USD',0,6,10000000000,0,0,1767312000000000000);
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
INSERT INTO departments VALUES(1,'FIN','fin','Finance','CC1',1);
INSERT INTO departments VALUES(2,'ÄRZTE','ärzte','Doctors','',0);
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
INSERT INTO gl_accounts VALUES(1,'4000','4000','Sales','revenue',1);
INSERT INTO gl_accounts VALUES(2,'6000','6000','','opex',0);
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
INSERT INTO budget_lines VALUES(3,1,2,2026,1,'forecast1',-5,'USD','');
INSERT INTO budget_lines VALUES(1,1,1,2026,1,'original',1000000,'USD','said "so"');
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
INSERT INTO actuals VALUES(1,1,1,2026,1,900000,'USD','ERP');
INSERT INTO actuals VALUES(2,2,2,2026,2,7,'EUR','');
CREATE TABLE sequences (
  name TEXT    NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT sequences_key PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
INSERT INTO sequences VALUES('actuals',2);
INSERT INTO sequences VALUES('budget_lines',4);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('goose_db_version',2);
INSERT INTO sqlite_sequence VALUES('currencies',3);
INSERT INTO sqlite_sequence VALUES('companies',2);
INSERT INTO sqlite_sequence VALUES('revenues',2);
INSERT INTO sqlite_sequence VALUES('trades',4);
INSERT INTO sqlite_sequence VALUES('departments',2);
INSERT INTO sqlite_sequence VALUES('gl_accounts',2);
CREATE INDEX revenues_by_company ON revenues (company_id);
CREATE INDEX revenues_by_category ON revenues (company_id, category);
CREATE INDEX trades_by_instrument ON trades (symbol, currency_code, product, traded_at);
CREATE INDEX departments_by_name ON departments (name);
CREATE INDEX departments_by_cost_center ON departments (cost_center);
COMMIT;
