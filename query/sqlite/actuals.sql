-- name: GetActualByKey :one
SELECT * FROM actuals
WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?;

-- name: ReplaceActual :exec
UPDATE actuals SET amount = ?, currency = ?, source = ?
WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?;

-- name: InsertActual :exec
INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeleteActual :one
DELETE FROM actuals WHERE id = ? RETURNING *;

-- name: ListAllActuals :many
SELECT * FROM actuals
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListActual :many
-- One side of a variance report, in the order it is merged in; the last column first,
-- as in ListTradesAfter.
SELECT currency, department_id, gl_account_id, amount FROM actuals
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period = sqlc.arg(fiscal_period)
  AND department_id BETWEEN sqlc.arg(first_department) AND sqlc.arg(last_department)
ORDER BY department_id, gl_account_id;

-- name: ListActualUse :many
-- The last column first, as in ListTradesAfter.
SELECT currency, fiscal_year, fiscal_period, department_id, gl_account_id FROM actuals
ORDER BY fiscal_year, fiscal_period;

-- name: ListSources :many
-- SQLite sorts them, in files where they are many, so that no memory holds them all.
-- Newest is a year times 12 and a period.
SELECT source, CAST(max(fiscal_year * 12 + fiscal_period) AS INTEGER) AS newest, count(*) AS actuals FROM actuals
GROUP BY source;

-- name: ListSourceMonths :many
-- The last column first, as in ListTradesAfter.
SELECT source, fiscal_year, fiscal_period FROM actuals
ORDER BY fiscal_year, fiscal_period;

-- name: DeleteActualByKey :exec
DELETE FROM actuals WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?;
