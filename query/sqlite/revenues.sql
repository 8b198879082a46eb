-- name: InsertRevenue :one
-- Without an id it gets a new one.
INSERT INTO revenues (id, company_id, category, amount, fiscal_year, currency_code)
VALUES (sqlc.narg(id), sqlc.arg(company_id), sqlc.arg(category), sqlc.arg(amount), sqlc.narg(fiscal_year), sqlc.narg(currency_code)) RETURNING id;

-- name: DeleteRevenue :exec
DELETE FROM revenues WHERE id = ?;

-- name: NewestRevenue :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM revenues;

-- name: ListRevenues :many
SELECT * FROM revenues
WHERE company_id = sqlc.arg(company_id) AND id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListRevenueCategories :many
-- It begins with the category after which to list. Each step is one search of
-- revenues_by_category, however many rows have the same category.
WITH RECURSIVE listed (category) AS (
  SELECT CAST(sqlc.arg(after) AS TEXT)
  UNION ALL
  SELECT (SELECT min(r.category) FROM revenues r WHERE r.company_id = sqlc.arg(company_id) AND r.category > listed.category)
  FROM listed WHERE listed.category IS NOT NULL
)
SELECT CAST(category AS TEXT) AS category FROM listed WHERE category IS NOT NULL LIMIT sqlc.arg(most) OFFSET 1;

-- name: ListAllRevenues :many
SELECT * FROM revenues
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageRevenues :many
SELECT sqlc.embed(r), c.name AS company FROM revenues r
JOIN companies c ON c.id = r.company_id
WHERE r.id > sqlc.arg(after)
ORDER BY r.id LIMIT sqlc.arg(most);

-- name: PageCompanyRevenues :many
SELECT sqlc.embed(r), c.name AS company FROM companies c
CROSS JOIN revenues r ON r.company_id = c.id
WHERE c.id = sqlc.arg(company_id) AND r.id > sqlc.arg(after)
ORDER BY r.id LIMIT sqlc.arg(most);

-- name: ExportRevenues :many
-- 0 is no year, and an empty text no currency.
SELECT id, company_id, category, amount, CAST(coalesce(fiscal_year, 0) AS INTEGER) AS fiscal_year,
  CAST(coalesce(currency_code, '') AS TEXT) AS currency_code FROM revenues
ORDER BY id;

-- name: FindRevenue :one
-- The n-th with all of another but its id and amount, as ListRevenues gives them; skipped is n - 1. 0 is no year, and an
-- empty text no currency.
SELECT id, company_id, category, amount, CAST(coalesce(fiscal_year, 0) AS INTEGER) AS fiscal_year,
  CAST(coalesce(currency_code, '') AS TEXT) AS currency_code FROM revenues
WHERE company_id = sqlc.arg(company_id) AND category = sqlc.arg(category)
  AND coalesce(fiscal_year, 0) = CAST(sqlc.arg(fiscal_year) AS INTEGER) AND coalesce(currency_code, '') = CAST(sqlc.arg(currency_code) AS TEXT)
ORDER BY id LIMIT 1 OFFSET sqlc.arg(skipped);

-- name: GetRevenue :one
SELECT id, company_id, category, amount, CAST(coalesce(fiscal_year, 0) AS INTEGER) AS fiscal_year,
  CAST(coalesce(currency_code, '') AS TEXT) AS currency_code FROM revenues WHERE id = ?;

-- name: UpdateRevenue :exec
UPDATE revenues SET company_id = sqlc.arg(company_id), category = sqlc.arg(category), amount = sqlc.arg(amount),
  fiscal_year = sqlc.narg(fiscal_year), currency_code = sqlc.narg(currency_code)
WHERE id = sqlc.arg(id);
