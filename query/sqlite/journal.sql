-- name: JournalHead :one
SELECT * FROM journal_links ORDER BY through DESC LIMIT 1;

-- name: JournalEntities :many
SELECT DISTINCT entity FROM journal WHERE seq > sqlc.arg(after) AND seq <= sqlc.arg(through);

-- name: InsertEntry :exec
INSERT INTO journal (seq, at, actor, request, entity, entity_id, before, after, first, reason, batch)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: InsertLink :exec
INSERT INTO journal_links (through, hash) VALUES (?, ?);

-- name: PageJournal :many
SELECT * FROM journal WHERE seq > sqlc.arg(after) ORDER BY seq LIMIT sqlc.arg(most);

-- name: PageEntityJournal :many
-- The entries of an entity after another, of the first block of the index that has some:
-- a block that has none costs one search, however many entries it holds.
WITH RECURSIVE block (number) AS (
  SELECT CAST(sqlc.arg(after) AS INTEGER) >> 12
  UNION ALL
  SELECT number + 1 FROM block WHERE number < (SELECT max(seq) >> 12 FROM journal)
)
SELECT * FROM journal
WHERE seq >> 12 = (
  SELECT number FROM block
  WHERE EXISTS (SELECT 1 FROM journal AS j WHERE j.seq >> 12 = number AND j.entity = sqlc.arg(entity) AND +j.seq > sqlc.arg(after))
  LIMIT 1
) AND entity = sqlc.arg(entity) AND +seq > sqlc.arg(after)
ORDER BY seq LIMIT sqlc.arg(most);

-- name: PageRecordJournal :many
-- Block by block of the index, from the one that after is in.
WITH RECURSIVE block (number) AS (
  SELECT CAST(sqlc.arg(after) AS INTEGER) >> 12
  UNION ALL
  SELECT number + 1 FROM block WHERE number < (SELECT max(seq) >> 12 FROM journal)
)
SELECT journal.* FROM block CROSS JOIN journal ON journal.seq >> 12 = block.number
WHERE journal.entity = sqlc.arg(entity) AND journal.entity_id = sqlc.arg(entity_id) AND journal.seq > sqlc.arg(after)
ORDER BY journal.seq LIMIT sqlc.arg(most);

-- name: NewestRecordEntry :one
-- The newest entry of a record, from the last block of the index that has one.
WITH RECURSIVE block (number) AS (
  SELECT max(seq) >> 12 FROM journal
  UNION ALL
  SELECT number - 1 FROM block WHERE number > 0
)
SELECT * FROM journal
WHERE seq >> 12 = (
  SELECT number FROM block
  WHERE EXISTS (SELECT 1 FROM journal AS j WHERE j.seq >> 12 = number AND j.entity = sqlc.arg(entity) AND j.entity_id = sqlc.arg(entity_id))
  LIMIT 1
) AND entity = sqlc.arg(entity) AND entity_id = sqlc.arg(entity_id)
ORDER BY seq DESC LIMIT 1;

-- name: ListLinks :many
SELECT * FROM journal_links WHERE through > sqlc.arg(after) ORDER BY through LIMIT sqlc.arg(most);

-- name: LinkUpTo :one
-- The newest link up to an entry.
SELECT * FROM journal_links WHERE through <= sqlc.arg(seq) ORDER BY through DESC LIMIT 1;

-- name: ListNewestLinks :many
SELECT * FROM journal_links ORDER BY through DESC LIMIT sqlc.arg(most);

-- name: ListEntries :many
SELECT * FROM journal WHERE seq > sqlc.arg(after) AND seq <= sqlc.arg(through) ORDER BY seq;

-- name: PageJournalDown :many
-- The entries from one to before another, the newest first.
SELECT * FROM journal WHERE seq >= sqlc.arg(first) AND seq < sqlc.arg(before) ORDER BY seq DESC LIMIT sqlc.arg(most);

-- name: LastOfRequest :one
-- The last entry of the request that begins with an entry.
SELECT CAST(coalesce(
  (SELECT seq FROM journal WHERE seq > CAST(sqlc.arg(start) AS INTEGER) AND journal.first IS NOT CAST(sqlc.arg(start) AS INTEGER) ORDER BY seq LIMIT 1),
  (SELECT max(seq) + 1 FROM journal)
) - 1 AS INTEGER);

-- name: NewestEntry :one
SELECT CAST(coalesce(max(seq), 0) AS INTEGER) FROM journal;

-- name: ListChanges :many
-- What the entries between two others tell of an entity, empty for what there was not.
SELECT CAST(coalesce(journal.before, '') AS TEXT) AS was, CAST(coalesce(journal.after, '') AS TEXT) AS became, seq, at FROM journal
WHERE seq > sqlc.arg(since) AND seq <= sqlc.arg(through) AND entity = sqlc.arg(entity)
ORDER BY seq;

-- name: ListReceived :many
-- Which entry last told of an actual of each source, as far back as since; of the row
-- that has the maximum is the time too.
SELECT CAST(json_extract(journal.after, '$.source') AS TEXT) AS source, CAST(max(seq) AS INTEGER) AS seq, at FROM journal
WHERE seq > sqlc.arg(since) AND entity = 'actuals' AND journal.after IS NOT NULL
GROUP BY 1;

-- name: HasOldEntry :one
-- Whether one of the entries between two is of a time or older.
SELECT EXISTS (SELECT 1 FROM journal WHERE seq > sqlc.arg(after) AND seq < sqlc.arg(before) AND at <= sqlc.arg(oldest));
