-- name: GetAnswer :one
-- With the journal entry of its write.
SELECT k.principal, k.key, k.fingerprint, k.status, k.body, k.at, k.seq, k.running_bytes,
  j.at AS written_at, j.actor, j.entity, j.entity_id, j.before, j.after
FROM idempotency_keys k LEFT JOIN journal j ON j.seq = k.seq
WHERE k.principal = sqlc.arg(principal) AND k.key = sqlc.arg(key) AND k.at > sqlc.arg(expired);

-- name: KeepAnswer :exec
INSERT INTO idempotency_keys (principal, key, fingerprint, status, body, at, seq, running_bytes)
VALUES (?, ?, ?, ?, ?, ?, ?,
  (SELECT coalesce(max(k.running_bytes), 0) FROM idempotency_keys k) + CAST(sqlc.arg(size) AS INTEGER))
ON CONFLICT (principal, key) DO UPDATE SET
  fingerprint = excluded.fingerprint,
  status = excluded.status,
  body = excluded.body,
  at = excluded.at,
  seq = excluded.seq,
  running_bytes = excluded.running_bytes;

-- name: ForgetAnswers :exec
-- Of the few that were kept first, those that are too old, and those beyond what is kept
-- in all. A few at a time, so that no request pays for many.
DELETE FROM idempotency_keys WHERE running_bytes IN (
  SELECT oldest.running_bytes
  FROM (SELECT k.running_bytes, k.at FROM idempotency_keys k ORDER BY k.running_bytes LIMIT CAST(sqlc.arg(most) AS INTEGER)) AS oldest
  WHERE oldest.at <= CAST(sqlc.arg(expired) AS INTEGER)
     OR oldest.running_bytes <= (SELECT max(k.running_bytes) FROM idempotency_keys k) - CAST(sqlc.arg(kept) AS INTEGER));

-- name: PageAnswers :many
-- As GetAnswer.
SELECT k.principal, k.key, k.fingerprint, k.status, k.body, k.at, k.seq, k.running_bytes,
  j.at AS written_at, j.actor, j.entity, j.entity_id, j.before, j.after
FROM idempotency_keys k LEFT JOIN journal j ON j.seq = k.seq
WHERE (k.principal, k.key) > (sqlc.arg(principal), sqlc.arg(key))
ORDER BY k.principal, k.key LIMIT sqlc.arg(most);
