-- name: InsertLine :exec
INSERT INTO budget_lines (id, department_id, gl_account_id, fiscal_year, fiscal_period, version, amount, currency, notes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetLine :one
SELECT * FROM budget_lines WHERE id = ?;

-- name: GetLineByKey :one
SELECT * FROM budget_lines
WHERE fiscal_year = ? AND fiscal_period = ? AND version = ? AND department_id = ? AND gl_account_id = ?;

-- name: UpdateLine :exec
UPDATE budget_lines SET amount = ?, notes = ? WHERE id = ?;

-- name: DeleteLine :one
DELETE FROM budget_lines WHERE id = ? RETURNING *;

-- name: PageLines :many
SELECT * FROM budget_lines
WHERE id > sqlc.arg(after)
  AND (sqlc.narg(department_id) IS NULL OR department_id = sqlc.narg(department_id))
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_year) IS NULL OR fiscal_year = sqlc.narg(fiscal_year))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(version) IS NULL OR version = sqlc.narg(version))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageNewestLines :many
SELECT * FROM budget_lines
WHERE id > 0 AND id < sqlc.arg(before)
  AND (sqlc.narg(department_id) IS NULL OR department_id = sqlc.narg(department_id))
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_year) IS NULL OR fiscal_year = sqlc.narg(fiscal_year))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(version) IS NULL OR version = sqlc.narg(version))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
ORDER BY id DESC LIMIT sqlc.arg(most);

-- name: ListBudgeted :many
-- One side of a variance report, in the order it is merged in; the last column first,
-- as in ListTradesAfter.
SELECT currency, department_id, gl_account_id, amount FROM budget_lines
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period = sqlc.arg(fiscal_period) AND version = sqlc.arg(version)
  AND department_id BETWEEN sqlc.arg(first_department) AND sqlc.arg(last_department)
ORDER BY department_id, gl_account_id;

-- name: ListLineUse :many
-- The last column first, as in ListTradesAfter.
SELECT currency, fiscal_year, fiscal_period, department_id, gl_account_id FROM budget_lines
ORDER BY fiscal_year, fiscal_period;

-- name: PageDepartmentLines :many
-- As PageDepartmentActuals.
SELECT * FROM budget_lines
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  AND department_id = sqlc.arg(department_id)
  AND version IN ('original', 'forecast1', 'forecast2', 'forecast3')
  AND (sqlc.narg(version) IS NULL OR version = sqlc.narg(version))
  AND id > sqlc.arg(after) AND id < sqlc.arg(before)
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
ORDER BY id LIMIT sqlc.arg(most);

-- name: PageNewestDepartmentLines :many
SELECT * FROM budget_lines
WHERE fiscal_year = sqlc.arg(fiscal_year) AND fiscal_period IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  AND department_id = sqlc.arg(department_id)
  AND version IN ('original', 'forecast1', 'forecast2', 'forecast3')
  AND (sqlc.narg(version) IS NULL OR version = sqlc.narg(version))
  AND id > sqlc.arg(after) AND id < sqlc.arg(before)
  AND (sqlc.narg(gl_account_id) IS NULL OR gl_account_id = sqlc.narg(gl_account_id))
  AND (sqlc.narg(fiscal_period) IS NULL OR fiscal_period = sqlc.narg(fiscal_period))
  AND (sqlc.narg(currency) IS NULL OR currency = sqlc.narg(currency))
ORDER BY id DESC LIMIT sqlc.arg(most);
