-- +goose Up

-- All that a position takes of a trade, in the order in which it takes them: without id
-- before them, the other columns would decide which of one instant comes first.
DROP INDEX trades_by_instrument;
CREATE INDEX trades_by_instrument ON trades (symbol, currency_code, product, traded_at, id, shares, side, price);
