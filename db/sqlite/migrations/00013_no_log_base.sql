-- +goose Up

-- The header of the file and the note beside it say to which database a write-ahead log belongs.
DROP TABLE log_base;
