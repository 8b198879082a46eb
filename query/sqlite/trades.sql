-- name: InsertTrade :one
INSERT INTO trades (symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id;

-- name: DeleteTrade :one
DELETE FROM trades WHERE id = ? RETURNING *;

-- name: NewestTrade :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM trades;

-- name: ListTrades :many
SELECT * FROM trades
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageTrades :many
SELECT * FROM trades
WHERE id > sqlc.arg(after)
  AND (sqlc.narg(symbol) IS NULL OR symbol = sqlc.narg(symbol))
  AND (sqlc.narg(currency_code) IS NULL OR currency_code = sqlc.narg(currency_code))
  AND (sqlc.narg(product) IS NULL OR product = sqlc.narg(product))
  AND (sqlc.narg(side) IS NULL OR side = sqlc.narg(side))
  AND (sqlc.narg(traded_from) IS NULL OR traded_at >= sqlc.narg(traded_from))
  AND (sqlc.narg(traded_to) IS NULL OR traded_at < sqlc.narg(traded_to))
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListInstrumentTradesAfter :many
-- In the order in which a position takes them, those that are later.
SELECT id, shares, side, price, traded_at FROM trades
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at > ?
ORDER BY traded_at, id LIMIT ?;

-- name: ListInstrumentTradesAt :many
-- Those of one instant from an id on. With the query above in one, SQLite would walk
-- all trades of the instant for every page.
SELECT id, shares, side, price, traded_at FROM trades
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at = ? AND id > ?
ORDER BY id LIMIT ?;
