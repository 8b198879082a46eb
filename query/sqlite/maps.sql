-- name: InsertMap :one
INSERT INTO maps (name, kind, map, at) VALUES (?, ?, ?, ?) RETURNING id;

-- name: GetMap :one
SELECT * FROM maps WHERE name = ?;

-- name: UpdateMap :exec
UPDATE maps SET kind = ?, map = ?, at = ? WHERE id = ?;

-- name: DeleteMap :exec
DELETE FROM maps WHERE id = ?;

-- name: ListMaps :many
SELECT * FROM maps
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: ListNewestMaps :many
-- The newest first. They are few: a person stores each.
SELECT * FROM maps ORDER BY at DESC, id DESC;
