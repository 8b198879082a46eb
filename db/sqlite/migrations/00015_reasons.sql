-- +goose Up

-- An entry can have a reason. If a request left several entries, each but the first has the number of the
-- first.
ALTER TABLE journal ADD COLUMN first INTEGER CONSTRAINT journal_first CHECK (first BETWEEN 1 AND seq - 1);
ALTER TABLE journal ADD COLUMN reason TEXT CONSTRAINT journal_reason CHECK (reason <> '');
