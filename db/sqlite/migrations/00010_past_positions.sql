-- +goose Up

-- Positions of the past, from one of which an instrument is folded anew when a trade
-- comes late or is voided: what its trades dated up to and including traded_at add up to.
-- All are before the instrument's position. They come as histories are folded anew.
CREATE TABLE past_positions (
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
  CONSTRAINT past_positions_key PRIMARY KEY (symbol, currency_code, product, traded_at),
  CONSTRAINT past_positions_average_rest CHECK (average_rest BETWEEN 0 AND 999999999999999999),
  CONSTRAINT past_positions_average_finer CHECK (average_finer BETWEEN 0 AND 999999999999999999),
  CONSTRAINT past_positions_trades CHECK (trades >= 1)
) STRICT, WITHOUT ROWID;
