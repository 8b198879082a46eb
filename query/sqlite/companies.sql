-- name: InsertCompany :one
INSERT INTO companies (name, shares_outstanding, price, currency_id)
VALUES (?, ?, ?, ?) RETURNING id;

-- name: NewestCompany :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM companies;

-- name: ListCompanies :many
SELECT * FROM companies
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
