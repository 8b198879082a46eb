-- name: InsertCurrency :one
-- Without an id it gets a new one.
INSERT INTO currencies (id, code, name)
VALUES (sqlc.narg(id), sqlc.arg(code), sqlc.arg(name)) RETURNING id;

-- name: DeleteCurrency :exec
DELETE FROM currencies WHERE id = ?;

-- name: CurrencyInUse :one
-- Whether a trade, a revenue or a posting has the code.
SELECT CAST(EXISTS (SELECT 1 FROM positions WHERE positions.currency_code = sqlc.arg(code))
  OR EXISTS (SELECT 1 FROM revenues WHERE revenues.currency_code = sqlc.arg(code))
  OR EXISTS (SELECT 1 FROM budget_lines WHERE budget_lines.currency = sqlc.arg(code))
  OR EXISTS (SELECT 1 FROM actuals WHERE actuals.currency = sqlc.arg(code)) AS INTEGER);

-- name: CurrencyID :one
SELECT id FROM currencies WHERE code = ?;

-- name: NewestCurrency :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM currencies;

-- name: ListCurrencies :many
SELECT * FROM currencies
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageCurrencies :many
-- Each with how often it is used; positions know of how many trades they are.
SELECT sqlc.embed(c),
  CAST(coalesce(t.trades, 0) AS INTEGER) AS trades,
  CAST(coalesce(n.companies, 0) AS INTEGER) AS companies
FROM currencies c
LEFT JOIN (SELECT currency_code, sum(trades) AS trades FROM positions GROUP BY currency_code) t ON t.currency_code = c.code
LEFT JOIN (SELECT currency_id, count(*) AS companies FROM companies GROUP BY currency_id) n ON n.currency_id = c.id
WHERE c.id > sqlc.arg(after)
ORDER BY c.id LIMIT sqlc.arg(most);

-- name: GetCurrencyByCode :one
SELECT * FROM currencies WHERE code = ?;

-- name: UpdateCurrency :exec
UPDATE currencies SET code = ?, name = ? WHERE id = ?;
