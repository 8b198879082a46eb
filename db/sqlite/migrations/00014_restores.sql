-- +goose Up

-- A restore notes in the journal from which backup it came. The ends of the branches that were given up
-- stay in the journal only.
DROP TABLE abandoned_heads;
