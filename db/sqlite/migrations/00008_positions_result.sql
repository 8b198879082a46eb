-- +goose Up

-- What the trades of an instrument add up to, made anew with what a result is reckoned
-- from; the next migration fills it. traded_at and last_price are the latest trade's.
-- paid is what was paid for all that was bought, less what was got for all that was
-- sold, the sum of side * shares * price: an integer of 192 bits in units of 0.00000001,
-- (paid_high * 2^64 + paid_middle) * 2^64 + paid_low with the two lower words unsigned.
DROP TABLE positions;
CREATE TABLE positions (
  symbol          TEXT    NOT NULL,
  currency_code   TEXT    NOT NULL,
  product         INTEGER NOT NULL,
  quantity        INTEGER NOT NULL,
  average_price   INTEGER NOT NULL,
  average_rest    INTEGER NOT NULL,
  average_finer   INTEGER NOT NULL,
  traded_at       INTEGER NOT NULL,
  last_price      INTEGER NOT NULL,
  first_traded_at INTEGER NOT NULL,
  trades          INTEGER NOT NULL,
  paid_high       INTEGER NOT NULL,
  paid_middle     INTEGER NOT NULL,
  paid_low        INTEGER NOT NULL,
  CONSTRAINT positions_key PRIMARY KEY (symbol, currency_code, product),
  CONSTRAINT positions_average_rest CHECK (average_rest BETWEEN 0 AND 999999999999999999),
  CONSTRAINT positions_average_finer CHECK (average_finer BETWEEN 0 AND 999999999999999999),
  CONSTRAINT positions_trades CHECK (trades >= 1)
) STRICT, WITHOUT ROWID;
