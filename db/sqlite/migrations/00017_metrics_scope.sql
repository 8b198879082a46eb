-- +goose Up

-- A token can have the scope metrics, which reaches /metrics alone.
ALTER TABLE tokens DROP CONSTRAINT tokens_scope;
ALTER TABLE tokens ADD CONSTRAINT tokens_scope CHECK (scope IN ('metrics', 'read', 'ingest', 'write', 'admin'));
