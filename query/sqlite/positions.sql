-- name: GetPosition :one
SELECT * FROM positions WHERE symbol = ? AND currency_code = ? AND product = ?;

-- name: PutPosition :exec
INSERT INTO positions (symbol, currency_code, product, quantity, average_price, average_rest, traded_at,
  last_price, first_traded_at, trades, net_cost_high, net_cost_low)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (symbol, currency_code, product) DO UPDATE SET
  quantity = excluded.quantity,
  average_price = excluded.average_price,
  average_rest = excluded.average_rest,
  traded_at = excluded.traded_at,
  last_price = excluded.last_price,
  first_traded_at = excluded.first_traded_at,
  trades = excluded.trades,
  net_cost_high = excluded.net_cost_high,
  net_cost_low = excluded.net_cost_low;

-- name: DeletePosition :exec
DELETE FROM positions WHERE symbol = ? AND currency_code = ? AND product = ?;

-- name: PagePositions :many
SELECT * FROM positions
WHERE (symbol, currency_code, product) > (sqlc.arg(after_symbol), sqlc.arg(after_currency_code), CAST(sqlc.arg(after_product) AS INTEGER))
ORDER BY symbol, currency_code, product LIMIT sqlc.arg(most);

-- name: ListPositions :many
SELECT * FROM positions;

-- name: ListHoldings :many
SELECT * FROM positions
WHERE (symbol, currency_code, product) > (sqlc.arg(after_symbol), sqlc.arg(after_currency_code), CAST(sqlc.arg(after_product) AS INTEGER))
ORDER BY symbol, currency_code, product;

-- name: ListTraded :many
SELECT currency_code, CAST(sum(trades) AS INTEGER) AS trades FROM positions GROUP BY currency_code;
