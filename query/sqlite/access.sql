-- name: InsertToken :one
INSERT INTO tokens (name, scope, digest, created_at, expires_at, revoked_at, last_used_at)
VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id;

-- name: GetToken :one
SELECT * FROM tokens WHERE id = ?;

-- name: FindTokenByDigest :one
SELECT * FROM tokens WHERE digest = ?;

-- name: ListTokens :many
SELECT * FROM tokens
WHERE id > sqlc.arg(after) AND id <= sqlc.arg(through)
ORDER BY id LIMIT sqlc.arg(most);

-- name: SetTokenRevoked :exec
UPDATE tokens SET revoked_at = ? WHERE id = ?;

-- name: SetTokenUsed :execrows
-- Requests that were admitted side by side come in any order.
UPDATE tokens SET last_used_at = max(coalesce(last_used_at, 0), CAST(sqlc.arg(at) AS INTEGER))
WHERE id = sqlc.arg(id);

-- name: InsertSession :exec
INSERT INTO sessions (digest, token_id, expires_at) VALUES (?, ?, ?);

-- name: FindSessionByDigest :one
SELECT sqlc.embed(sessions), sqlc.embed(tokens)
FROM sessions JOIN tokens ON tokens.id = sessions.token_id
WHERE sessions.digest = ?;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE digest = ?;

-- name: DeleteSessionsOfToken :exec
DELETE FROM sessions WHERE token_id = ?;

-- name: DeleteSessions :exec
DELETE FROM sessions;

-- name: ListLongSessions :many
-- Those that end after a time, or after their token.
SELECT sessions.token_id, sessions.expires_at, tokens.expires_at AS token_expires_at
FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
WHERE sessions.expires_at > sqlc.arg(latest) OR sessions.expires_at > tokens.expires_at
ORDER BY sessions.expires_at LIMIT sqlc.arg(most);

-- name: DeleteEndedSessions :exec
DELETE FROM sessions WHERE digest IN (
  SELECT ended.digest FROM sessions AS ended
  WHERE ended.expires_at < sqlc.arg(now) ORDER BY ended.expires_at LIMIT sqlc.arg(most)
);

-- name: DeleteOldestSessions :exec
-- All of a token but one that just began and the others that end last.
DELETE FROM sessions WHERE digest IN (
  SELECT old.digest FROM sessions AS old
  WHERE old.token_id = sqlc.arg(token_id) AND old.digest <> sqlc.arg(begun)
  ORDER BY old.expires_at DESC LIMIT sqlc.arg(most) OFFSET sqlc.arg(kept)
);
