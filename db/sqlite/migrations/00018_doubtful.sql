-- +goose Up

-- How many records of a file a batch left out because they were doubtful. Those that were wrong are in the column
-- wrong.
ALTER TABLE batches ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0;
