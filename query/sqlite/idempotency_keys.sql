-- name: GetAnswer :one
-- With the journal entry of its write.
SELECT k.principal, k.key, k.fingerprint, k.status, k.body, k.at, k.seq, k.running_bytes,
  j.at AS written_at, j.actor, j.entity, j.entity_id, j.before, j.after, j.first
FROM idempotency_keys k LEFT JOIN journal j ON j.seq = k.seq
WHERE k.principal = sqlc.arg(principal) AND k.key = sqlc.arg(key) AND k.at > sqlc.arg(expired);

-- name: KeepAnswer :one
INSERT INTO idempotency_keys (principal, key, fingerprint, status, body, at, seq, running_bytes)
VALUES (sqlc.arg(principal), sqlc.arg(key), sqlc.arg(fingerprint), sqlc.arg(status), sqlc.arg(body), sqlc.arg(at), sqlc.arg(seq),
  (SELECT coalesce(max(k.running_bytes), 0) FROM idempotency_keys k WHERE k.principal = sqlc.arg(principal)) + CAST(sqlc.arg(size) AS INTEGER))
ON CONFLICT (principal, key) DO UPDATE SET
  fingerprint = excluded.fingerprint,
  status = excluded.status,
  body = excluded.body,
  at = excluded.at,
  seq = excluded.seq,
  running_bytes = excluded.running_bytes
RETURNING running_bytes;

-- name: ForgetExpired :exec
-- Of all that are too old, the oldest few.
DELETE FROM idempotency_keys WHERE (principal, key) IN (
  SELECT k.principal, k.key FROM idempotency_keys k
  WHERE k.at <= sqlc.arg(expired) ORDER BY k.at LIMIT sqlc.arg(most));

-- name: ForgetBeyond :exec
-- Of those of a principal that are beyond what is kept for it, the oldest few.
DELETE FROM idempotency_keys WHERE (principal, key) IN (
  SELECT k.principal, k.key FROM idempotency_keys k
  WHERE k.principal = sqlc.arg(principal) AND k.running_bytes <= sqlc.arg(beyond)
  ORDER BY k.running_bytes LIMIT sqlc.arg(most));

-- name: PageAnswers :many
-- As GetAnswer, in the order in which each principal's are forgotten.
SELECT k.principal, k.key, k.fingerprint, k.status, k.body, k.at, k.seq, k.running_bytes,
  j.at AS written_at, j.actor, j.entity, j.entity_id, j.before, j.after, j.first
FROM idempotency_keys k LEFT JOIN journal j ON j.seq = k.seq
WHERE (k.principal, k.running_bytes, k.key) > (sqlc.arg(principal), CAST(sqlc.arg(running_bytes) AS INTEGER), sqlc.arg(key))
ORDER BY k.principal, k.running_bytes, k.key LIMIT sqlc.arg(most);
