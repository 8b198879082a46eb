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

-- name: PageRevenues :many
SELECT sqlc.embed(r), c.name AS company FROM revenues r
JOIN companies c ON c.id = r.company_id
WHERE r.id > sqlc.arg(after)
  AND (sqlc.narg(company_id) IS NULL OR r.company_id = sqlc.narg(company_id))
ORDER BY r.id LIMIT sqlc.arg(most);
