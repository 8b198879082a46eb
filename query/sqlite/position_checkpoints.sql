-- name: GetPositionCheckpoint :one
-- The newest that is before a date.
SELECT * FROM position_checkpoints
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at < ?
ORDER BY traded_at DESC LIMIT 1;

-- name: InsertPositionCheckpoint :exec
INSERT INTO position_checkpoints (symbol, currency_code, product, quantity, average_price, average_rest, traded_at,
  last_price, first_traded_at, trades, net_cost_high, net_cost_low)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeletePositionCheckpoints :exec
-- Those from a date on.
DELETE FROM position_checkpoints WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at >= ?;

-- name: ListPositionCheckpoints :many
SELECT * FROM position_checkpoints ORDER BY symbol, currency_code, product, traded_at;
