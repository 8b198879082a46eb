-- name: GetActualByKey :one
SELECT id, amount, currency, source FROM actuals
WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?;

-- name: ReplaceActual :exec
UPDATE actuals SET amount = ?, currency = ?, source = ?
WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?;

-- name: InsertActual :exec
INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeleteActual :one
DELETE FROM actuals WHERE id = ? RETURNING *;

-- name: PageActuals :many
SELECT * FROM actuals
WHERE id > sqlc.arg(after)
  AND (sqlc.narg(department_id) IS NULL OR department_id = sqlc.narg(department_id))
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_year) IS NULL OR fiscal_year = sqlc.narg(fiscal_year))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
  AND (sqlc.narg(source) IS NULL OR source = sqlc.narg(source))
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageNewestActuals :many
SELECT * FROM actuals
WHERE id > 0 AND id < sqlc.arg(before)
  AND (sqlc.narg(department_id) IS NULL OR department_id = sqlc.narg(department_id))
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_year) IS NULL OR fiscal_year = sqlc.narg(fiscal_year))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
  AND (sqlc.narg(source) IS NULL OR source = sqlc.narg(source))
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: ListActual :many
-- One side of a variance report, in the order it is merged in; the last column first,
-- as in ListTradesAfter.
SELECT currency, department_id, gl_account_id, amount FROM actuals
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period = sqlc.arg(fiscal_period)
  AND department_id BETWEEN sqlc.arg(first_department) AND sqlc.arg(last_department)
ORDER BY department_id, gl_account_id;

-- name: ListActualUse :many
-- The last column first, as in ListTradesAfter.
SELECT source, fiscal_year, fiscal_period, department_id, gl_account_id, currency FROM actuals
ORDER BY fiscal_year, fiscal_period;

-- name: PageDepartmentActuals :many
-- By the clustered key, since a department has few of a year.
SELECT * FROM actuals
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  AND department_id = sqlc.arg(department_id)
  AND id > sqlc.arg(after) AND id < sqlc.arg(before)
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
  AND (sqlc.narg(source) IS NULL OR source = sqlc.narg(source))
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageNewestDepartmentActuals :many
SELECT * FROM actuals
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  AND department_id = sqlc.arg(department_id)
  AND id > sqlc.arg(after) AND id < sqlc.arg(before)
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
  AND (sqlc.narg(source) IS NULL OR source = sqlc.narg(source))
ORDER BY id DESC LIMIT sqlc.arg(most);
