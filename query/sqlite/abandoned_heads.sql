-- name: InsertAbandonedHead :one
INSERT INTO abandoned_heads (seq, hash, fork, until, source) VALUES (?, ?, ?, ?, ?) RETURNING id;

-- name: ListAbandonedHeads :many
SELECT * FROM abandoned_heads
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);
