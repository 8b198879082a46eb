-- name: InsertRevenue :one
INSERT INTO revenues (company_id, category, amount, fiscal_year, currency_code)
VALUES (?, ?, ?, ?, ?) RETURNING id;

-- name: NewestRevenue :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM revenues;

-- name: ListRevenues :many
SELECT * FROM revenues
WHERE company_id = sqlc.arg(company_id) AND id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListRevenueCategories :many
SELECT DISTINCT category FROM revenues WHERE company_id = ? ORDER BY category;

-- name: ListAllRevenues :many
SELECT * FROM revenues
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
