-- name: GetPastPosition :one
-- The newest that is before a date.
SELECT * FROM past_positions
WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at < ?
ORDER BY traded_at DESC LIMIT 1;

-- name: InsertPastPosition :exec
INSERT INTO past_positions (symbol, currency_code, product, quantity, average_price, average_rest, traded_at,
  last_price, first_traded_at, trades, net_cost_high, net_cost_low)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeletePastPositions :exec
-- Those from a date on.
DELETE FROM past_positions WHERE symbol = ? AND currency_code = ? AND product = ? AND traded_at >= ?;

-- name: ListPastPositions :many
SELECT * FROM past_positions ORDER BY symbol, currency_code, product, traded_at;
