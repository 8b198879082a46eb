-- name: InsertCurrency :one
INSERT INTO currencies (code, name) VALUES (?, ?) RETURNING id;

-- name: CurrencyID :one
SELECT id FROM currencies WHERE code = ?;

-- name: NewestCurrency :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM currencies;

-- name: ListCurrencies :many
SELECT * FROM currencies
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
