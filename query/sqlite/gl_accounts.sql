-- name: InsertAccount :one
-- Without an id it gets a new one.
INSERT INTO gl_accounts (id, code, code_key, description, type, favour_high)
VALUES (sqlc.narg(id), sqlc.arg(code), sqlc.arg(code_key), sqlc.arg(description), sqlc.arg(type), sqlc.arg(favour_high)) RETURNING id;

-- name: GetAccount :one
SELECT * FROM gl_accounts WHERE id = ?;

-- name: FindAccountByCode :one
-- As for departments.
SELECT * FROM gl_accounts WHERE code_key IN (sqlc.arg(key), sqlc.arg(own)) ORDER BY code_key LIMIT 1;

-- name: UpdateAccount :exec
UPDATE gl_accounts SET code = ?, code_key = ?, description = ?, type = ?, favour_high = ? WHERE id = ?;

-- name: DeleteAccount :exec
DELETE FROM gl_accounts WHERE id = ?;

-- name: CountAccountPostings :one
SELECT
  (SELECT count(*) FROM budget_lines b WHERE b.gl_account_id = sqlc.arg(id)) AS budget_lines,
  (SELECT count(*) FROM actuals a WHERE a.gl_account_id = sqlc.arg(id)) AS actuals;

-- name: NewestAccount :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM gl_accounts;

-- name: ListAccounts :many
SELECT * FROM gl_accounts
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
