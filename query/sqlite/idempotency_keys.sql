-- name: GetAnswer :one
SELECT fingerprint, status, body FROM idempotency_keys WHERE key = ? AND at > sqlc.arg(expired);

-- name: KeepAnswer :exec
INSERT INTO idempotency_keys (key, fingerprint, status, body, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
  fingerprint = excluded.fingerprint,
  status = excluded.status,
  body = excluded.body,
  at = excluded.at;

-- name: ForgetAnswers :exec
-- A few at a time, so that no request pays for many.
DELETE FROM idempotency_keys WHERE key IN (
  SELECT k.key FROM idempotency_keys k WHERE k.at <= sqlc.arg(expired) ORDER BY k.at LIMIT sqlc.arg(most));

-- name: ListBadAnswers :many
-- The keys of those that no request can have been given.
SELECT key FROM idempotency_keys
WHERE length(fingerprint) <> 32 OR status NOT IN (200, 201) OR NOT json_valid(CAST(body AS TEXT))
ORDER BY key LIMIT sqlc.arg(most);
