-- name: InsertCompany :one
-- Without an id it gets a new one.
INSERT INTO companies (id, name, shares_outstanding, price, currency_id)
VALUES (sqlc.narg(id), sqlc.arg(name), sqlc.arg(shares_outstanding), sqlc.arg(price), sqlc.narg(currency_id)) RETURNING id;

-- name: DeleteCompany :exec
DELETE FROM companies WHERE id = ?;

-- name: NewestCompany :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM companies;

-- name: ListCompanies :many
SELECT * FROM companies
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListQuotes :many
-- A price without a currency is a price of nothing.
SELECT c.name, c.price, k.code AS currency_code FROM companies c
JOIN currencies k ON k.id = c.currency_id
WHERE c.price > 0
ORDER BY c.id;

-- name: PageCompanies :many
-- Each with how often it is used.
SELECT sqlc.embed(c), k.code AS currency_code,
  (SELECT count(*) FROM revenues r WHERE r.company_id = c.id) AS revenues
FROM companies c
LEFT JOIN currencies k ON k.id = c.currency_id
WHERE c.id > sqlc.arg(after)
ORDER BY c.id LIMIT sqlc.arg(most);

-- name: ExportCompanies :many
-- 0 is no currency.
SELECT id, name, shares_outstanding, price, CAST(coalesce(currency_id, 0) AS INTEGER) AS currency_id FROM companies
ORDER BY id;

-- name: UpdateCompany :exec
UPDATE companies SET name = sqlc.arg(name), shares_outstanding = sqlc.arg(shares_outstanding), price = sqlc.arg(price), currency_id = sqlc.narg(currency_id)
WHERE id = sqlc.arg(id);
