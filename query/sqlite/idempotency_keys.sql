-- name: GetAnswer :one
SELECT fingerprint, status, body FROM idempotency_keys
WHERE principal = ? AND key = ? AND at > sqlc.arg(expired);

-- name: KeepAnswer :exec
INSERT INTO idempotency_keys (principal, key, fingerprint, status, body, at, first_seq, last_seq, running_bytes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?,
  (SELECT coalesce(max(k.running_bytes), 0) FROM idempotency_keys k) + CAST(sqlc.arg(size) AS INTEGER))
ON CONFLICT (principal, key) DO UPDATE SET
  fingerprint = excluded.fingerprint,
  status = excluded.status,
  body = excluded.body,
  at = excluded.at,
  first_seq = excluded.first_seq,
  last_seq = excluded.last_seq,
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
-- With the first journal entry of the write, and the time of its last.
SELECT k.principal, k.key, length(k.fingerprint) AS fingerprint_length, k.status, k.body, k.at, k.first_seq, k.last_seq, k.running_bytes,
  f.at AS first_at, f.actor, f.entity, f.entity_id, f.before, f.after, l.at AS last_at
FROM idempotency_keys k LEFT JOIN journal f ON f.seq = k.first_seq LEFT JOIN journal l ON l.seq = k.last_seq
WHERE (k.principal, k.key) > (sqlc.arg(principal), sqlc.arg(key))
ORDER BY k.principal, k.key LIMIT sqlc.arg(most);
