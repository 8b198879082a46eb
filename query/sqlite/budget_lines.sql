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

-- name: ReplaceLine :exec
UPDATE budget_lines SET amount = ?, currency = ?, notes = ? WHERE id = ?;

-- name: DeleteLine :one
DELETE FROM budget_lines WHERE id = ? RETURNING *;

-- name: ListAllLines :many
SELECT * FROM budget_lines
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

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

-- name: DeleteLineByKey :exec
DELETE FROM budget_lines WHERE fiscal_year = ? AND fiscal_period = ? AND version = ? AND department_id = ? AND gl_account_id = ?;
