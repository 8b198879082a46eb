-- name: InsertTrade :execlastid
INSERT INTO trades (symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?);

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

-- name: PageTradesDown :many
SELECT * FROM trades
WHERE id > 0 AND id < sqlc.arg(before)
  AND (sqlc.narg(symbol) IS NULL OR symbol = sqlc.narg(symbol))
  AND (sqlc.narg(currency_code) IS NULL OR currency_code = sqlc.narg(currency_code))
  AND (sqlc.narg(product) IS NULL OR product = sqlc.narg(product))
  AND (sqlc.narg(side) IS NULL OR side = sqlc.narg(side))
  AND (sqlc.narg(traded_from) IS NULL OR traded_at >= sqlc.narg(traded_from))
  AND (sqlc.narg(traded_to) IS NULL OR traded_at < sqlc.narg(traded_to))
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: CountSymbolTrades :one
SELECT CAST(coalesce(sum(trades), 0) AS INTEGER) FROM positions WHERE symbol = ?;

-- name: PageSymbolTrades :many
-- Of a symbol with few trades: all of them are in one place of the index, and are sorted.
SELECT * FROM trades
WHERE symbol = sqlc.arg(symbol) AND id > sqlc.arg(after)
  AND (sqlc.narg(currency_code) IS NULL OR currency_code = sqlc.narg(currency_code))
  AND (sqlc.narg(product) IS NULL OR product = sqlc.narg(product))
  AND (sqlc.narg(side) IS NULL OR side = sqlc.narg(side))
  AND (sqlc.narg(traded_from) IS NULL OR traded_at >= sqlc.narg(traded_from))
  AND (sqlc.narg(traded_to) IS NULL OR traded_at < sqlc.narg(traded_to))
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageSymbolTradesDown :many
SELECT * FROM trades
WHERE symbol = sqlc.arg(symbol) AND id > 0 AND id < sqlc.arg(before)
  AND (sqlc.narg(currency_code) IS NULL OR currency_code = sqlc.narg(currency_code))
  AND (sqlc.narg(product) IS NULL OR product = sqlc.narg(product))
  AND (sqlc.narg(side) IS NULL OR side = sqlc.narg(side))
  AND (sqlc.narg(traded_from) IS NULL OR traded_at >= sqlc.narg(traded_from))
  AND (sqlc.narg(traded_to) IS NULL OR traded_at < sqlc.narg(traded_to))
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: ListInstrumentTrades :many
-- In the order in which a position takes them, and what it takes of them: all of it
-- stands in the index.
SELECT shares, side, price, traded_at FROM trades
WHERE symbol = ? AND currency_code = ? AND product = ?
ORDER BY traded_at, id;

-- name: ListHistories :many
-- Every instrument's trades, in the order in which positions take them.
SELECT symbol, currency_code, product, shares, side, price, traded_at FROM trades
ORDER BY symbol, currency_code, product, traded_at, id;
