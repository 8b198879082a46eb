-- name: InsertDepartment :one
-- Without an id it gets a new one.
INSERT INTO departments (id, code, code_key, name, cost_center, active)
VALUES (sqlc.narg(id), sqlc.arg(code), sqlc.arg(code_key), sqlc.arg(name), sqlc.arg(cost_center), sqlc.arg(active)) RETURNING id;

-- name: GetDepartment :one
SELECT * FROM departments WHERE id = ?;

-- name: FindDepartmentsByCode :many
-- By the key, or by the schema's OwnKey, which sorts first.
SELECT * FROM departments WHERE code_key IN (sqlc.arg(key), sqlc.arg(own)) ORDER BY code_key LIMIT 1;

-- name: FindDepartmentsByName :many
SELECT * FROM departments WHERE name = ? ORDER BY code LIMIT ?;

-- name: FindDepartmentsByCostCenter :many
SELECT * FROM departments WHERE cost_center = ? ORDER BY code LIMIT ?;

-- name: UpdateDepartment :exec
UPDATE departments SET code = ?, code_key = ?, name = ?, cost_center = ?, active = ? WHERE id = ?;

-- name: DeleteDepartment :exec
DELETE FROM departments WHERE id = ?;

-- name: CountDepartmentPostings :one
SELECT
  (SELECT count(*) FROM budget_lines b WHERE b.department_id = sqlc.arg(id)) AS budget_lines,
  (SELECT count(*) FROM actuals a WHERE a.department_id = sqlc.arg(id)) AS actuals;

-- name: NewestDepartment :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) FROM departments;

-- name: ListDepartments :many
SELECT * FROM departments
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
