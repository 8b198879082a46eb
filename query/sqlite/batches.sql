-- name: NextBatch :one
-- The id of the next batch. No batch is ever deleted.
SELECT CAST(coalesce(max(id), 0) + 1 AS INTEGER) FROM batches;

-- name: InsertBatch :exec
INSERT INTO batches (id, kind, via, state, file, sha256, map, source, actor, at,
  new, changed, unchanged, already, cleared, skipped, wrong, undoes, undone_by, first, last, doubtful)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetBatch :one
SELECT * FROM batches WHERE id = ?;

-- name: SetBatchUndone :exec
UPDATE batches SET state = ?, undone_by = ? WHERE id = ?;

-- name: ListBatches :many
SELECT * FROM batches
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListBatchesDown :many
-- The newest first.
SELECT * FROM batches WHERE id < sqlc.arg(before) ORDER BY id DESC LIMIT sqlc.arg(most);
