-- name: LastID :one
-- The last id that was given in a table that has no rowid.
SELECT last FROM sequences WHERE name = ?;

-- name: PutLastID :exec
UPDATE sequences SET last = ? WHERE name = ?;

-- name: ListSequences :many
SELECT * FROM sequences;

-- name: TradingEmpty :one
SELECT CAST(NOT (
     EXISTS (SELECT 1 FROM currencies)
  OR EXISTS (SELECT 1 FROM companies)
  OR EXISTS (SELECT 1 FROM revenues)
  OR EXISTS (SELECT 1 FROM trades)) AS INTEGER);

-- name: BudgetEmpty :one
SELECT CAST(NOT (
     EXISTS (SELECT 1 FROM departments)
  OR EXISTS (SELECT 1 FROM gl_accounts)
  OR EXISTS (SELECT 1 FROM budget_lines)
  OR EXISTS (SELECT 1 FROM actuals)) AS INTEGER);

-- name: Ping :one
-- A real read: the path that every list takes.
SELECT count(*) FROM (SELECT 1 FROM departments LIMIT 1);

-- name: CountForVerify :one
SELECT
  (SELECT count(*) FROM journal) AS entries,
  (SELECT count(*) FROM journal_links) AS links,
  (SELECT count(*) FROM trades) AS trades,
  (SELECT count(*) FROM budget_lines) AS budget_lines,
  (SELECT count(*) FROM actuals) AS actuals;
