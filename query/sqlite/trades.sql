-- name: InsertTrade :execlastid
INSERT INTO trades (symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: PutBackTrade :exec
INSERT INTO trades (id, symbol, currency_code, shares, product, side, price, traded_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetTrade :one
SELECT * FROM trades WHERE id = ?;

-- name: ReplaceTrade :exec
UPDATE trades SET symbol = ?, currency_code = ?, shares = ?, product = ?, side = ?, price = ?, traded_at = ?
WHERE id = ?;

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

-- name: KnownTrades :one
-- How many trades with one content are there already: those that an import from the source stored, but for undone ones,
-- and those that no import stored. With an external id, those with another id are not it. Voided is whether the n-th of
-- the import was voided; skipped is n - 1. Elsewhere is whether an import from another source stored one.
SELECT
  CAST((SELECT count(*) FROM remembered_trades r
    WHERE r.hash = sqlc.arg(hash) AND r.source = sqlc.arg(source) AND r.undone = 0 AND (CAST(sqlc.arg(external_id) AS TEXT) = '' OR r.external_id = ''))
  + (SELECT count(*) FROM trades t
    WHERE t.symbol = sqlc.arg(symbol) AND t.currency_code = sqlc.arg(currency_code) AND t.product = sqlc.arg(product) AND t.traded_at = sqlc.arg(traded_at)
      AND t.shares = sqlc.arg(shares) AND t.side = sqlc.arg(side) AND t.price = sqlc.arg(price)
      AND NOT EXISTS (SELECT 1 FROM remembered_trades r WHERE r.trade_id = t.id)) AS INTEGER) AS already,
  CAST(coalesce((SELECT NOT EXISTS (SELECT 1 FROM trades t WHERE t.id = r.trade_id) FROM remembered_trades r
    WHERE r.hash = sqlc.arg(hash) AND r.source = sqlc.arg(source) AND r.undone = 0
    ORDER BY r.n, r.trade_id LIMIT 1 OFFSET sqlc.arg(skipped)), 0) AS INTEGER) AS voided,
  CAST(EXISTS (SELECT 1 FROM remembered_trades r
    WHERE r.hash = sqlc.arg(hash) AND r.source <> sqlc.arg(source) AND r.undone = 0
      AND EXISTS (SELECT 1 FROM trades t WHERE t.id = r.trade_id)) AS INTEGER) AS elsewhere;

-- name: KnownByExternalID :one
-- The newest trade that an import stored under the id of its source: whether its content is another, and whether it was
-- voided.
SELECT CAST(r.hash <> sqlc.arg(hash) AS INTEGER) AS differs,
  CAST(NOT EXISTS (SELECT 1 FROM trades t WHERE t.id = r.trade_id) AS INTEGER) AS voided
FROM remembered_trades r
WHERE r.source = sqlc.arg(source) AND r.external_id = sqlc.arg(external_id) AND r.external_id <> '' AND r.undone = 0
ORDER BY r.trade_id DESC LIMIT 1;

-- name: NewestLikeTrade :one
-- The newest trade with a content, or with an id of a source, whatever became of it; 0 for none.
SELECT CAST(max(
  coalesce((SELECT max(r.trade_id) FROM remembered_trades r WHERE r.hash = sqlc.arg(hash) AND r.source = sqlc.arg(source)), 0),
  coalesce((SELECT max(r.trade_id) FROM remembered_trades r
    WHERE r.source = sqlc.arg(source) AND r.external_id = sqlc.arg(external_id) AND r.external_id <> ''), 0),
  coalesce((SELECT max(t.id) FROM trades t
    WHERE t.symbol = sqlc.arg(symbol) AND t.currency_code = sqlc.arg(currency_code) AND t.product = sqlc.arg(product) AND t.traded_at = sqlc.arg(traded_at)
      AND t.shares = sqlc.arg(shares) AND t.side = sqlc.arg(side) AND t.price = sqlc.arg(price)
      AND NOT EXISTS (SELECT 1 FROM remembered_trades r WHERE r.trade_id = t.id)), 0)
) AS INTEGER);

-- name: RememberTrade :exec
INSERT INTO remembered_trades (trade_id, source, external_id, hash, n, undone)
VALUES (?, ?, ?, ?, ?, ?);

-- name: SetTradeUndone :exec
-- Whether the import of a trade was undone.
UPDATE remembered_trades SET undone = ? WHERE trade_id = ?;
