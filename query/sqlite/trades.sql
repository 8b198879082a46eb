-- name: InsertTrade :execlastid
INSERT INTO trades (symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: PutBackTrade :exec
INSERT INTO trades (id, symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeleteTrade :one
DELETE FROM trades WHERE id = ? RETURNING *;

-- name: NewestTrade :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM trades;

-- name: ListTrades :many
SELECT * FROM trades
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListTradesAfter :many
-- Without an end, for a cursor, which stops where it has enough. The last column is
-- the first to be read: SQLite finds all others on the way to it.
SELECT traded_at, id, symbol, currency_code, shares, product, side, price FROM trades
WHERE id > ? ORDER BY id;

-- name: ListInstrumentTrades :many
-- Those after a date, in the order in which a position takes them, and what it takes of
-- them: all of it stands in the index.
SELECT shares, side, price, traded_at FROM trades
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at > ?
ORDER BY traded_at, id;

-- name: CountEqualTrades :one
-- All of it stands in the index.
SELECT count(*) FROM trades
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at = ? AND shares = ? AND side = ? AND price = ?;

-- name: SetTradeUndone :exec
-- Whether the import of a trade was undone.
UPDATE remembered_trades SET undone = ? WHERE trade_id = ?;
